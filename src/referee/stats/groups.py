"""Groups of items that belong together: twins, minimal pairs, perturbations of one original.

Everything here takes groups as whole numbers, one per item; `index_groups` makes them from labels. Numbers need not be
dense: the items of a breakdown keep the numbers they have in the whole set, and groups without an item do not count.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from referee.stats.intervals import Floats

GroupIndex = NDArray[np.int64]


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
