"""What was offered, correct and chosen, value by value, as arrays: item by item, and in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from referee.analysis.bias.decisions import Decision
from referee.stats.groups import GroupIndex, column_sums, index_groups
from referee.stats.intervals import Floats

CODING: Mapping[str, tuple[str, ...]] = {"gender": ("f", "m", "n"), "position": ("first", "second")}
"""Values in rank order; Wino-X's figures fit this order of genders, not the one it states."""


@dataclass(frozen=True)
class Totals:
    """How often each value was offered, correct and chosen; values are the last axis, in `hits` there is one.

    `wrong` is how often choosing any incorrect candidate, each as likely, chooses this value.
    """

    offered: Floats
    right: Floats
    wrong: Floats
    chosen: Floats
    hits: Floats

    @property
    def items(self) -> Floats:
        """How many there are."""
        items: Floats = self.chosen.sum(axis=-1, keepdims=True)
        return items

    @property
    def rejected(self) -> Floats:
        """How often each value was not chosen."""
        return self.offered - self.chosen

    @property
    def expected(self) -> Floats:
        """How often a model as accurate that otherwise chooses any incorrect candidate chooses each value."""
        accuracy = self.hits / self.items
        return accuracy * self.right + (1 - accuracy) * self.wrong


@dataclass(frozen=True)
class Choices:
    """One row per item, one column per value: how many candidates with it were offered, correct and chosen."""

    values: tuple[str, ...]
    offered: Floats
    right: Floats
    chosen: Floats
    hit: Floats
    groups: GroupIndex

    @property
    def wrong(self) -> Floats:
        """What choosing any incorrect candidate, each as likely, chooses on average."""
        others: Floats = self.offered.sum(axis=1, keepdims=True) - 1
        return (self.offered - self.right) / others

    @property
    def accuracy(self) -> float:
        """How often the correct candidate was chosen."""
        return float(self.hit.mean())

    @property
    def totals(self) -> Totals:
        """Over all items."""
        return self._totals(self._rows.sum(axis=0))

    def by_group(self, rows: Floats) -> Floats:
        """Sums over the items of each group."""
        return column_sums(rows, self.groups)

    @property
    def _rows(self) -> Floats:
        return np.hstack([self.offered, self.right, self.wrong, self.chosen, self.hit[:, None]])

    def _totals(self, sums: Floats) -> Totals:
        offered, right, wrong, chosen, hits = np.split(sums, len(self.values) * np.arange(1, 5), axis=-1)
        return Totals(offered, right, wrong, chosen, hits)


def choices(decided: Sequence[Decision], order: Sequence[str] = ()) -> Choices:
    """Count decisions that all have a choice; values that `order` does not name follow it by name."""
    seen = {value for case in decided for value in case.values}
    values = (*(value for value in order if value in seen), *sorted(seen - set(order)))
    column = {value: index for index, value in enumerate(values)}
    # Items are many, their kinds few.
    kinds: dict[tuple[tuple[str, ...], int, int | None], int] = {}
    kind = np.fromiter(
        (kinds.setdefault((case.values, case.gold, case.choice), len(kinds)) for case in decided),
        np.int64,
        len(decided),
    )
    offered, right, chosen = np.zeros((3, len(kinds), len(values)))
    for (candidates, gold, choice), row in kinds.items():
        for value in candidates:
            offered[row, column[value]] += 1
        right[row, column[candidates[gold]]] = 1
        if choice is not None:
            chosen[row, column[candidates[choice]]] = 1
    hit = np.array([float(gold == choice) for _, gold, choice in kinds])
    groups = index_groups([case.group for case in decided])
    return Choices(values, offered[kind], right[kind], chosen[kind], hit[kind], groups)
