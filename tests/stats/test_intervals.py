"""The bootstrap over groups against a plain one."""

from __future__ import annotations

import numpy as np
import pytest

from referee.stats import intervals
from referee.stats.intervals import Floats, Interval, percentiles, resampled


def plainly(rows: Floats, resamples: int) -> Interval:
    """The bootstrap over groups as a textbook has it: draw as many groups as there are, again and again."""
    draws = np.random.default_rng(1)
    means = []
    for _ in range(resamples):
        drawn = rows[draws.integers(0, len(rows), len(rows))].sum(axis=0)
        means.append(drawn[0] / drawn[1])
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def ratio(drawn: Floats) -> Interval:
    return percentiles(drawn[:, 0] / drawn[:, 1])


def groups_of(seed: int, count: int, most: int) -> Floats:
    draws = np.random.default_rng(seed)
    sizes = draws.integers(1, most + 1, count)
    return np.stack([draws.binomial(sizes, draws.beta(2, 1, count)), sizes], axis=1).astype(np.float64)


@pytest.mark.parametrize(("count", "most"), [(200, 1), (200, 2), (60, 5), (500, 3)])
def test_the_bootstrap_is_the_plain_one(count: int, most: int) -> None:
    rows = groups_of(count, count, most)
    # Both are random: with 4,000 draws each, their ends lie within a fraction of the interval's width.
    found = ratio(resampled(rows, resamples=4000))
    assert found == pytest.approx(plainly(rows, 4000), abs=0.08 * (found[1] - found[0]))


def test_the_bootstrap_takes_any_numbers() -> None:
    rows = np.stack([np.random.default_rng(5).normal(3, 1, 300), np.ones(300)], axis=1)
    assert ratio(resampled(rows, resamples=4000)) == pytest.approx(plainly(rows, 4000), abs=0.01)


def test_the_seed_decides() -> None:
    rows = groups_of(1, 50, 2)
    first = resampled(rows)
    assert np.array_equal(resampled(rows), first)
    assert np.array_equal(resampled(rows, seed=intervals.SEED), first)
    assert not np.array_equal(resampled(rows, seed=1), first)


def test_the_order_of_groups_does_not_matter() -> None:
    rows = groups_of(1, 50, 2)
    assert np.array_equal(resampled(rows[::-1]), resampled(rows))


def test_many_kinds_of_groups_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = groups_of(3, 40, 6)
    whole = resampled(rows)
    monkeypatch.setattr(intervals, "_CELLS", 100)
    parts = resampled(rows)
    assert parts.shape == whole.shape == (intervals.RESAMPLES, 2)
    assert parts.mean(axis=0) == pytest.approx(whole.mean(axis=0), rel=0.02)


def test_percentiles_hold_the_middle() -> None:
    assert percentiles(np.arange(1001.0)) == pytest.approx((25.0, 975.0))
    assert percentiles(np.arange(1001.0), level=0.5) == pytest.approx((250.0, 750.0))
