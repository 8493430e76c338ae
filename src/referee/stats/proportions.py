"""What part of some items has a property, and how sure that is."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import msgspec
import numpy as np

from referee.stats.groups import index_groups
from referee.stats.intervals import Interval, bootstrap_mean, wider, wilson


class Proportion(msgspec.Struct, frozen=True):
    """`count` of some items have `value`."""

    value: str
    count: int
    share: float
    wilson: Interval
    bootstrap: Interval

    @property
    def wider(self) -> Interval:
        """The wider of the two intervals."""
        return wider(self.wilson, self.bootstrap)


def proportion(value: str, hits: Sequence[bool], groups: Sequence[Hashable]) -> Proportion:
    """Which items are hits, and the group of each."""
    count = sum(hits)
    return Proportion(value, count, count / len(hits), wilson(count, len(hits)), mean_interval(hits, groups))


def mean_interval(values: Sequence[float], groups: Sequence[Hashable]) -> Interval:
    """The bootstrap interval of a mean over items when whole groups are drawn again."""
    index, count = index_groups(groups)
    sums = np.bincount(index, np.asarray(values, np.float64), count).astype(np.float64)
    sizes = np.bincount(index, minlength=count).astype(np.float64)
    return bootstrap_mean(sums, sizes)
