"""Where a figure lies against a level, by its interval alone: a star and its interval cannot disagree.

Not finding a difference is not finding equality. A figure is at the level only where its interval ends within a margin
above it; otherwise the answer is open, and it is said about how many groups would decide.
"""

from __future__ import annotations

from math import ceil, log1p
from statistics import NormalDist
from typing import Literal

import msgspec

from referee.stats.intervals import Interval

ALPHA = 0.05
"""The significance level."""
MARGIN = 0.05
"""What is within this of a level, or of no change, counts as equal to it."""

_MANY = 1_000_000
_ALL = 1 - 1e-9

Standing = Literal["above", "below", "at", "not_above", "inconclusive"]


class Against(msgspec.Struct, frozen=True):
    """A figure against a level: `at` where it is surely within `MARGIN` of it, `not_above` where it is surely not more.

    `more_groups` is about how many more groups would decide, for a figure that is `inconclusive`. `p` is the one-sided
    p-value of a figure above the level, where it was computed.
    """

    standing: Standing
    more_groups: int | None = None
    p: float | None = None


def against(value: float, interval: Interval, level: float, groups: int) -> Against:
    """Compare a share over a number of groups with a level."""
    low, high = interval
    if low > level:
        return Against("above")
    if high < level:
        return Against("below")
    if high < level + MARGIN:
        return Against("at" if low > level - MARGIN else "not_above")
    varies = 0 < value < 1
    at = further_groups(groups, high - value, level + MARGIN - value, varies=varies)
    above = further_groups(groups, value - low, value - level, varies=varies)
    return Against("inconclusive", fewest(at, above))


def further_groups(groups: int, half_width: float, distance: float, *, varies: bool = True) -> int | None:
    """Estimate how many more groups make an interval narrow enough: a rule of thumb. None where no number helps.

    Widths shrink with the root of the number of groups, and with the number itself where nothing `varies` at all.
    """
    if distance <= 0:
        return None
    enough = groups * (half_width / distance) ** 2
    if not varies and distance < 1:
        # The interval of n groups that are all alike ends at the n-th root of its tail.
        enough = groups * log1p(-min(half_width, _ALL)) / log1p(-distance)
    return None if enough > _MANY else max(1, ceil(enough) - groups)


def groups_to_significance(groups: int, p: float, corrected: float) -> int | None:
    """Estimate how many more groups make a two-sided p-value significant that is `corrected` for other tests."""
    if not 0 < p < 1:
        return None
    normal = NormalDist()
    # The level that p itself must reach: corrected by the same factor, it is then at ALPHA.
    level = ALPHA * p / corrected
    return further_groups(groups, -normal.inv_cdf(level / 2), -normal.inv_cdf(p / 2))


def fewest(*counts: int | None) -> int | None:
    """Take the smallest of the counts that are known."""
    return min((count for count in counts if count is not None), default=None)
