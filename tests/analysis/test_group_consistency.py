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


def test_one_right_in_every_pair() -> None:
    found = of_groups([(True, False)] * 40)
    assert (found.accuracy, found.score, found.independent, found.difference) == (0.5, 0.0, 0.25, -0.25)
    assert found.interval == (-0.25, -0.25)
    assert found.against == "below"


def test_errors_that_come_together() -> None:
    found = of_groups([(True, True), (False, False)] * 20)
    assert (found.accuracy, found.score, found.independent) == (0.5, 0.5, 0.25)
    assert found.against == "above"


def test_errors_that_fall_anywhere() -> None:
    rng = np.random.default_rng(1)
    found = of_groups([tuple((rng.random(2) < 0.7).tolist()) for _ in range(500)])
    assert found.interval[0] < 0 < found.interval[1]
    assert found.against == "not_significant"


def test_groups_of_different_size() -> None:
    found = of_groups([(True,), (True, True), (False, True, True)])
    share = 5 / 6
    assert (found.items, found.groups) == (6, 3)
    assert found.score == pytest.approx(2 / 3)
    assert found.independent == pytest.approx((share + share**2 + share**3) / 3)


def test_items_that_stand_alone_are_no_groups() -> None:
    assert group_consistency([True, False], ["a", "b"]) is None


def test_intervals_hold_for_independent_errors() -> None:
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(200):
        low, high = of_groups([tuple((rng.random(2) < 0.8).tolist()) for _ in range(100)]).interval
        inside += low <= 0 <= high
    assert 180 <= inside <= 199


@pytest.mark.parametrize("hit", [True, False])
def test_no_difference_at_all_is_not_significant(hit: bool) -> None:
    result = of_groups([(hit, hit)] * 20)
    assert (result.difference, result.interval, result.against) == (0.0, (0.0, 0.0), "not_significant")
