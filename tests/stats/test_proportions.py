from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from referee.stats.proportions import difference_interval, proportion


def test_a_proportion_of_single_items_is_exact() -> None:
    result = proportion([True] * 7 + [False] * 3, np.arange(10))
    expected = binomtest(7, 10).proportion_ci(method="exact")
    assert (result.count, result.share, result.groups) == (7, 0.7, 10)
    assert result.interval == pytest.approx((expected.low, expected.high))


def test_groups_that_agree_count_once() -> None:
    """Ten items of five groups that are correct or incorrect as one say as much as five items."""
    together = proportion([True] * 6 + [False] * 4, np.arange(10) // 2)
    assert together.interval == pytest.approx(proportion([True] * 3 + [False] * 2, np.arange(5)).interval)
    assert together.groups == 5


def test_numbers_of_groups_need_not_be_dense() -> None:
    hits = [True, False, True]
    assert proportion(hits, np.array([7, 3, 7])) == proportion(hits, np.array([0, 1, 0]))


def test_differences_are_between_minus_one_and_one() -> None:
    low, high = difference_interval([1.0, -1.0, 0.0, 0.0], np.arange(4))
    assert -1 < low < 0 < high < 1
    assert low == pytest.approx(-high)
    assert difference_interval([-1.0] * 8, np.arange(8))[1] < 0
