"""Two systems on the same items: their difference, its interval and p-value, and the minimum detectable difference.

Items of one group stand or fall together, so groups are what is weighted and counted. Where every item is a group of
its own, the p-value is that of McNemar's exact test.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, sqrt

import msgspec
import numpy as np

from referee.stats.groups import GroupIndex, group_sums
from referee.stats.intervals import SEED, Floats, Interval
from referee.stats.levels import ALPHA
from referee.stats.worst_group import DIFFERENCE, mean_interval, mean_p

POWER = 0.8
"""How often the minimum detectable difference is found."""
GROSS = 0.6
"""A minimum detectable difference above this is not worth its digits."""
DRAWS = 10_000

_Z_POWER = 0.8416
_CELLS = 2_000_000
"""How many drawn weights are in memory at a time."""


class PairedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The same items scored twice: `base` and `other` are accuracies, `difference` is other less base.

    `interval` and `p` are of the worst group and agree; `holm` is p corrected for all that was tested with it,
    `mcnemar` that of McNemar's exact test, which treats items as independent. `cohen_g` and `odds_ratio` are of the
    items that changed, positive and above 1 where more became correct; None where nothing changed, the ratio also where
    nothing became incorrect. `detectable` is the minimum detectable difference at 80% power, None above 60 points.
    """

    items: int
    groups: int
    base: float
    other: float
    difference: float
    interval: Interval
    both_right: int
    only_base: int
    only_other: int
    both_wrong: int
    p: float
    mcnemar: float
    cohen_g: float | None
    odds_ratio: float | None
    cohen_h: float
    detectable: float | None
    holm: float | None = None


class MacroDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The mean over suites, each with the same weight however many items it has; otherwise as in `PairedDifference`."""

    suites: int
    groups: int
    base: float
    other: float
    difference: float
    interval: Interval
    p: float
    holm: float | None = None


def paired(base: Sequence[bool], other: Sequence[bool], groups: GroupIndex) -> PairedDifference:
    """Compare which items each system has correct; there is at least one item."""
    first, second = np.asarray(base, np.bool_), np.asarray(other, np.bool_)
    total = len(first)
    both, only_base, only_other = (
        int(np.count_nonzero(cases)) for cases in (first & second, first & ~second, second & ~first)
    )
    sums, sizes = group_sums(second.astype(np.float64) - first, groups)
    shares = (both + only_base) / total, (both + only_other) / total
    changed = only_base + only_other
    return PairedDifference(
        items=total,
        groups=len(sums),
        base=shares[0],
        other=shares[1],
        difference=(only_other - only_base) / total,
        interval=mean_interval(sums, sizes, DIFFERENCE),
        both_right=both,
        only_base=only_base,
        only_other=only_other,
        both_wrong=total - both - changed,
        p=mean_p(sums, sizes, 0.0, DIFFERENCE),
        mcnemar=mcnemar(only_base, only_other),
        cohen_g=only_other / changed - 0.5 if changed else None,
        odds_ratio=only_other / only_base if only_base else None,
        cohen_h=2 * asin(sqrt(shares[1])) - 2 * asin(sqrt(shares[0])),
        detectable=detectable(sums, sizes, changed),
    )


def mcnemar(broken: int, repaired: int) -> float:
    """Compute the exact two-sided p of so uneven a split of the changed items, if both directions are as likely."""
    changed, fewer = broken + repaired, min(broken, repaired)
    ways = term = 1
    for count in range(fewer):
        term = term * (changed - count) // (count + 1)
        ways += term
    # Whole numbers to the end: no tail is too small to be added up.
    return min(1.0, 2 * ways / (1 << changed))


def detectable(sums: Floats, sizes: Floats, changed: int) -> float | None:
    """Compute the minimum detectable difference: shown (5%, two-sided) in 80% of such sets; None above `GROSS`.

    From how many items changed and how far changes within a group add up, with one group more that changed as a whole,
    so that neither is ever zero. A difference adds to the variance of the changes and to that of the worst group.
    """
    from scipy.optimize import brentq

    items, largest = float(sizes.sum()), float(sizes.max())
    rate = (changed + largest) / (2 * (items + largest))
    clumping = (float(sums @ sums) + largest**2) / (changed + largest)
    squares = float(sizes @ sizes)

    def excess(difference: float) -> float:
        variance = items * clumping * (2 * rate + difference - difference**2)
        threshold = _threshold(sqrt(variance + squares * difference**2), largest)
        return items * difference - threshold - _Z_POWER * sqrt(variance)

    return float(brentq(excess, 0.0, GROSS, xtol=1e-6)) if excess(GROSS) >= 0 else None


def _threshold(deviation: float, largest: float) -> float:
    """The sum that a Normal variable plus an Exponential one, the worst group, exceeds in 2.5%."""
    from scipy.optimize import brentq
    from scipy.special import log_ndtr, ndtr

    def tail(total: float) -> float:
        shifted = -total / largest + deviation**2 / (2 * largest**2)
        exponential = float(np.exp(shifted + log_ndtr(total / deviation - deviation / largest)))
        return float(ndtr(-total / deviation)) + exponential - ALPHA / 2

    return float(brentq(tail, 0.0, 10 * (deviation + largest)))


def macro_difference(
    base: Sequence[bool], other: Sequence[bool], suites: GroupIndex, groups: GroupIndex
) -> MacroDifference:
    """Compare the items of all suites, given the suite and the group of each; a group may span suites."""
    first, second = np.asarray(base, np.float64), np.asarray(other, np.float64)
    count, rows = int(suites.max()) + 1, int(groups.max()) + 1
    cells = groups * count + suites
    sums: Floats = np.bincount(cells, second - first, rows * count).reshape(rows, count).astype(np.float64)
    sizes = np.bincount(cells, minlength=rows * count).reshape(rows, count).astype(np.float64)
    present = sizes.any(axis=1)
    sums, sizes = sums[present], sizes[present]
    means = [np.bincount(suites, correct, count) / sizes.sum(axis=0) for correct in (first, second)]
    low, high = _weighted_means(sums, sizes)
    tail = ALPHA / 2
    return MacroDifference(
        suites=count,
        groups=len(sums),
        base=float(means[0].mean()),
        other=float(means[1].mean()),
        difference=float((means[1] - means[0]).mean()),
        interval=(
            float(np.quantile(low, tail, method="lower")),
            float(np.quantile(high, 1 - tail, method="higher")),
        ),
        p=min(1.0, 2 * float(min(np.count_nonzero(low <= 0), np.count_nonzero(high >= 0))) / DRAWS),
    )


def _weighted_means(sums: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Draws of the mean over suites (columns): one weight per group in all of them, a worst group for every suite."""
    kinds, counts = np.unique(np.hstack([sums, sizes]), axis=0, return_counts=True)
    suites = sums.shape[1]
    draws = np.random.default_rng(SEED)
    low, high = [], []
    step = max(1, _CELLS // len(kinds))
    for start in range(0, DRAWS, step):
        drawn = min(step, DRAWS - start)
        weighted = draws.standard_gamma(counts, (drawn, len(counts))) @ kinds
        worst = draws.standard_exponential((drawn, suites)) * sizes.max(axis=0)
        total = weighted[:, suites:] + worst
        low.append(((weighted[:, :suites] - worst) / total).mean(axis=1))
        high.append(((weighted[:, :suites] + worst) / total).mean(axis=1))
    return np.concatenate(low), np.concatenate(high)
