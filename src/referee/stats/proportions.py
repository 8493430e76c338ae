"""Proportions of items, and means over items, with intervals that respect groups."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.stats.groups import GroupIndex, group_sums
from referee.stats.intervals import Floats, Interval
from referee.stats.worst_group import DIFFERENCE, mean_interval


class Proportion(msgspec.Struct, frozen=True):
    """`count` of some items in `groups` groups have a property."""

    count: int
    share: float
    interval: Interval
    groups: int


def proportion(hits: Sequence[bool] | NDArray[np.bool_], groups: GroupIndex) -> Proportion:
    """Compute the share of items that are hits; there is at least one item."""
    sums, sizes = group_sums(hits, groups)
    count = int(np.count_nonzero(hits))
    return Proportion(count, count / len(hits), mean_interval(sums, sizes), len(sums))


def difference_interval(values: Floats | Sequence[float], groups: GroupIndex) -> Interval:
    """Compute the interval of a mean of differences between -1 and 1."""
    return mean_interval(*group_sums(values, groups), DIFFERENCE)
