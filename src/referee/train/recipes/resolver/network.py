"""The network of the ranker in PyTorch, and its training. `annotate/resolve/ranker.py` computes the same in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from referee.annotate.resolve.features import SIZES, Sizes
from referee.annotate.resolve.words import NOUN, PROPN
from referee.train.recipes.resolver.examples import Examples

_NEVER = -1e4


@dataclass(frozen=True)
class Schedule:
    """Size of a network and how it learns."""

    hidden: int = 32
    inner: int = 16
    dropout: float = 0.3
    epochs: int = 3
    batch: int = 64
    peak: float = 3e-3
    warm_up: int = 50
    decay: float = 0.02
    nouns: float = 0.2
    """Weight of a second loss, which wants nouns where they are among the correct candidates: an answer is a noun."""


class Network(nn.Module):
    """Scores of "no antecedent" and of the candidates of each pronoun."""

    def __init__(self, schedule: Schedule, sizes: Sizes = SIZES) -> None:
        super().__init__()

        def table(rows: int, columns: int, spread: float) -> nn.EmbeddingBag:
            made = nn.EmbeddingBag(rows, columns, mode="sum")
            nn.init.normal_(made.weight, std=spread)
            return made

        self.pronoun, self.nothing = (table(sizes.pronoun, schedule.hidden, 0.15) for _ in range(2))
        self.mention = table(sizes.mention, schedule.hidden, 0.15)
        self.pair = table(sizes.pair, schedule.hidden, 0.15)
        self.mention_weight, self.pair_weight = table(sizes.mention, 1, 0.0), table(sizes.pair, 1, 0.0)
        self.bias = nn.Parameter(torch.zeros(schedule.hidden))
        self.nothing_bias = nn.Parameter(torch.zeros(schedule.hidden))
        self.second = nn.Linear(schedule.hidden, schedule.inner)
        self.out = nn.Linear(schedule.inner, 1, bias=False)
        self.nothing_out = nn.Linear(schedule.hidden, 1)
        self.dropout = nn.Dropout(schedule.dropout)

    def forward(self, pronouns: Tensor, mentions: Tensor, pairs: Tensor, there: Tensor) -> Tensor:
        """One row per pronoun."""

        def summed(table: nn.Module, features: Tensor) -> Tensor:
            rows: Tensor = table(features.reshape(-1, features.shape[-1]))
            return rows.reshape(*features.shape[:-1], -1)

        hidden = summed(self.pronoun, pronouns)[:, None] + summed(self.mention, mentions) + summed(self.pair, pairs)
        hidden = self.dropout(torch.relu(hidden + self.bias))
        scores = self.out(self.dropout(torch.relu(self.second(hidden))))
        scores = (scores + summed(self.mention_weight, mentions) + summed(self.pair_weight, pairs))[..., 0]
        nothing = self.dropout(torch.relu(summed(self.nothing, pronouns) + self.nothing_bias))
        return torch.cat([self.nothing_out(nothing), scores.masked_fill(~there, _NEVER)], dim=1)


def trained(examples: Examples, seed: int, schedule: Schedule) -> Network:
    """A network that gives all probability to the correct candidates, or to none where none is correct."""
    torch.manual_seed(seed)
    network = Network(schedule)
    tensors = [torch.from_numpy(array) for array in examples]
    count = len(tensors[0])
    steps = schedule.epochs * -(-count // schedule.batch)
    optimizer = torch.optim.AdamW(network.parameters(), lr=schedule.peak, weight_decay=schedule.decay)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / schedule.warm_up) * max(0.0, 1 - step / steps)
    )
    for _ in range(schedule.epochs):
        for chosen in torch.split(torch.randperm(count), schedule.batch):
            pronouns, mentions, pairs, there, correct = (tensor[chosen] for tensor in tensors)
            logs = torch.log_softmax(network(pronouns, mentions, pairs, there), dim=1)
            target = torch.cat([~correct.any(dim=1, keepdim=True), correct], dim=1)
            # The first feature of a mention is its part of speech.
            nouns = correct & ((mentions[..., 0] == NOUN) | (mentions[..., 0] == PROPN))
            loss = _missed(logs, target).mean()
            loss = loss + schedule.nouns * (_missed(logs[:, 1:], nouns) * nouns.any(dim=1)).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            rate.step()
    return network.eval()


def _missed(logs: Tensor, target: Tensor) -> Tensor:
    """The negative logarithm of the probability that the targets have together."""
    return -torch.logsumexp(logs.masked_fill(~target, _NEVER), dim=1)


def weights_of(networks: Sequence[Network]) -> dict[str, np.ndarray]:
    """The arrays of `ranker.Ranker`. Biases are vectors: the store keeps those as they are."""

    def joined(name: str, axis: int) -> np.ndarray:
        return np.concatenate([network.get_parameter(name).detach().numpy() for network in networks], axis=axis)

    tables = ("pronoun", "mention", "pair", "nothing", "mention_weight", "pair_weight")
    return {
        **{name: joined(f"{name}.weight", 1) for name in tables},
        "bias": joined("bias", 0),
        "nothing_bias": joined("nothing_bias", 0),
        "second": joined("second.weight", 0),
        "second_bias": joined("second.bias", 0),
        "out": joined("out.weight", 0),
        "nothing_out": joined("nothing_out.weight", 0),
        "nothing_out_bias": joined("nothing_out.bias", 0),
    }
