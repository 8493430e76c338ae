"""Groups of items that belong together: twins, minimal pairs, perturbations of one original.

Everything here takes groups as whole numbers, one per item; `index_groups` makes them from labels. Numbers need not be
dense: the items of a breakdown keep the numbers they have in the whole set, and groups without an item do not count.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.stats.intervals import Floats, Interval, bootstrap_mean

GroupIndex = NDArray[np.int64]


class GroupScore(msgspec.Struct, frozen=True):
    """The mean over groups of their worst member: a group is correct only where every member is.

    `chance` is the chance level, `p` that of the exact test against it, one-sided; both where it is known.
    """

    groups: int
    score: float
    bootstrap: Interval
    chance: float | None = None
    p: float | None = None


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


def group_score(scores: Floats, groups: GroupIndex) -> GroupScore:
    """Compute the group score of any score per item (0 and 1 for incorrect and correct, or a number)."""
    present = np.bincount(groups) > 0
    worst = np.full(len(present), np.inf)
    np.minimum.at(worst, groups, scores)
    worst = worst[present]
    return GroupScore(len(worst), float(worst.mean()), bootstrap_mean(worst, np.ones(len(worst))))
