"""Effect sizes: Cohen's d, and what its benchmarks (0.2, 0.5, 0.8) are for a correlation.

A correlation with a two-way split depends on how even the split is, d does not; Wino-X's Equation 11 converts one into
the other (McGrath and Meyer 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Size = Literal["negligible", "small", "medium", "large"]
Numbers = Sequence[float] | NDArray[np.float64]

BENCHMARKS: tuple[tuple[float, Size], ...] = ((0.2, "small"), (0.5, "medium"), (0.8, "large"))
"""The smallest d of each size."""


def threshold(d: float, p1: float = 0.5) -> float:
    """Convert `d` to a correlation, where a share `p1` of all cases is in the first of two classes."""
    return d / sqrt(d * d + 1 / (p1 * (1 - p1)))


def size_of_r(r: float, p1: float = 0.5) -> Size:
    """Classify a correlation, whatever its sign."""
    sizes = [size for d, size in BENCHMARKS if abs(r) >= threshold(d, p1)]
    return sizes[-1] if sizes else "negligible"


def size_of_d(d: float) -> Size:
    """Classify a difference in standard deviations, whatever its sign."""
    sizes = [size for least, size in BENCHMARKS if abs(d) >= least]
    return sizes[-1] if sizes else "negligible"


def cohen_d(a: Numbers, b: Numbers) -> float | None:
    """Compute the difference of two means in pooled standard deviations; None where nothing varies."""
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if len(first) == 0 or len(second) == 0 or (free := len(first) + len(second) - 2) < 1:
        return None
    squares = float(((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum())
    return _in_deviations(float(first.mean() - second.mean()), sqrt(squares / free), first, second)


def cohen_d_paired(a: Numbers, b: Numbers) -> float | None:
    """Compute the mean of the differences in their own standard deviations, as in a paired t-test.

    None where the differences do not vary.
    """
    differences = np.asarray(a, np.float64) - np.asarray(b, np.float64)
    if len(differences) < 2:
        return None
    return _in_deviations(float(differences.mean()), float(differences.std(ddof=1)), differences)


def _in_deviations(difference: float, deviation: float, *samples: NDArray[np.float64]) -> float | None:
    # Equal values rarely have a deviation of exactly zero: their mean is rounded.
    largest = max(float(np.abs(sample).max()) for sample in samples)
    return difference / deviation if deviation > 1e-12 * largest else None
