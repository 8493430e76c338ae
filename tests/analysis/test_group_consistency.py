"""Group scores against what independent errors would leave."""

from __future__ import annotations

import numpy as np
import pytest

from referee.analysis.group_consistency import GroupConsistency, group_consistency


def of_groups(hits: list[tuple[bool, ...]]) -> GroupConsistency:
    correct = [hit for group in hits for hit in group]
    found = group_consistency(correct, [str(number) for number, group in enumerate(hits) for _ in group])
    assert found is not None
    return found


def test_a_group_that_lost_a_member_does_not_count() -> None:
    whole = [True, True, True, False] * 10
    groups = [str(number // 2) for number in range(40)]
    torn = [*whole, True, True, None], [*groups, "torn", "torn", "torn"]
    assert group_consistency(*torn) == group_consistency(whole, groups)
    assert group_consistency([True, True, None], ["torn"] * 3) is None
    assert group_consistency([None, None], ["lost"] * 2) is None


def test_one_correct_in_every_pair() -> None:
    found = of_groups([(True, False)] * 40)
    assert (found.accuracy, found.score) == (0.5, 0.0)
    # 40 errors among 80 items leave a pair alone in C(78, 40) / C(80, 40).
    assert found.independent == pytest.approx(40 * 39 / (80 * 79), abs=0.01)
    assert found.independent_range[0] > 0.05
    assert found.errors == "apart"
    assert found.p < 0.001


def test_errors_that_come_together() -> None:
    found = of_groups([(True, True), (False, False)] * 20)
    assert (found.accuracy, found.score) == (0.5, 0.5)
    assert found.independent_range[1] < 0.5
    assert found.errors == "together"


def test_errors_that_fall_anywhere() -> None:
    rng = np.random.default_rng(1)
    found = of_groups([tuple((rng.random(2) < 0.7).tolist()) for _ in range(500)])
    assert found.independent_range[0] <= found.score <= found.independent_range[1]
    assert found.errors == "not_significant"


def test_items_that_stand_alone_do_not_count() -> None:
    found = of_groups([(True,), (True, True), (False, True, True), (False,)])
    assert (found.items, found.groups) == (5, 2)
    assert (found.accuracy, found.score) == (0.8, 0.5)
    assert group_consistency([True, False], ["a", "b"]) is None


@pytest.mark.parametrize("size", [2, 6])
def test_independent_errors_are_rarely_called_dependent(size: int) -> None:
    """The bootstrap of the group score did so in 40 to 99% of sets. 21 of 200 is the binomial at 99.9%."""
    rng = np.random.default_rng(3)
    alarms = sum(
        of_groups([tuple((rng.random(size) < 0.8).tolist()) for _ in range(20)]).errors in ("apart", "together")
        for _ in range(200)
    )
    assert alarms <= 21


def test_few_groups_say_how_many_are_missing() -> None:
    found = of_groups([(True, False)] * 5)
    assert (found.errors, found.more_groups) == ("inconclusive", 1)


@pytest.mark.parametrize(("hit", "errors"), [(True, "none"), (False, "all")])
def test_without_errors_or_with_nothing_else_there_is_nothing_to_see(hit: bool, errors: str) -> None:
    result = of_groups([(hit, hit)] * 20)
    assert (result.errors, result.more_groups, result.p) == (errors, None, 1.0)
