"""Against the named tests that the worst group becomes in special cases, and against its definition by draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from referee.stats import worst_group
from referee.stats.intervals import Floats
from referee.stats.paired import mcnemar
from referee.stats.worst_group import DIFFERENCE, SHARE, clopper_pearson, excess_p, mean_interval, mean_p


def singles(hits: int, total: int, size: int = 1) -> tuple[Floats, Floats]:
    return np.array([float(size)] * hits + [0.0] * (total - hits)), np.full(total, float(size))


@pytest.mark.parametrize("size", [1, 2, 6])
@pytest.mark.parametrize(("hits", "total"), [(0, 5), (6, 6), (7, 10), (100, 180), (1, 1), (500, 1000)])
def test_items_alone_and_groups_as_one_are_clopper_and_pearson(hits: int, total: int, size: int) -> None:
    expected = binomtest(hits, total).proportion_ci(method="exact")
    assert mean_interval(*singles(hits, total, size)) == pytest.approx((expected.low, expected.high), abs=1e-5)
    assert clopper_pearson(hits, total) == pytest.approx((expected.low, expected.high), abs=1e-5)


@pytest.mark.parametrize(("hits", "total"), [(0, 5), (6, 6), (7, 10), (100, 180), (3, 40)])
@pytest.mark.parametrize("level", [0.5, 1 / 3, 0.9])
def test_the_p_value_of_single_items_is_twice_the_exact_tail(hits: int, total: int, level: float) -> None:
    tails = [binomtest(hits, total, level, alternative=side).pvalue for side in ("less", "greater")]
    assert mean_p(*singles(hits, total), level) == pytest.approx(min(1.0, 2 * min(tails)), abs=1e-5)
    assert excess_p(*singles(hits, total), level) == pytest.approx(tails[1], abs=1e-5)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 100), st.sampled_from([1.0, 2.0, 6.0]))
def test_differences_of_groups_as_one_are_mcnemar(lost: int, won: int, same: int, size: float) -> None:
    sums = size * np.array([-1.0] * lost + [1.0] * won + [0.0] * (same + 1))
    p = mean_p(sums, np.full(len(sums), size), 0.0, DIFFERENCE)
    assert p == pytest.approx(mcnemar(lost, won), abs=1e-5)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=20), st.integers(0, 30))
def test_all_changes_one_way_have_a_closed_form(changes: list[int], same: int) -> None:
    sums, sizes = np.array([*changes, *([0] * same)], float), np.full(len(changes) + same, 6.0)
    expected = min(1.0, 2 * float(np.prod([6 / (6 + change) for change in changes])))
    assert mean_p(sums, sizes, 0.0, DIFFERENCE) == pytest.approx(expected, abs=1e-5)
    assert mean_p(-sums, sizes, 0.0, DIFFERENCE) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("bounds", [SHARE, DIFFERENCE])
@pytest.mark.parametrize("seed", range(4))
def test_the_definition_by_draws_gives_the_same(seed: int, bounds: tuple[float, float]) -> None:
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, 7, 25).astype(float)
    sums = generator.binomial(sizes.astype(int), 0.7).astype(float)
    if bounds[0] < 0:
        sums -= generator.binomial(sizes.astype(int), 0.1)
    weights = generator.standard_exponential((200_000, 26))
    total = weights[:, 1:] @ sizes + weights[:, 0] * sizes.max()
    low, high = ((weights[:, 1:] @ sums + worst * weights[:, 0] * sizes.max()) / total for worst in bounds)
    expected = (float(np.quantile(low, 0.025)), float(np.quantile(high, 0.975)))
    assert mean_interval(sums, sizes, bounds) == pytest.approx(expected, abs=0.003)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(1, 5), st.integers(0, 5)), min_size=1, max_size=25),
    st.sampled_from([0.25, 0.5, 0.8]),
)
def test_a_star_and_its_interval_agree(groups: list[tuple[int, int]], level: float) -> None:
    sizes = np.array([size for size, _ in groups], float)
    sums = np.array([min(size, hits) for size, hits in groups], float)
    low, high = mean_interval(sums, sizes)
    assert 0 <= low <= sums.sum() / sizes.sum() <= high <= 1
    assert (mean_p(sums, sizes, level) < 0.05) == (not low <= level <= high)
    assert (excess_p(sums, sizes, level) < 0.025) == (low > level)


def test_a_wider_tail_is_a_narrower_interval() -> None:
    sums, sizes = np.array([1.0, 2.0, 0.0, 2.0] * 5), np.full(20, 2.0)
    assert mean_interval(sums, sizes, tail=0.05)[0] > mean_interval(sums, sizes)[0]
    assert mean_interval(sums, sizes, tail=0.05 / 3)[1] > mean_interval(sums, sizes)[1]


@pytest.mark.parametrize(("groups", "above"), [(5, False), (6, True)])
def test_six_groups_that_agree_are_more_than_a_coin(groups: int, above: bool) -> None:
    assert (mean_interval(*singles(groups, groups, 2))[0] > 0.5) is above


@pytest.mark.parametrize(("groups", "inside"), [(71, False), (72, True)])
def test_72_groups_without_a_change_rule_out_five_points(groups: int, inside: bool) -> None:
    """The fewest groups that shared/notes/verdicts.md gives."""
    low, high = mean_interval(np.zeros(groups), np.ones(groups), DIFFERENCE)
    assert (low > -0.05 and high < 0.05) is inside


def test_one_group_says_almost_nothing() -> None:
    assert mean_interval(np.array([5.0]), np.array([5.0])) == pytest.approx((0.025, 1.0))
    low, high = mean_interval(np.array([4.0]), np.array([5.0]))
    assert low < 0.03
    assert high > 0.97


def test_a_large_group_widens_the_interval() -> None:
    sums, sizes = np.array([900.0, 1, 0, 1, 0, 1]), np.array([1000.0, 1, 1, 1, 1, 1])
    low, high = mean_interval(sums, sizes)
    assert high - low > 0.9


def test_thousands_of_different_sums_are_put_on_a_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(4).uniform(0, 100, 1200)
    on_grid = mean_interval(values, np.ones(1200), (0.0, 100.0))
    monkeypatch.setattr(worst_group, "_MOST_KINDS", 2000)
    assert on_grid == pytest.approx(mean_interval(values, np.ones(1200), (0.0, 100.0)), abs=0.02)


def test_any_bounded_numbers() -> None:
    """Sentence scores from 0 to 100: close to the normal interval with many groups, and never outside the range."""
    values = np.random.default_rng(3).normal(50, 10, 1000).clip(0, 100)
    low, high = mean_interval(values, np.ones(1000), (0.0, 100.0))
    half = 1.96 * values.std() / 1000**0.5
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.3)
    assert mean_interval(np.array([100.0, 100.0]), np.ones(2), (0.0, 100.0))[1] == 100.0
