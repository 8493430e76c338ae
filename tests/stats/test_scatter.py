"""Errors scattered at random: closed forms, the fewest groups of the notes, and both directions."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from referee.stats.scatter import scatter


def pairs(errors: list[int]) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
    return np.array(errors, np.float64), np.full(len(errors), 2.0)


@pytest.mark.parametrize(("groups", "size", "errors"), [(40, 2, 20), (30, 3, 25), (12, 6, 10)])
def test_the_mean_of_whole_groups_is_the_closed_form(groups: int, size: int, errors: int) -> None:
    spread = np.zeros(groups)
    for number in range(errors):
        spread[number % groups] += 1
    items = groups * size
    expected = comb(items - size, errors) / comb(items, errors)
    result = scatter(spread, np.full(groups, float(size)))
    assert result.whole == pytest.approx(expected, abs=0.01)
    assert result.interval[0] <= result.whole <= result.interval[1]


def test_one_error_in_every_pair_is_apart() -> None:
    result = scatter(*pairs([1] * 20))
    assert result.p < 0.001
    assert not result.together


def test_errors_in_the_same_pairs_are_together() -> None:
    result = scatter(*pairs([2] * 10 + [0] * 10))
    assert result.p < 0.001
    assert result.together


def test_errors_that_fall_anywhere_are_neither() -> None:
    errors = np.random.default_rng(4).binomial(2, 0.3, 200).astype(np.float64)
    assert scatter(errors, np.full(200, 2.0)).p > 0.05


@pytest.mark.parametrize(
    ("errors", "decisive"),
    [
        ([1] * 5, False),  # five pairs never decide
        ([1] * 6, True),
        ([1] * 2 + [0] * 18, False),  # two errors take 21 pairs
        ([1] * 2 + [0] * 20, True),
        ([0] * 30, False),
        ([2] * 30, False),
    ],
)
def test_where_no_arrangement_could_be_significant(errors: list[int], decisive: bool) -> None:
    result = scatter(*pairs(errors))
    assert result.p == 1.0 or result.p > 0.05
    if 0 < sum(errors) < 2 * len(errors):
        assert (result.more_groups is None) is decisive


def test_what_is_missing_is_said() -> None:
    assert scatter(*pairs([1] * 2 + [0] * 18)).more_groups == 1
    assert scatter(*pairs([0] * 20)).more_groups is None


def test_the_same_data_give_the_same() -> None:
    assert scatter(*pairs([1, 2, 0, 1] * 5)) == scatter(*pairs([1, 2, 0, 1] * 5))
