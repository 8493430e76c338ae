"""Errors scattered over items at random: how many whole groups that leaves, and how much errors come together.

The number of errors is taken as given, so the test is exact: only their places are drawn.
"""

from __future__ import annotations

from math import ceil, exp, lgamma

import msgspec
import numpy as np

from referee.stats.intervals import SEED, Floats, Interval, percentiles
from referee.stats.levels import ALPHA

_CELLS = 500_000
_FEWEST_DRAWS, _DRAWS = 1000, 10_000
_FAR = 10_000


class Scatter(msgspec.Struct, frozen=True, kw_only=True):
    """What independent errors leave: the share of whole groups with its 95% range.

    `p` is two-sided, of the sum of squared errors per group; `together` where that is larger than independent errors
    make it. `more_groups` is about how many more could show anything, None where these could.
    """

    whole: float
    interval: Interval
    p: float
    together: bool
    more_groups: int | None


def scatter(errors: Floats, sizes: Floats) -> Scatter:
    """Compare the errors of each group with as many independent errors; there is at least one group."""
    draws = max(_FEWEST_DRAWS, min(_DRAWS, _CELLS // len(sizes)))
    total = int(errors.sum())
    generator = np.random.default_rng(SEED)
    step = max(1, _CELLS // len(sizes))
    whole, squares = [], []
    for start in range(0, draws, step):
        drawn = generator.multivariate_hypergeometric(
            sizes.astype(np.int64), total, size=min(step, draws - start), method="marginals"
        )
        whole.append((drawn == 0).mean(axis=1))
        squares.append((drawn**2).sum(axis=1))
    shares, sums = np.concatenate(whole), np.concatenate(squares)
    seen = float(errors @ errors)
    low, high = ((1 + float(np.count_nonzero(side))) / (draws + 1) for side in (sums <= seen, sums >= seen))
    return Scatter(
        whole=float(shares.mean()),
        interval=percentiles(shares),
        p=min(1.0, 2 * min(low, high)),
        together=high < low,
        more_groups=None if _telling(sums) else _more_groups(total, sizes),
    )


def _telling(sums: Floats) -> bool:
    """Whether the most extreme draw would be significant."""
    rarest = min(int(np.count_nonzero(sums == extreme)) for extreme in (sums.min(), sums.max()))
    return 2 * rarest / len(sums) <= ALPHA


def _more_groups(errors: int, sizes: Floats) -> int | None:
    """About how many groups of this kind, with errors as frequent, could show that errors come together."""
    groups, size = len(sizes), max(2, round(float(sizes.mean())))
    rate = errors / float(sizes.sum())
    if not 0 < rate < 1:
        return None
    for count in range(groups + 1, _FAR):
        hit = ceil(rate * count)
        if 2 * exp(_log_ways(count, hit) - _log_ways(count * size, hit * size)) <= ALPHA:
            return count - groups
    return None


def _log_ways(total: int, chosen: int) -> float:
    return lgamma(total + 1) - lgamma(chosen + 1) - lgamma(total - chosen + 1)
