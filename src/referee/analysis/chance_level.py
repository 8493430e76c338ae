"""The chance level of a set: what a model without understanding reaches on its items.

It is the better of guessing and the best constant heuristic (always neuter, always the first noun, always the subject).
A guess is among the candidates that are referents where two or more are: a pronoun that no noun in the context has is
not a serious answer. The level comes from the items alone, so scores and generation have the same one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import nan
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.items import Item
from referee.stats.groups import GroupIndex, group_minima
from referee.stats.intervals import Floats

HEURISTICS = ("gender", "position", "referent", "address", "animacy", "case")
"""The features that a constant heuristic can go by, each of which leaves one form to write. Formality does not: `du` is
informal, and wrong where `ihr` is expected. Neither does tense, which says nothing about the verb."""
_ROLES = ("subject", "object")
"""Referents that a sentence shows; others (the eater, the animal) take understanding."""


class ChanceLevel(msgspec.Struct, frozen=True):
    """A level and its reason: a guess among all candidates or among referents, or always one value of a feature."""

    level: float
    reason: Literal["guess", "referents", "heuristic"]
    feature: str = ""
    value: str = ""


class GroupLevel(msgspec.Struct, frozen=True):
    """The chance levels of a group score.

    `level` is that of a model that is correct or incorrect group by group, without understanding: the mean of the
    smallest chance in each group. `independent` is that of guessing each item by itself, where a guess is possible.
    """

    level: float
    independent: float | None


class _Kind(NamedTuple):
    """What the chance level needs of an item: which candidates are referents, and by feature the candidates' values.

    An item without candidates has the one value that is expected.
    """

    gold: int | None
    referents: tuple[bool, ...]
    values: tuple[tuple[str, ...], ...]


@dataclass
class Chances:
    """The chances of all items of a set, by their kind: items are many, their kinds few."""

    kinds: dict[_Kind, int] = field(default_factory=dict)
    index: array[int] = field(default_factory=lambda: array("q"))

    def add(self, item: Item) -> None:
        """Take in the next item."""
        self.index.append(self.kinds.setdefault(_kind(item), len(self.kinds)))

    def level(self) -> ChanceLevel | None:
        """The level of the set; None where neither a guess nor a heuristic is possible on every item."""
        index = self._items
        return max(
            (
                msgspec.structs.replace(reason, level=float(worth[index].mean()))
                for reason, worth in self._strategies()
                if len(index) and not np.isnan(worth[index]).any()
            ),
            key=lambda chance: chance.level,
            default=None,
        )

    def group_level(self, members: NDArray[np.bool_], groups: GroupIndex) -> GroupLevel | None:
        """The levels of the group score over these items; None as above."""
        index = self._items[members]
        levels = [
            float(group_minima(worth[index], groups).mean())
            for _, worth in self._strategies()
            if not np.isnan(worth[index]).any()
        ]
        return GroupLevel(max(levels), self._independent(index, groups)) if levels else None

    @property
    def _items(self) -> NDArray[np.int64]:
        return np.asarray(self.index, np.int64)

    def _independent(self, index: NDArray[np.int64], groups: GroupIndex) -> float | None:
        guesses = np.array([_guess(kind)[0] for kind in self.kinds])[index]
        if np.isnan(guesses).any():
            return None
        present = np.bincount(groups) > 0
        products = np.ones(len(present))
        np.multiply.at(products, groups, guesses)
        return float(products[present].mean())

    def _strategies(self) -> Iterator[tuple[ChanceLevel, Floats]]:
        """Each way of answering without understanding, with what it reaches on every kind of item."""
        guesses = [_guess(kind) for kind in self.kinds]
        reason: Literal["guess", "referents"] = "referents" if any(among for _, among in guesses) else "guess"
        yield ChanceLevel(0.0, reason), np.array([chance for chance, _ in guesses])
        for number, feature in enumerate(HEURISTICS):
            for value in sorted({value for kind in self.kinds for value in kind.values[number] if value}):
                worth = [_always(value, number, kind) for kind in self.kinds]
                yield ChanceLevel(0.0, "heuristic", feature, value), np.array(worth)


def _kind(item: Item) -> _Kind:
    if not item.candidates or item.gold is None:
        return _Kind(None, (), tuple((_shown(name, item.features.get(name, "")),) for name in HEURISTICS))
    # Candidates with the same text are one answer.
    answers = item.answers
    distinct = sorted(set(answers))
    features = [item.candidates[index].features for index in distinct]
    return _Kind(
        distinct.index(answers[item.gold]),
        tuple("referent" in of_candidate or "position" in of_candidate for of_candidate in features),
        tuple(tuple(_shown(name, of_candidate.get(name, "")) for of_candidate in features) for name in HEURISTICS),
    )


def _shown(feature: str, value: str) -> str:
    return "" if feature == "referent" and value not in _ROLES else value


def _guess(kind: _Kind) -> tuple[float, bool]:
    """The chance of a guess, and whether it is among referents only."""
    if kind.gold is None:
        return nan, False
    among = sum(kind.referents)
    if kind.referents[kind.gold] and 1 < among < len(kind.referents):
        return 1 / among, True
    return 1 / len(kind.referents), False


def _always(value: str, number: int, kind: _Kind) -> float:
    """How often choosing this value is correct; where no candidate has it, what a guess is worth."""
    values = kind.values[number]
    if kind.gold is None:
        return float(values[0] == value) if values[0] else nan
    if value not in values:
        return _guess(kind)[0]
    return float(values[kind.gold] == value) / values.count(value)
