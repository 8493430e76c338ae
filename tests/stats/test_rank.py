"""Ranked values against scipy and pingouin."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats
from scipy.stats.contingency import association

from referee.stats.intervals import Floats
from referee.stats.rank import cramers_v, mann_whitney, rank_biserial

with warnings.catch_warnings():
    # What it imports is not ours to fix.
    warnings.simplefilter("ignore")
    import pingouin

EXAMPLES = {
    # name: how often each code was chosen, and rejected
    "two genders": ([60, 40], [40, 60]),
    "two genders, uneven": ([70, 30], [30, 70]),
    "hardly any": ([3, 1], [1, 3]),
    "no difference": ([5, 5], [5, 5]),
    "three genders": ([20, 30, 50], [40, 35, 25]),
    "three genders, the middle one": ([10, 80, 10], [45, 10, 45]),
    "three candidates": ([30, 40, 50], [90, 80, 70]),
    "one never chosen": ([0, 40, 60], [30, 40, 30]),
    "four values": ([5, 6, 7, 8], [9, 2, 4, 30]),
}


def coded(counts: Sequence[int]) -> list[int]:
    return [code for code, count in enumerate(counts, 1) for _ in range(count)]


def floats(counts: Sequence[int]) -> Floats:
    return np.array(counts, np.float64)


@pytest.mark.parametrize("name", EXAMPLES)
def test_u_and_p_equal_scipy(name: str) -> None:
    chosen, rejected = EXAMPLES[name]
    theirs = stats.mannwhitneyu(coded(chosen), coded(rejected), method="asymptotic")
    u, p = mann_whitney(floats(chosen), floats(rejected))
    assert u == pytest.approx(theirs.statistic)
    assert p == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("name", EXAMPLES)
def test_everything_equals_pingouin(name: str) -> None:
    """The sign is our own: versions of pingouin differ in which way round it is."""
    chosen, rejected = EXAMPLES[name]
    theirs = pingouin.mwu(coded(chosen), coded(rejected), method="asymptotic").iloc[0]
    value = {column.lower().replace("-", "_"): theirs[column] for column in theirs.index}
    u, p = mann_whitney(floats(chosen), floats(rejected))
    assert u == pytest.approx(value["u_val"])
    assert p == pytest.approx(value["p_val"] if "p_val" in value else value["p"])
    assert abs(rank_biserial(floats(chosen), floats(rejected))) == pytest.approx(abs(value["rbc"]))


@pytest.mark.parametrize("name", EXAMPLES)
def test_rbc_is_the_difference_over_all_pairs(name: str) -> None:
    """Equation 10, pair by pair; above zero where the chosen have the higher code."""
    chosen, rejected = (coded(counts) for counts in EXAMPLES[name])
    signs = [np.sign(one - other) for one in chosen for other in rejected]
    assert rank_biserial(*map(floats, EXAMPLES[name])) == pytest.approx(np.mean(signs))


def test_all_of_one_value_is_no_difference() -> None:
    assert mann_whitney(floats([4, 0]), floats([4, 0]))[1] == 1.0


@pytest.mark.parametrize("name", EXAMPLES)
def test_cramers_v_against_an_even_share_is_that_of_scipy(name: str) -> None:
    chosen, rejected = map(floats, EXAMPLES[name])
    offered = chosen + rejected
    expected = offered * chosen.sum() / offered.sum()
    theirs = association(np.array(EXAMPLES[name]).T, method="cramer")
    assert cramers_v(chosen, offered, expected) == pytest.approx(theirs)


def test_cramers_v_against_what_was_chosen_is_zero() -> None:
    chosen, rejected = map(floats, EXAMPLES["three genders"])
    assert cramers_v(chosen, chosen + rejected, chosen) == 0.0
