"""The bootstrap over groups, for figures that are neither shares nor means of bounded numbers.

Such figures (BLEU, a rank correlation, Cohen's d) decide no verdict. Shares and differences of shares have the interval
of `worst_group`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
Floats = NDArray[np.float64]

LEVEL = 0.95
SEED = 12345
RESAMPLES = 1000
_CELLS = 2_000_000
"""How many drawn counts are in memory at a time."""


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
