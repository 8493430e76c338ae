"""Confidence intervals: Wilson's for proportions, the bootstrap over groups for everything."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
Floats = NDArray[np.float64]

LEVEL = 0.95
SEED = 12345
RESAMPLES = 1000
_CELLS = 2_000_000
"""How many drawn counts are in memory at a time."""


def wilson(hits: int, total: int, level: float = LEVEL) -> Interval:
    """Compute Wilson's score interval for `hits` of `total` independent items."""
    if total == 0:
        return (0.0, 1.0)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = hits / total
    centre = share + z * z / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return (max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))


def wider(first: Interval, second: Interval) -> Interval:
    """Choose the wider of two intervals: groups that all behave alike make the bootstrap too narrow."""
    return max(first, second, key=lambda bounds: bounds[1] - bounds[0])


def bootstrap_mean(
    sums: Floats,
    sizes: Floats,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Compute the percentile interval of `sum(sums) / sum(sizes)` when whole groups are drawn again.

    Items of one group (twins, perturbations of one original) are not independent, so a group is drawn as one.
    """
    drawn = resampled(np.stack([sums, sizes], axis=1), resamples=resamples, seed=seed)
    return percentiles(drawn[:, 0] / drawn[:, 1], level=level)


def resampled(groups: Floats, *, resamples: int = RESAMPLES, seed: int = SEED) -> Floats:
    """Draw whole groups (rows) again, and sum all columns: one row per draw.

    Groups with the same row are exchangeable: only how often each such kind is drawn needs to be sampled.
    """
    kinds, counts = np.unique(groups, axis=0, return_counts=True)
    total = int(counts.sum())
    draws = np.random.default_rng(seed)
    sums = []
    step = max(1, _CELLS // len(kinds))
    for start in range(0, resamples, step):
        weights = draws.multinomial(total, counts / total, size=min(step, resamples - start))
        sums.append(np.stack([weights @ column for column in kinds.T], axis=1))
    return np.concatenate(sums)


def percentiles(values: Floats, *, level: float = LEVEL) -> Interval:
    """Compute the interval that holds the central part of the values."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return (float(low), float(high))
