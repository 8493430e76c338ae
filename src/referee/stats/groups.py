"""Groups of items that belong together: twins, minimal pairs, perturbations of one original.

Everything here takes groups as whole numbers, one per item; `index_groups` makes them from labels. Numbers need not be
dense: the items of a breakdown keep the numbers they have in the whole set, and groups without an item do not count.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.stats.intervals import Floats

GroupIndex = NDArray[np.int64]


@dataclass
class Membership:
    """The groups of items as these pass by, and the groups that lost a member because it was not evaluated.

    Whether all members of such a group are correct cannot be known: it is not whole, and has no group score.
    """

    sizes: dict[str, int] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, group: str) -> int:
        """Count an item that was evaluated, and return the number of its group."""
        self.sizes[group] = self.sizes.get(group, 0) + 1
        return self._numbers.setdefault(group, len(self._numbers))

    def lose(self, group: str) -> None:
        """Count an item that was not evaluated."""
        self.add(group)
        self.lost.add(group)

    def number(self, group: str) -> int:
        """The number of a group that has passed by."""
        return self._numbers[group]

    @property
    def incomplete(self) -> list[str]:
        """The groups of two members or more that lost one, in order."""
        return [group for group, size in self.sizes.items() if group in self.lost and size > 1]

    def whole(self, groups: GroupIndex) -> NDArray[np.bool_]:
        """Which evaluated items are in a group of two members or more that lost none."""
        return in_company(groups) & ~self.torn(groups)

    def torn(self, groups: GroupIndex) -> NDArray[np.bool_]:
        """Which evaluated items are in a group that lost a member."""
        lost = np.fromiter((self._numbers[group] for group in self.lost), np.int64, len(self.lost))
        return np.isin(groups, lost)


def index_groups(labels: Sequence[Hashable]) -> GroupIndex:
    """Number the groups of items in the order in which they first appear."""
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(label, len(numbers)) for label in labels), np.int64, len(labels))


def group_sums(values: Floats | NDArray[np.bool_] | Sequence[float], groups: GroupIndex) -> tuple[Floats, Floats]:
    """Sum the values of each group, and count them."""
    sizes = np.bincount(groups)
    present = sizes > 0
    sums = np.bincount(groups, np.asarray(values, np.float64))
    return sums[present].astype(np.float64), sizes[present].astype(np.float64)


def column_sums(columns: Floats, groups: GroupIndex) -> Floats:
    """Sum each column over the rows of each group: one row per group."""
    present = np.bincount(groups) > 0
    return np.stack([np.bincount(groups, column)[present] for column in columns.T], axis=1)


def in_company(groups: GroupIndex) -> NDArray[np.bool_]:
    """Which items share their group with another item."""
    shared: NDArray[np.bool_] = np.bincount(groups)[groups] > 1
    return shared


def group_minima(scores: Floats, groups: GroupIndex) -> Floats:
    """Take the worst member of each group: its group score (0 and 1 for incorrect and correct, or any number)."""
    present = np.bincount(groups) > 0
    worst = np.full(len(present), np.inf)
    np.minimum.at(worst, groups, scores)
    return worst[present]
