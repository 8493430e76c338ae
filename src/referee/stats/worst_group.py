"""Intervals and p-values for means over items in groups, whatever happens inside a group: the worst group.

Groups are weighted at random (Bayesian bootstrap), together with one more group, as large as the largest, at the worst
possible value (Gaffke 2005; Learned-Miller and Thomas 2019). Single items give the interval of Clopper and Pearson,
differences of single items McNemar's exact test. Interval and p-value always agree.
"""

from __future__ import annotations

import numpy as np

from referee.stats.gamma_sums import at_most_zero
from referee.stats.intervals import LEVEL, Floats, Interval

SHARE: Interval = (0.0, 1.0)
"""The range of one item that is correct or not."""
DIFFERENCE: Interval = (-1.0, 1.0)
"""The range of one item that two systems, or one system before and after a change, answered."""

TAIL = (1 - LEVEL) / 2
_PRECISION = 1e-9
_MOST_KINDS = 500


def mean_interval(sums: Floats, sizes: Floats, bounds: Interval = SHARE, tail: float = TAIL) -> Interval:
    """Compute the interval of `sum(sums) / sum(sizes)`, given the sum and the size of each group.

    One item is within `bounds`. There is at least one group. With `tail` on each side; 95% unless it is given.
    """
    kinds, counts = _kinds(sums, sizes)
    if bounds == SHARE and len(np.unique(kinds[:, 1])) == 1 and bool(np.isin(kinds[:, 0] / kinds[:, 1], (0, 1)).all()):
        return clopper_pearson(round(float(sums.sum() / sizes[0])), len(sizes), tail)
    return _end(kinds, counts, bounds[0], -1, tail), _end(kinds, counts, bounds[1], 1, tail)


def mean_p(sums: Floats, sizes: Floats, value: float, bounds: Interval = SHARE) -> float:
    """Compute the two-sided p-value of the mean against a value; below 0.05 where the interval leaves it out."""
    kinds, counts = _kinds(sums, sizes)
    below, above = (_beyond(kinds, counts, value, bounds[side > 0], side) for side in (-1, 1))
    return min(1.0, 2 * min(below, above))


def excess_p(sums: Floats, sizes: Floats, value: float, bounds: Interval = SHARE) -> float:
    """Compute the one-sided p-value of a mean that is above a value."""
    return _beyond(*_kinds(sums, sizes), value, bounds[0], -1)


def clopper_pearson(hits: int, total: int, tail: float = TAIL) -> Interval:
    """Compute the exact interval for `hits` of `total` independent items."""
    from scipy.special import betaincinv

    low = float(betaincinv(hits, total - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, total - hits, 1 - tail)) if hits < total else 1.0
    return low, high


def _kinds(sums: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Groups with the same sum and size are exchangeable: their weights add up to one Gamma variable."""
    rows = np.stack([sums, sizes], axis=1)
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    if len(kinds) > _MOST_KINDS:
        # Thousands of different sums: a grid so fine changes no digit that is shown, and takes a fraction of the time.
        step = float(np.ptp(sums)) / _MOST_KINDS
        rows[:, 0] = np.rint(sums / step) * step
        kinds, counts = np.unique(rows, axis=0, return_counts=True)
    return kinds, counts.astype(np.float64)


def _beyond(kinds: Floats, counts: Floats, value: float, worst: float, side: int) -> float:
    """How likely the weighted mean, with the worst group on this side, lies beyond a value or on it."""
    largest = float(kinds[:, 1].max())
    weights = np.append(kinds[:, 0] - value * kinds[:, 1], largest * (worst - value))
    return at_most_zero(-side * weights, np.append(counts, 1.0))


def _end(kinds: Floats, counts: Floats, worst: float, side: int, tail: float) -> float:
    """The end of the interval on the side of the worst group."""
    from scipy.optimize import brentq

    mean = float(kinds[:, 0] @ counts / (kinds[:, 1] @ counts))
    if abs(mean - worst) < _PRECISION:
        return worst
    end: float = brentq(
        lambda value: _beyond(kinds, counts, value, worst, side) - tail, *sorted((worst, mean)), xtol=_PRECISION
    )
    return end
