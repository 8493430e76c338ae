"""How large an effect is: Cohen's d, and what its benchmarks (0.2, 0.5, 0.8) mean for a correlation.

A correlation of a two-way split depends on how even the split is, d does not; Wino-X's Equation 11 turns one into the
other (McGrath and Meyer 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Size = Literal["trivial", "small", "medium", "large"]
Numbers = Sequence[float] | NDArray[np.float64]

BENCHMARKS: tuple[tuple[float, Size], ...] = ((0.2, "small"), (0.5, "medium"), (0.8, "large"))
"""From which d on an effect is called so."""


def threshold(d: float, p1: float = 0.5) -> float:
    """The correlation that stands for `d` where `p1` of all cases are in the one of two classes."""
    return d / sqrt(d * d + 1 / (p1 * (1 - p1)))


def size_in_words(r: float, p1: float = 0.5) -> Size:
    """What a correlation is called, whatever its sign."""
    sizes = [name for d, name in BENCHMARKS if abs(r) >= threshold(d, p1)]
    return sizes[-1] if sizes else "trivial"


def d_in_words(d: float) -> Size:
    """What a difference in standard deviations is called, whatever its sign."""
    sizes = [name for least, name in BENCHMARKS if abs(d) >= least]
    return sizes[-1] if sizes else "trivial"


def cohen_d(a: Numbers, b: Numbers) -> float | None:
    """The difference of two means in pooled standard deviations; None where nothing varies."""
    one, other = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if len(one) == 0 or len(other) == 0 or (free := len(one) + len(other) - 2) < 1:
        return None
    squares = float(((one - one.mean()) ** 2).sum() + ((other - other.mean()) ** 2).sum())
    return _in_deviations(float(one.mean() - other.mean()), sqrt(squares / free), one, other)


def cohen_d_paired(a: Numbers, b: Numbers) -> float | None:
    """The mean of the differences in their own standard deviations, which is what a paired t-test looks at.

    None where the differences do not vary.
    """
    differences = np.asarray(a, np.float64) - np.asarray(b, np.float64)
    if len(differences) < 2:
        return None
    return _in_deviations(float(differences.mean()), float(differences.std(ddof=1)), differences)


def _in_deviations(difference: float, deviation: float, *values: NDArray[np.float64]) -> float | None:
    # Equal values rarely have a deviation of exactly zero: their mean is rounded.
    largest = max(float(np.abs(each).max()) for each in values)
    return difference / deviation if deviation > 1e-12 * largest else None
