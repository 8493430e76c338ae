"""The weighing of features, learned from sentences aligned by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.annotate.align.combine import FIRST, INPUTS, SECOND, Layers, Weighing, around
from referee.annotate.align.features import NAMES, Cells
from referee.logs import logger
from referee.train.recipes.aligner.gold import Gold

THRESHOLD = 0.4
"""The least probability of a link: what is best for F1 on ALIBI."""
POSSIBLE = 0.5
"""What a possible link is worth, and how much it counts."""
_EPOCHS, _RATE, _SEED = 60, 0.01, 1

Batch = tuple[list[int], Cells]
"""Indices of sentence pairs and their cells."""


class Network(nn.Module):
    """What `combine.Weighing` computes, with gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.first_out = nn.Linear(len(NAMES), FIRST), nn.Linear(FIRST, 1)
        self.second, self.second_out = nn.Linear(INPUTS, SECOND), nn.Linear(SECOND, 1)

    def forward(self, features: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of both parts."""
        logits = self.first_out(torch.relu(self.first(features)))[..., 0]
        # The second part takes what the first one says as it is: no gradient goes back through its inputs.
        fixed = logits.detach().double().numpy()
        scores = np.where(real.numpy(), 1 / (1 + np.exp(-fixed)), 0)
        seen = torch.from_numpy(around(fixed, scores)).float()
        inputs = torch.cat([features, seen], dim=3)
        return logits, self.second_out(torch.relu(self.second(inputs)))[..., 0]


def weigh(batches: Sequence[Batch], gold: Sequence[Gold]) -> Weighing:
    """Learn how much each feature says."""
    torch.manual_seed(_SEED)
    chance = random.Random(_SEED)  # noqa: S311 no secret
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), _RATE)
    examples = [_example(batch, gold) for batch in batches]
    steps, done, total = _EPOCHS * len(examples), 0, 0.0
    for _ in range(_EPOCHS):
        chance.shuffle(examples)
        total = 0.0
        for features, real, wanted, weight in examples:
            for group in optimizer.param_groups:
                group["lr"] = _RATE * (1 - done / steps)
            done += 1
            losses = [
                functional.binary_cross_entropy_with_logits(logits, wanted, weight, reduction="sum")
                for logits in network(features, real)
            ]
            loss = (losses[0] + losses[1]) / wanted.sum().clamp_min(1)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += float(loss.detach())
    logger.info(f"weighing: loss {total / len(examples):.4f}")
    first, second = (_layers(*parts) for parts in _parts(network))
    return Weighing(first, second, THRESHOLD)


def _example(batch: Batch, gold: Sequence[Gold]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    indices, cells = batch
    wanted, weight = np.zeros(cells.real.shape, np.float32), cells.real.astype(np.float32)
    for row, index in enumerate(indices):
        for source, target in gold[index].possible:
            wanted[row, source, target] = weight[row, source, target] = POSSIBLE
        for source, target in gold[index].sure:
            wanted[row, source, target] = weight[row, source, target] = 1
    arrays = (cells.features, cells.real, wanted, weight)
    features, real, targets, weights = (torch.from_numpy(array) for array in arrays)
    return features, real, targets, weights


def _parts(network: Network) -> tuple[tuple[nn.Linear, nn.Linear], tuple[nn.Linear, nn.Linear]]:
    return (network.first, network.first_out), (network.second, network.second_out)


def _layers(hidden: nn.Linear, out: nn.Linear) -> Layers:
    weights, bias, outs = (one.detach().double().numpy().copy() for one in (hidden.weight, hidden.bias, out.weight[0]))
    return Layers(weights, bias, outs, float(out.bias.detach()[0]))
