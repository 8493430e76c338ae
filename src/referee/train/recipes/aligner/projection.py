"""The projection of token vectors: linked tokens are to be nearest to each other, in both directions.

The links are those that both directions of the table's aligner agree on, in all languages: the vectors learn from what
the tables know, and then find what these do not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.annotate.align.vectors import Projection, TokenVectors, Vectors
from referee.annotate.protocols import Links
from referee.logs import logger
from referee.train.recipes.aligner.tables import Example

DIMENSIONS = 128
_EPOCHS, _RATE, _BATCH, _SEED = 4, 2e-3, 32, 1

Linked = tuple[Vectors, Vectors, Links]
"""Vectors of both sides and the links between them."""


class Nearness(nn.Module):
    """Cosines of projected vectors, sharpened."""

    def __init__(self, mean: Tensor) -> None:
        super().__init__()
        self.mean = nn.Parameter(mean, requires_grad=False)
        self.matrix = nn.Linear(len(mean), DIMENSIONS, bias=False)
        self.sharpness = nn.Parameter(torch.tensor(2.3))
        nn.init.orthogonal_(self.matrix.weight)

    def forward(self, sources: Tensor, targets: Tensor) -> Tensor:
        """For each pair of sentences (source, target)."""
        ours, theirs = (functional.normalize(self.matrix(side - self.mean), dim=-1) for side in (sources, targets))
        return torch.exp(self.sharpness) * ours @ theirs.transpose(-1, -2)


def linked(vectors: TokenVectors, examples: Sequence[Example], language: str) -> list[Linked]:
    """Examples with the vectors of their tokens."""
    sources = vectors.means([example.pair.source for example in examples], "en")
    targets = vectors.means([example.pair.target for example in examples], language)
    sides = zip(sources, targets, examples, strict=True)
    return [(source, target, example.links) for source, target, example in sides]


def project(examples: Sequence[Linked]) -> Projection:
    """Learn the projection."""
    torch.manual_seed(_SEED)
    chance = random.Random(_SEED)  # noqa: S311 no secret
    mean = np.concatenate([side for example in examples for side in example[:2]]).mean(axis=0)
    model = Nearness(torch.from_numpy(mean.astype(np.float32)))
    ordered = sorted(examples, key=lambda example: len(example[0]) + len(example[1]))
    batches = [_padded(ordered[start : start + _BATCH]) for start in range(0, len(ordered), _BATCH)]
    optimizer = torch.optim.Adam([one for one in model.parameters() if one.requires_grad], _RATE)
    steps, done = _EPOCHS * len(batches), 0
    for epoch in range(_EPOCHS):
        chance.shuffle(batches)
        total = 0.0
        for batch in batches:
            for group in optimizer.param_groups:
                group["lr"] = _RATE * (1 - done / steps)
            done += 1
            loss = _loss(model, *batch)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += float(loss.detach())
        logger.info(f"projection, epoch {epoch + 1}: loss {total / len(batches):.4f}")
    return Projection(mean.astype(np.float32), model.matrix.weight.detach().numpy().copy())


def _padded(examples: Sequence[Linked]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    rows, columns = (max(len(example[side]) for example in examples) for side in (0, 1))
    width = examples[0][0].shape[1]
    sources, targets = torch.zeros(len(examples), rows, width), torch.zeros(len(examples), columns, width)
    real = torch.zeros(len(examples), rows, columns, dtype=torch.bool)
    links = torch.zeros(len(examples), rows, columns)
    for row, (ours, theirs, own) in enumerate(examples):
        sources[row, : len(ours)], targets[row, : len(theirs)] = torch.from_numpy(ours), torch.from_numpy(theirs)
        real[row, : len(ours), : len(theirs)] = True
        for source, target in own:
            links[row, source, target] = 1
    return sources, targets, real, links


def _loss(model: Nearness, sources: Tensor, targets: Tensor, real: Tensor, links: Tensor) -> Tensor:
    scores = model(sources, targets).masked_fill(~real, -1e4)
    shares = scores.log_softmax(1) + scores.log_softmax(2)
    loss: Tensor = -(shares * links).sum() / links.sum().clamp_min(1) / 2
    return loss
