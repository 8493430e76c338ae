"""The melded test against Fisher's, against its definition, and where it must say nothing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact

from referee.stats.lean import Errors, lean


def alone(taken: int, offered: int, left: int, right: int, most: int = 1) -> Errors:
    """Every item in a group of its own: `offered` where the value is incorrect, `right` where it is correct."""
    rows = [(1.0, 1.0, 0.0, 0.0)] * taken + [(0.0, 1.0, 0.0, 0.0)] * (offered - taken)
    rows += [(0.0, 0.0, 1.0, 1.0)] * left + [(0.0, 0.0, 0.0, 1.0)] * (right - left)
    columns = np.array(rows).T
    return Errors(columns[0] * most, columns[1], columns[2], columns[3], most=most)


@pytest.mark.parametrize("counts", [(9, 20, 2, 15), (5, 10, 1, 30), (0, 20, 3, 20), (20, 60, 10, 60), (3, 50, 0, 6)])
def test_single_items_are_fishers_exact_test(counts: tuple[int, int, int, int]) -> None:
    taken, offered, left, right = counts
    expected = fisher_exact([[taken, offered - taken], [left, right - left]], alternative="greater").pvalue
    result = lean(alone(*counts), offered + right, 2)
    # 10,000 draws: within three standard errors of the tail, which counts twice.
    assert result.p == pytest.approx(min(1.0, 2 * expected), abs=6 * (expected * (1 - expected) / 10_000) ** 0.5 + 1e-3)


@pytest.mark.parametrize("values", [2, 3, 5])
@pytest.mark.parametrize("taken", range(0, 15, 2))
def test_a_star_and_its_interval_agree(taken: int, values: int) -> None:
    result = lean(alone(taken, 20, 2, 20), 40, values)
    assert (result.p < 0.05) == (result.interval[0] > 0)
    assert result.interval[0] <= result.difference <= result.interval[1]


def test_two_candidates_give_chosen_less_expected() -> None:
    """30 items, the value correct in 10: taken 8 of 20, left 1 of 10, so chosen in 17; accuracy is 21/30."""
    result = lean(alone(8, 20, 1, 10), 30, 2)
    expected = 0.7 * 10 + 0.3 * 20
    assert result.difference == pytest.approx((17 - expected) / 30)
    assert (result.taken, result.left) == (0.4, 0.1)


def test_an_error_among_two_incorrect_candidates_counts_twice() -> None:
    result = lean(alone(5, 20, 5, 10, most=2), 30, 3)
    assert result.taken == 0.5
    assert result.difference == pytest.approx(0.0)
    assert result.interval[0] < 0 < result.interval[1]


def test_37_pairs_without_an_error_rule_out_five_points() -> None:
    """The fewest pairs that shared/notes/verdicts.md gives; drawn, so a little less may do."""
    none = np.zeros(37)
    ones = np.ones(37)
    assert lean(Errors(none, ones, none, ones), 74, 2).is_excluded
    few = Errors(none[:30], ones[:30], none[:30], ones[:30])
    result = lean(few, 60, 2)
    assert not result.is_excluded
    assert not result.is_found
    assert result.more_groups is not None


def test_under_ten_groups_nothing_is_claimed() -> None:
    ones, none = np.ones(9), np.zeros(9)
    result = lean(Errors(ones, ones, none, ones), 18, 2)
    assert result.p < 0.05
    assert not result.is_found
    assert result.more_groups == 1
    ones, none = np.ones(10), np.zeros(10)
    assert lean(Errors(ones, ones, none, ones), 20, 2).is_found


@pytest.mark.parametrize(("taken", "offered", "left", "right"), [(3, 10, 0, 0), (0, 0, 4, 10)])
def test_a_value_that_is_always_or_never_correct_has_no_answer(taken: int, offered: int, left: int, right: int) -> None:
    result = lean(alone(taken, offered, left, right), 10, 2)
    assert None in (result.taken, result.left)
    assert (result.p, result.interval, result.more_groups) == (1.0, (-1.0, 1.0), None)
    assert not result.is_found
    assert not result.is_excluded


def test_groups_that_hold_both_share_their_weight() -> None:
    """Twins of which one is always correct: the rates of a group move together, so little is needed."""
    half = np.array([1.0, 0.0] * 20)
    together = lean(Errors(half, np.ones(40), half, np.ones(40)), 80, 2)
    apart = lean(Errors(half, np.ones(40), 1 - half, np.ones(40)), 80, 2)
    assert together.interval[1] - together.interval[0] < 0.6 * (apart.interval[1] - apart.interval[0])
    assert together.difference == apart.difference == 0
