from __future__ import annotations

from math import asin, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from referee.stats.groups import GroupIndex, group_sums, index_groups
from referee.stats.intervals import Floats
from referee.stats.paired import (
    MacroDifference,
    PairedDifference,
    detectable,
    macro_difference,
    mcnemar,
    paired,
)
from referee.stats.worst_group import DIFFERENCE, mean_interval, mean_p

contingency_tables: Any = pytest.importorskip("statsmodels.stats.contingency_tables")


def outcomes(both: int, only_base: int, only_other: int, neither: int) -> tuple[list[bool], list[bool]]:
    base = [True] * both + [True] * only_base + [False] * only_other + [False] * neither
    other = [True] * both + [False] * only_base + [True] * only_other + [False] * neither
    return base, other


def alone(both: int, only_base: int, only_other: int, neither: int) -> PairedDifference:
    """Every item is a group of its own."""
    base, other = outcomes(both, only_base, only_other, neither)
    return paired(base, other, np.arange(len(base)))


def mean_of_suites(*suites: tuple[list[bool], list[bool], range]) -> MacroDifference:
    """Of each suite, what each system has correct, and the groups of the items."""
    base = [hit for suite in suites for hit in suite[0]]
    other = [hit for suite in suites for hit in suite[1]]
    groups = [group for suite in suites for group in suite[2]]
    index = np.repeat(np.arange(len(suites)), [len(suite[0]) for suite in suites])
    return macro_difference(base, other, index, index_groups(groups))


# --- by hand


def test_worked_example() -> None:
    """Of 20 items 10 changed: 2 to wrong, 8 to right."""
    found = alone(5, 2, 8, 5)
    assert (found.items, found.groups) == (20, 20)
    assert (found.both_right, found.only_base, found.only_other, found.both_wrong) == (5, 2, 8, 5)
    assert (found.base, found.other) == (7 / 20, 13 / 20)
    assert found.difference == 6 / 20
    assert found.p == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert found.mcnemar == 2 * (1 + 10 + 45) / 1024
    assert found.cohen_g == pytest.approx(0.3)
    assert found.odds_ratio == 4.0
    assert found.cohen_h == pytest.approx(2 * asin(sqrt(0.65)) - 2 * asin(sqrt(0.35)))
    # Half of 20 items changed: only a difference above 60 points would be shown four times in five.
    assert found.detectable is None
    low, high = found.interval
    assert low < 0.0 < 0.3 < high < 0.7


def test_the_other_way_round_everything_has_the_other_sign() -> None:
    one, another = alone(5, 2, 8, 5), alone(5, 8, 2, 5)
    assert (another.difference, another.cohen_h) == pytest.approx((-one.difference, -one.cohen_h))
    assert (another.cohen_g, another.odds_ratio) == pytest.approx((-0.3, 0.25))
    assert (another.p, another.mcnemar) == pytest.approx((one.p, one.mcnemar))


@pytest.mark.parametrize(
    ("only_base", "only_other", "g", "ratio"),
    [(0, 0, None, None), (0, 3, 0.5, None), (3, 0, -0.5, 0.0), (2, 2, 0.0, 1.0)],
)
def test_effects_where_little_changed(only_base: int, only_other: int, g: float | None, ratio: float | None) -> None:
    found = alone(10, only_base, only_other, 10)
    assert (found.cohen_g, found.odds_ratio) == (g, ratio)


def test_twins_that_change_together_count_once() -> None:
    """Six items changed, but only three pairs of twins: nothing is shown, though McNemar's test says so."""
    base, other = outcomes(10, 0, 6, 4)
    groups = np.arange(20) // 2
    found = paired(base, other, groups)
    assert (found.groups, found.p, found.mcnemar) == pytest.approx((10, 2 / 8, 2 / 64))


def test_twins_that_change_in_opposite_ways_leave_the_interval_wide() -> None:
    """Eight pairs without a net change: that is not certainty."""
    base, other = [True, False] * 8, [False, True] * 8
    found = paired(base, other, np.arange(16) // 2)
    assert (found.difference, found.p) == (0.0, 1.0)
    assert found.interval == pytest.approx(mean_interval(np.zeros(8), np.full(8, 2.0), DIFFERENCE))
    assert found.interval[0] < -0.3


# --- McNemar's test


@pytest.mark.parametrize(
    ("broken", "repaired", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 2 / 32), (0, 6, 2 / 64), (8, 2, 2 * (1 + 10 + 45) / 1024), (3, 3, 1.0)],
)
def test_mcnemar_by_hand(broken: int, repaired: int, p: float) -> None:
    assert mcnemar(broken, repaired) == p


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_binomial_test(broken: int, repaired: int) -> None:
    if broken + repaired:
        assert mcnemar(broken, repaired) == pytest.approx(binomtest(broken, broken + repaired).pvalue, rel=1e-9)
    assert mcnemar(broken, repaired) == mcnemar(repaired, broken)


def test_mcnemar_of_a_large_set() -> None:
    assert 0.0 < mcnemar(1300, 900) < 1e-15
    assert mcnemar(6000, 6000) == 1.0


# --- against scipy and statsmodels


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 300), st.integers(0, 300))
def test_alone_it_is_mcnemar(only_base: int, only_other: int) -> None:
    found = alone(3, only_base, only_other, 2)
    assert found.p == pytest.approx(mcnemar(only_base, only_other), abs=1e-5)
    if only_base + only_other:
        assert found.p == pytest.approx(binomtest(only_base, only_base + only_other).pvalue, abs=1e-5)


@pytest.mark.parametrize("table", [(50, 10, 25, 15), (0, 1, 9, 0), (7, 6, 6, 7), (900, 300, 400, 400)])
def test_alone_it_is_mcnemar_of_statsmodels(table: tuple[int, int, int, int]) -> None:
    both, only_base, only_other, neither = table
    peer = contingency_tables.mcnemar([[both, only_base], [only_other, neither]], exact=True)
    found = alone(*table)
    assert found.p == pytest.approx(peer.pvalue, rel=1e-4)
    assert found.mcnemar == pytest.approx(peer.pvalue, rel=1e-9)


# --- how often it is wrong, and how often it finds something


def simulated(rng: np.random.Generator, groups: int, rate: float) -> tuple[Floats, GroupIndex]:
    """Two systems, equally accurate, on twins of which nearly always both are correct or both incorrect."""
    systems = []
    for _ in range(2):
        whole = np.repeat(rng.random(groups) < rate, 2)
        systems.append(np.where(rng.random(2 * groups) < 0.9, whole, rng.random(2 * groups) < rate))
    return systems[1].astype(float) - systems[0], np.arange(2 * groups) // 2


def p_of(differences: Floats, groups: GroupIndex) -> float:
    return mean_p(*group_sums(differences, groups), 0.0, DIFFERENCE)


def test_false_alarms_with_twins() -> None:
    """Of 1,000 comparisons of equals 5% at most are significant; by McNemar's test more than twice as many are."""
    rng = np.random.default_rng(1)
    alarms, of_mcnemar = 0, 0
    for _ in range(1000):
        differences, groups = simulated(rng, 150, 0.7)
        alarms += p_of(differences, groups) < 0.05
        of_mcnemar += mcnemar(int((differences < 0).sum()), int((differences > 0).sum())) < 0.05
    # Three standard errors above 5%.
    assert alarms <= 71
    assert of_mcnemar > 110


def test_false_alarms_where_groups_break_whole_and_single_items_recover() -> None:
    """Sign flips found a difference in 15 to 48% of such sets: with few groups those that break may not be in them."""
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(1000):
        breaks = rng.random((20, 1)) < 0.05
        differences = np.where(breaks, -1.0, (rng.random((20, 6)) < 0.05 / 0.95).astype(float))
        alarms += p_of(differences.ravel(), np.repeat(np.arange(20), 6)) < 0.05
    assert alarms <= 71


@pytest.mark.parametrize(("groups", "size", "changing"), [(200, 1, 0.2), (100, 2, 0.2), (60, 6, 0.2)])
def test_what_it_could_show_it_shows_four_times_in_five(groups: int, size: int, changing: float) -> None:
    rng = np.random.default_rng(3)
    members = np.repeat(np.arange(groups), size)

    def changes(up: float, down: float) -> Floats:
        """Half of the groups change as a whole, in the others every item for itself."""
        draws = rng.random(groups), rng.random(groups * size)
        u = np.where(np.repeat(rng.random(groups) < 0.5, size), np.repeat(draws[0], size), draws[1])
        return np.where(u < up, 1.0, np.where(u < up + down, -1.0, 0.0))

    pilots = []
    for _ in range(20):
        pilot = changes(changing / 2, changing / 2)
        pilots.append(detectable(*group_sums(pilot, members), int(np.count_nonzero(pilot))))
    least = float(np.mean([pilot for pilot in pilots if pilot is not None]))
    changed = max(changing, least)
    up, down = (changed + least) / 2, (changed - least) / 2
    shown = [p_of(changes(up, down), members) < 0.05 for _ in range(300)]
    assert np.mean(shown) >= 0.75


def test_a_planted_difference_is_found() -> None:
    rng = np.random.default_rng(4)
    base = rng.random(500) < 0.6
    other = np.where(rng.random(500) < 0.3, rng.random(500) < 0.9, base)
    found = paired(base.tolist(), other.tolist(), np.arange(500))
    assert found.p < 0.001
    assert found.interval[0] > 0
    assert found.detectable is not None
    assert found.difference > found.detectable


# --- the smallest difference that could be shown


@pytest.mark.parametrize(("groups", "expected"), [(20, 0.50), (50, 0.23), (200, 0.08)])
def test_the_figures_of_the_notes(groups: int, expected: float) -> None:
    """Pairs in which a tenth of the items changes either way (shared/notes/verdicts.md)."""
    rng = np.random.default_rng(0)
    figures = []
    for _ in range(20):
        changes = rng.choice([-1.0, 0.0, 1.0], (groups, 2), p=[0.1, 0.8, 0.1])
        figure = detectable(changes.sum(axis=1), np.full(groups, 2.0), int(np.count_nonzero(changes)))
        figures.append(0.6 if figure is None else figure)
    assert np.mean(figures) == pytest.approx(expected, abs=0.035)


@pytest.mark.parametrize("groups", [1, 2, 6, 8, 10])
def test_few_groups_give_no_figure(groups: int) -> None:
    assert detectable(np.zeros(groups), np.full(groups, 2.0), 0) is None


def test_where_nothing_changed_it_is_not_zero() -> None:
    found = alone(60, 0, 0, 40)
    assert (found.difference, found.p) == (0.0, 1.0)
    assert found.detectable is not None
    assert found.detectable > 0.05


def test_twins_that_change_together_show_less() -> None:
    base, other = outcomes(60, 20, 20, 60)
    order = np.random.default_rng(0).permutation(160)
    together = paired(base, other, np.arange(160) // 2).detectable
    apart = paired(base, other, order).detectable
    assert together is not None
    assert apart is not None
    assert together > 1.3 * apart


# --- several suites in one figure


def test_the_mean_over_suites_by_hand() -> None:
    """A suite of 10 in which all change to right, one of 30 in which a third changes to wrong."""
    small = (*outcomes(0, 0, 10, 0), range(10))
    large = (*outcomes(20, 10, 0, 0), range(100, 130))
    found = mean_of_suites(small, large)
    assert (found.suites, found.groups) == (2, 40)
    assert (found.base, found.other) == pytest.approx(((0 + 1) / 2, (1 + 2 / 3) / 2))
    assert found.difference == pytest.approx((1 - 1 / 3) / 2)
    low, high = found.interval
    assert low < 1 / 3 < high
    # Wider than the spread that was seen: the small suite might hold a group that changes the other way.
    assert low < 1 / 3 - 1.96 * sqrt(2 / 9 / 30) / 2
    assert (found.p < 0.05) == (low > 0)


def test_the_mean_of_one_suite_twice_is_that_suite() -> None:
    """The same items under two names are not more evidence: their groups are the same."""
    base, other = outcomes(50, 10, 25, 15)
    one = paired(base, other, np.arange(100))
    twice = mean_of_suites((base, other, range(100)), (base, other, range(100)))
    assert twice.groups == 100
    assert twice.difference == pytest.approx(one.difference)
    # Each suite has a worst group of its own, and two bad draws at once are rare.
    assert twice.interval == pytest.approx(one.interval, abs=0.02)
    assert twice.p == pytest.approx(one.p, abs=0.02)
    apart = mean_of_suites((base, other, range(100)), (base, other, range(100, 200)))
    assert apart.interval[1] - apart.interval[0] < 0.8 * (twice.interval[1] - twice.interval[0])
    assert apart.p < twice.p


def test_suites_that_share_some_groups() -> None:
    """Drawn again, each suite keeps its size, whichever groups it shares."""
    rng = np.random.default_rng(5)
    suites = []
    for members in (range(40), range(20, 60), range(200, 300)):
        base = rng.random(len(members)) < 0.5
        other = rng.random(len(members)) < 0.5
        suites.append((base.tolist(), other.tolist(), members))
    found = mean_of_suites(*suites)
    assert found.groups == 160
    assert found.interval[0] < found.difference < found.interval[1]


def test_false_alarms_of_the_mean_over_suites() -> None:
    rng = np.random.default_rng(6)
    alarms = 0
    for _ in range(100):
        suites = []
        for size in (30, 60):
            base, other = (rng.random((2, size)) < 0.5).tolist()
            suites.append((base, other, range(size)))
        alarms += mean_of_suites(*suites).p < 0.05
    assert alarms <= 12


def test_the_order_of_suites_and_groups_does_not_matter() -> None:
    draws = np.random.default_rng(8)
    suites, groups = np.repeat([0, 1], 30), np.concatenate([np.arange(30), np.arange(10, 40)])
    base, other = (draws.random(60) < 0.5).tolist(), (draws.random(60) < 0.7).tolist()
    found = macro_difference(base, other, suites, groups)
    turned = macro_difference(base, other, 1 - suites, 39 - groups)
    assert (found.suites, found.groups) == (turned.suites, turned.groups) == (2, 40)
    assert (turned.base, turned.other) == pytest.approx((found.base, found.other))
    assert turned.difference == pytest.approx(found.difference)
    # The last group is in the first suite only.
    alone = macro_difference(base, other, 1 - suites, groups)
    assert alone.difference == pytest.approx(found.difference)
