"""The t interval against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from referee.stats.t_interval import t_interval


@pytest.mark.parametrize("count", [2, 3, 12, 500])
def test_it_is_that_of_scipy(count: int) -> None:
    values = np.random.default_rng(count).normal(-3, 2, count)
    for level in (0.9, 0.95):
        expected = ttest_1samp(values, 0).confidence_interval(level)
        assert t_interval(values, level) == pytest.approx((expected.low, expected.high))
    assert t_interval(values) == t_interval(values, 0.95)


def test_one_value_has_none() -> None:
    assert t_interval(np.array([1.0])) is None
    assert t_interval(np.array([])) is None
