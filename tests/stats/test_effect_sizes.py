"""Effect sizes: Equation 11, and Cohen's d against scipy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from referee.stats.effect_sizes import cohen_d, cohen_d_paired, size_of_d, size_of_r, threshold


@pytest.mark.parametrize(("d", "r"), [(0.2, 0.0995), (0.5, 0.2425), (0.8, 0.3714)])
def test_equation_11(d: float, r: float) -> None:
    assert round(threshold(d, 0.5), 4) == r


def test_an_uneven_split_lowers_the_threshold() -> None:
    assert threshold(0.5, 1 / 3) == pytest.approx(0.5 / np.sqrt(0.25 + 4.5))
    assert threshold(0.5, 0.1) == pytest.approx(threshold(0.5, 0.9))
    assert threshold(0.5, 0.1) < threshold(0.5, 0.5)


def test_equation_11_is_the_correlation_of_two_classes_that_lie_d_apart() -> None:
    rng = np.random.default_rng(0)
    count, share, d = 400_000, 0.3, 0.8
    member = np.arange(count) < share * count
    values = rng.normal(0, 1, count) + d * member
    assert threshold(d, share) == pytest.approx(np.corrcoef(member, values)[0, 1], abs=0.005)


@pytest.mark.parametrize(
    ("r", "size"), [(0.0, "negligible"), (0.09, "negligible"), (-0.1, "small"), (0.3, "medium"), (-0.38, "large")]
)
def test_sizes_of_correlations(r: float, size: str) -> None:
    assert size_of_r(r) == size


@pytest.mark.parametrize(
    ("d", "size"), [(0.1, "negligible"), (0.2, "small"), (-0.5, "medium"), (0.79, "medium"), (3, "large")]
)
def test_sizes_of_d(d: float, size: str) -> None:
    assert size_of_d(d) == size


def test_cohen_d_by_hand() -> None:
    # Variances 1 and 2.5 of three and five values: pooled (2 * 1 + 4 * 2.5) / 6 = 2.
    assert cohen_d([1, 2, 3], [3, 4, 5, 6, 7]) == pytest.approx((2 - 5) / np.sqrt(2))


def test_cohen_d_goes_with_the_t_test() -> None:
    one, other = np.random.default_rng(1).normal(0, 1, 30), np.random.default_rng(2).normal(0.5, 2, 20)
    t = stats.ttest_ind(one, other).statistic
    assert cohen_d(one, other) == pytest.approx(t * np.sqrt(1 / 30 + 1 / 20))


def test_paired_cohen_d_goes_with_the_paired_t_test() -> None:
    one, noise = np.random.default_rng(1).normal(0, 1, (2, 30))
    other = one + 0.2 * noise + 0.1
    t = stats.ttest_rel(one, other).statistic
    assert cohen_d_paired(one, other) == pytest.approx(t / np.sqrt(30))


@pytest.mark.parametrize(("a", "b"), [([], [1.0, 2.0]), ([1.0], [2.0]), ([0.1] * 10, [0.3] * 10)])
def test_nothing_varies(a: list[float], b: list[float]) -> None:
    assert cohen_d(a, b) is None


@pytest.mark.parametrize(("a", "b"), [([], []), ([1.0], [2.0]), ([1.0, 2.0, 3.0], [0.9, 1.9, 2.9])])
def test_differences_do_not_vary(a: list[float], b: list[float]) -> None:
    assert cohen_d_paired(a, b) is None
