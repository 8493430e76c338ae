"""Proportions of items, and means over items, with intervals that respect groups."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.stats.groups import GroupIndex, group_sums
from referee.stats.intervals import Floats, Interval, bootstrap_mean, wider, wilson


class Proportion(msgspec.Struct, frozen=True):
    """`count` of some items have a property."""

    count: int
    share: float
    wilson: Interval
    bootstrap: Interval

    @property
    def wider(self) -> Interval:
        """The wider of the two intervals."""
        return wider(self.wilson, self.bootstrap)


def proportion(hits: Sequence[bool] | NDArray[np.bool_], groups: GroupIndex) -> Proportion:
    """Compute the share of items that are hits; there is at least one item."""
    count = int(np.count_nonzero(hits))
    return Proportion(count, count / len(hits), wilson(count, len(hits)), mean_interval(hits, groups))


def mean_interval(values: Floats | NDArray[np.bool_] | Sequence[float], groups: GroupIndex) -> Interval:
    """Compute the bootstrap interval of a mean over items when whole groups are drawn again."""
    return bootstrap_mean(*group_sums(values, groups))
