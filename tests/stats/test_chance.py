"""The exact test against chance, next to figures worked out by hand."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.analysis.accuracy import findings
from referee.items import Candidate, Item
from referee.scoring.decision import contrastive
from referee.stats.chance import chance_test, group_chances
from referee.verdicts import Verdict
from tests.support.items import item


@pytest.mark.parametrize(
    ("hits", "total", "chance", "p"),
    [
        (0, 3, 0.5, 1.0),
        (3, 3, 0.5, 1 / 8),
        (2, 3, 0.5, 4 / 8),
        (2, 2, 0.25, 1 / 16),
        (1, 2, 0.25, 7 / 16),
        (8, 10, 0.5, 56 / 1024),
        (9, 10, 0.5, 11 / 1024),
    ],
)
def test_the_binomial_test(hits: int, total: int, chance: float, p: float) -> None:
    found = chance_test(hits, [chance] * total)
    assert found.p == pytest.approx(p, rel=1e-12)
    assert found.chance == pytest.approx(chance)


@given(st.integers(1, 60), st.data())
def test_the_binomial_test_in_whole_numbers(total: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, total))
    exact = sum(comb(total, k) for k in range(hits, total + 1)) / 2**total
    assert chance_test(hits, [0.5] * total).p == pytest.approx(exact, rel=1e-10)


def test_large_sets_and_far_tails_stay_exact() -> None:
    exact = sum(comb(12_000, k) for k in range(6_100, 12_001))
    assert chance_test(6_100, [0.5] * 12_000).p == pytest.approx(exact / 2**12_000, rel=1e-9)
    assert 0 < chance_test(900, [0.5] * 1000).p < 1e-150


def test_cases_with_different_chances() -> None:
    """One of two and one of four: both right 1/8, none 3/8, so at least one 5/8."""
    assert chance_test(2, [0.5, 0.25]).p == pytest.approx(1 / 8)
    assert chance_test(1, [0.25, 0.5]).p == pytest.approx(5 / 8)
    assert chance_test(1, [0.25, 0.5]).chance == pytest.approx(3 / 8)


def test_what_is_certain_is_no_feat() -> None:
    assert chance_test(2, [1.0, 1.0]).p == 1.0
    assert chance_test(3, [1.0, 1.0, 0.5]).p == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("hits", "chances", "p"),
    [(0, [0.0], 1.0), (1, [0.0], 0.0), (1, [0.0, 0.5], 0.5), (2, [0.0, 1.0, 0.5], 0.5), (3, [0.0, 1.0, 0.5], 0.0)],
)
def test_what_is_impossible_never_happens(hits: int, chances: list[float], p: float) -> None:
    assert chance_test(hits, chances).p == pytest.approx(p)


def test_groups_are_guessed_as_a_whole() -> None:
    assert group_chances([0.5, 0.5, 0.5, 0.25], np.array([0, 0, 1, 1])) == [0.25, 0.125]
    assert group_chances([0.5, 0.5, 0.5], np.array([0, 1, 0])) == [0.25, 0.5]
    assert group_chances([0.5, 0.5, 0.5], np.array([7, 3, 7])) == [0.25, 0.5]


def twins(number: int, *right: bool) -> list[tuple[Item, Verdict]]:
    made = []
    for place, correct in enumerate(right):
        two = (Candidate("x"), Candidate("y"))
        own = item(id=f"{number}-{place}", group=str(number), candidates=two, gold=0)
        made.append((own, contrastive(own.id, [1.0, 0.0] if correct else [0.0, 1.0], 0, higher=True)))
    return made


def test_findings_say_whether_chance_is_beaten() -> None:
    judged = [pair for number in range(6) for pair in twins(number, True, True)]
    (found,) = findings("s", judged)
    assert found.chance == 0.5
    assert found.p == pytest.approx(2**-12)
    assert found.group is not None
    assert found.group.chance == 0.25
    assert found.group.p == pytest.approx(4**-6)


def test_one_twin_alone_is_easier_to_guess() -> None:
    (found,) = findings("s", [*twins(0, True, False), *twins(1, True)])
    assert found.group is not None
    assert found.group.chance == pytest.approx((0.25 + 0.5) / 2)
    # One of two groups: 1 - 3/4 * 1/2.
    assert found.group.p == pytest.approx(5 / 8)
