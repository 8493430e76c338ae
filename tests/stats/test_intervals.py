"""Intervals against other implementations, and against what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from referee.stats import intervals
from referee.stats.intervals import Floats, Interval, bootstrap_mean, wilson


@pytest.mark.parametrize("total", [1, 2, 3, 10, 97, 1000, 123_457])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilson_is_that_of_scipy(total: int, level: float) -> None:
    for hits in {0, 1, total // 3, total // 2, total - 1, total}:
        wanted = binomtest(hits, total).proportion_ci(level, method="wilson")
        assert wilson(hits, total, level) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


@given(st.integers(1, 10**6), st.data())
def test_wilson_holds_the_share_and_stays_in_range(total: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, total))
    low, high = wilson(hits, total)
    assert 0 <= low < high <= 1
    assert low - 1e-12 <= hits / total <= high + 1e-12
    mirrored = wilson(total - hits, total)
    assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-9)


def test_nothing_judged_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_level_is_95_per_cent_unless_told() -> None:
    assert wilson(30, 100) == wilson(30, 100, 0.95) != wilson(30, 100, 0.9)


def plainly(sums: Floats, sizes: Floats, resamples: int) -> Interval:
    """The bootstrap over groups as a textbook has it: draw as many groups as there are, again and again."""
    draws = np.random.default_rng(1)
    means = []
    for _ in range(resamples):
        drawn = draws.integers(0, len(sums), len(sums))
        means.append(sums[drawn].sum() / sizes[drawn].sum())
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def groups_of(seed: int, count: int, most: int) -> tuple[Floats, Floats]:
    draws = np.random.default_rng(seed)
    sizes = draws.integers(1, most + 1, count).astype(np.float64)
    return draws.binomial(sizes.astype(np.int64), draws.beta(2, 1, count)).astype(np.float64), sizes


@pytest.mark.parametrize(("count", "most"), [(200, 1), (200, 2), (60, 5), (500, 3)])
def test_the_bootstrap_is_the_plain_one(count: int, most: int) -> None:
    sums, sizes = groups_of(count, count, most)
    # Both are random: with 4,000 draws each, their ends lie within a fraction of the interval's width.
    found = bootstrap_mean(sums, sizes, resamples=4000)
    assert found == pytest.approx(plainly(sums, sizes, 4000), abs=0.08 * (found[1] - found[0]))


def test_the_bootstrap_takes_any_numbers() -> None:
    sums = np.random.default_rng(5).normal(3, 1, 300)
    sizes = np.ones(300)
    found = bootstrap_mean(sums, sizes, resamples=4000)
    assert found == pytest.approx(plainly(sums, sizes, 4000), abs=0.01)


def test_the_seed_decides() -> None:
    sums, sizes = groups_of(1, 50, 2)
    first = bootstrap_mean(sums, sizes)
    assert bootstrap_mean(sums, sizes) == first
    assert bootstrap_mean(sums, sizes, seed=intervals.SEED) == first
    assert bootstrap_mean(sums, sizes, seed=1) != first


def test_the_order_of_groups_does_not_matter() -> None:
    sums, sizes = groups_of(1, 50, 2)
    assert bootstrap_mean(sums[::-1].copy(), sizes[::-1].copy()) == bootstrap_mean(sums, sizes)


def test_memory_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    sums, sizes = groups_of(1, 50, 3)
    whole = bootstrap_mean(sums, sizes)
    monkeypatch.setattr(intervals, "_CELLS", 60)
    assert bootstrap_mean(sums, sizes) == whole


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_covers_the_truth_as_often_as_it_says(level: float) -> None:
    draws = np.random.default_rng(7)
    trials, groups = 400, 120
    covered = 0
    for _ in range(trials):
        # Twins that hang together: half of them share their fate, so items are not independent.
        shared = draws.random(groups) < 0.5
        first = draws.random(groups) < 0.7
        second = np.where(shared, first, draws.random(groups) < 0.7)
        low, high = bootstrap_mean(
            (first + second.astype(np.int64)).astype(np.float64), np.full(groups, 2.0), level=level
        )
        covered += low <= 0.7 <= high
    # Four standard errors of the share of 400 trials, and a little for a percentile interval of 120 groups.
    assert covered / trials == pytest.approx(level, abs=4 * (level * (1 - level) / trials) ** 0.5 + 0.01)


def test_a_group_is_drawn_as_one() -> None:
    draws = np.random.default_rng(3)
    fate = (draws.random(200) < 0.6).astype(np.float64)
    together = bootstrap_mean(4 * fate, np.full(200, 4.0), resamples=4000)
    apart = bootstrap_mean(np.repeat(fate, 4), np.ones(800), resamples=4000)
    # Four copies of one answer are no more evidence than one: the interval is twice that of independent items.
    assert (together[1] - together[0]) / (apart[1] - apart[0]) == pytest.approx(2, abs=0.2)


@pytest.mark.parametrize(
    ("sums", "sizes", "interval"),
    [
        ([1.0], [1.0], (1.0, 1.0)),
        ([1.0], [2.0], (0.5, 0.5)),
        ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], (1.0, 1.0)),
        ([0.0, 0.0], [3.0, 1.0], (0.0, 0.0)),
        ([1.0, 2.0], [2.0, 4.0], (0.5, 0.5)),
        ([1.0, 0.0], [1.0, 1.0], (0.0, 1.0)),
    ],
)
def test_where_there_is_little_to_draw(sums: list[float], sizes: list[float], interval: Interval) -> None:
    assert bootstrap_mean(np.array(sums), np.array(sizes)) == interval
