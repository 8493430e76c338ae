"""Two samples of ranked values, as counts per value: how far one lies above the other.

Counts have their values on the last axis, in rank order; leading axes are drawn samples.
"""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np

from referee.stats.intervals import Floats


def rank_biserial(sample: Floats, other: Floats) -> Floats:
    """Compute how much more often, over all pairs, the first sample has the higher value than the lower one."""
    below = np.cumsum(other, axis=-1) - other
    above = other.sum(axis=-1, keepdims=True) - below - other
    surplus: Floats = (sample * (below - above)).sum(axis=-1)
    pairs: Floats = sample.sum(axis=-1) * other.sum(axis=-1)
    return surplus / pairs


def mann_whitney(sample: Floats, other: Floats) -> tuple[float, float]:
    """Compute U of the first sample and its two-sided p: normal approximation, corrected for ties and continuity."""
    size, other_size = float(sample.sum()), float(other.sum())
    total, ties = size + other_size, sample + other
    u = size * other_size * (1 + float(rank_biserial(sample, other))) / 2
    variance = size * other_size / 12 * (total + 1 - float((ties**3 - ties).sum()) / (total * (total - 1)))
    if variance <= 0:
        return u, 1.0
    z = (abs(u - size * other_size / 2) - 0.5) / sqrt(variance)
    return u, min(1.0, erfc(z / sqrt(2)))


def cramers_v(chosen: Floats, offered: Floats, expected: Floats) -> float:
    """Compute Cramer's V of value by chosen or not, with `chosen` measured against `expected`.

    Where that is the same share of every value, it is the plain V.
    """
    share = float(chosen.sum() / offered.sum())
    squares = float(((chosen - expected) ** 2 / offered).sum())
    return sqrt(squares / (share * (1 - share) * float(offered.sum())))
