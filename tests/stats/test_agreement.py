"""Cohen's kappa, by hand and against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import cohens_kappa

from referee.stats.agreement import cohen_kappa

TABLES: dict[str, tuple[list[list[int]], float | None]] = {
    "perfect agreement": ([[1, 0], [0, 1]], 1.0),
    "perfect disagreement": ([[0, 1], [1, 0]], -1.0),
    "chance": ([[1, 1], [1, 1]], 0.0),
    "one value only": ([[2, 0], [0, 0]], None),
    "Cohen's example": ([[20, 5], [10, 15]], 0.4),
}


def choices(table: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first choices choose the row, the second ones the column."""
    pairs = [(row, column) for row, counts in enumerate(table) for column, n in enumerate(counts) for _ in range(n)]
    first, second = np.array(pairs).T
    return first, second


@pytest.mark.parametrize("name", TABLES)
def test_kappa_by_hand(name: str) -> None:
    table, kappa = TABLES[name]
    assert cohen_kappa(*choices(table)) == (None if kappa is None else pytest.approx(kappa))


@pytest.mark.parametrize("seed", range(5))
def test_kappa_is_that_of_statsmodels(seed: int) -> None:
    table = np.random.default_rng(seed).integers(0, 30, (4, 4)).tolist()
    assert cohen_kappa(*choices(table)) == pytest.approx(cohens_kappa(np.array(table), return_results=False))


def test_a_value_that_only_one_rater_uses() -> None:
    assert cohen_kappa(np.array([0, 1]), np.array([0, 5])) == pytest.approx((0.5 - 0.25) / 0.75)
