"""Simulated models with known biases: at chance, accurate, alike on twins, biased towards a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from referee.analysis.bias.decisions import Decision


@dataclass(frozen=True)
class SimulatedModel:
    """A set and the answers of a model to it.

    Each of `groups` has one item, or `twins` of which another candidate is correct. `accuracy` is the share of correct
    answers, the others are any incorrect candidate; None is chance level. `alike` is the share of second twins that
    get the answer of the first, `leans` the share in which a value is chosen instead, where it is offered. In `uneven`
    of the items that offer the first of `values`, that one is correct.
    """

    groups: int = 100
    values: tuple[str, ...] = ("f", "m", "n")
    candidates: int = 2
    twins: bool = True
    accuracy: float | None = None
    alike: float = 0.0
    leans: Mapping[str, float] | None = None
    uneven: float = 0.0
    feature: str = "gender"

    def decide(self, rng: np.random.Generator) -> list[Decision]:
        size = (self.groups, 2 if self.twins else 1)
        kinds = rng.random((self.groups, len(self.values))).argsort(axis=1)[:, : self.candidates]
        gold = rng.random((self.groups, self.candidates)).argsort(axis=1)[:, : size[1]]
        offered = (kinds == 0).any(axis=1) & (rng.random(self.groups) < self.uneven)
        gold[offered, 0] = (kinds == 0).argmax(axis=1)[offered]
        accuracy = 1 / self.candidates if self.accuracy is None else self.accuracy
        other = (gold + rng.integers(1, self.candidates, size)) % self.candidates
        choice = np.where(rng.random(size) < accuracy, gold, other)
        if self.twins:
            choice[:, 1] = np.where(rng.random(self.groups) < self.alike, choice[:, 0], choice[:, 1])
        urge = rng.random(size)
        decisions = []
        for group in range(self.groups):
            values = tuple(self.values[kind] for kind in kinds[group])
            for twin in range(size[1]):
                taken = int(choice[group, twin])
                for value, share in (self.leans or {}).items():
                    if value in values and urge[group, twin] < share:
                        taken = values.index(value)
                decisions.append(Decision(self.feature, values, int(gold[group, twin]), taken, str(group)))
        return decisions


POSITION = ("first", "second")
UNBIASED = {
    "a guesser, pairs": SimulatedModel(groups=200, twins=False),
    "a guesser, twins": SimulatedModel(),
    "a guesser, two values": SimulatedModel(values=("f", "m")),
    "a guesser, three candidates": SimulatedModel(candidates=3, twins=False, groups=200),
    "a guesser, three candidates, twins": SimulatedModel(candidates=3),
    "mostly right": SimulatedModel(accuracy=0.8, twins=False, groups=200),
    "mostly right, twins": SimulatedModel(accuracy=0.8),
    "mostly right, three candidates, twins": SimulatedModel(candidates=3, accuracy=0.8),
    "mostly wrong, three candidates": SimulatedModel(candidates=3, accuracy=0.1, twins=False, groups=200),
    "mostly right, an uneven set": SimulatedModel(values=("f", "m"), accuracy=0.8, twins=False, groups=200, uneven=0.7),
    "mostly right, three candidates, an uneven set": SimulatedModel(
        candidates=3, accuracy=0.7, twins=False, groups=200, uneven=0.7
    ),
    "answers twins alike": SimulatedModel(alike=0.8),
    "answers twins alike, three candidates": SimulatedModel(candidates=3, alike=0.8),
}
