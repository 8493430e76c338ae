"""Agreement of two raters beyond chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cohen_kappa(first: NDArray[np.int64], second: NDArray[np.int64]) -> float | None:
    """Compute Cohen's kappa of two choices per item, as numbers; None where both always choose the same one."""
    total = len(first)
    values = 1 + int(max(first.max(), second.max()))
    # In whole numbers, so that perfect agreement is exactly 1.
    expected = int(np.bincount(first, minlength=values) @ np.bincount(second, minlength=values))
    observed = int(np.count_nonzero(first == second)) * total
    return None if expected == total * total else (observed - expected) / (total * total - expected)
