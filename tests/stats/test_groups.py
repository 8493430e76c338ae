"""A group is as good as its worst member."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.stats.groups import Membership, column_sums, group_minima, group_sums, in_company, index_groups


def test_labels_are_numbered_in_order_of_appearance() -> None:
    assert index_groups(["b", "a", "b", "c", "a"]).tolist() == [0, 1, 0, 2, 1]
    assert index_groups([]).tolist() == []


def test_sums_of_groups() -> None:
    sums, sizes = group_sums([1.0, 2.0, 4.0], np.array([0, 1, 0]))
    assert (sums.tolist(), sizes.tolist()) == ([5.0, 2.0], [2.0, 1.0])


def test_groups_without_an_item_do_not_count() -> None:
    """The items of a breakdown keep the numbers that their groups have in the whole set."""
    sums, sizes = group_sums([True, False, True], np.array([7, 3, 7]))
    assert (sums.tolist(), sizes.tolist()) == ([0.0, 2.0], [1.0, 2.0])
    assert column_sums(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([4, 1, 4])).tolist() == [
        [3.0, 4.0],
        [6.0, 8.0],
    ]
    scores = np.array([1.0, 0.0, 1.0])
    assert group_minima(scores, np.array([7, 3, 7])).tolist() == [0.0, 1.0]


def test_items_that_share_a_group() -> None:
    assert in_company(np.array([7, 3, 7, 0])).tolist() == [True, False, True, False]
    assert in_company(index_groups("abc")).tolist() == [False] * 3


@pytest.mark.parametrize(
    ("scores", "groups", "score"),
    [
        ([1, 1, 1, 0], "aabb", 0.5),
        ([1, 0, 1, 0], "aabb", 0.0),
        ([1, 1, 1, 1], "aabb", 1.0),
        ([1, 0, 0, 1], "abba", 0.5),  # members need not be neighbours
        ([1, 1, 0, 1, 1, 1], "aaabcc", 2 / 3),  # groups count alike, whatever their size
        ([1, 0], "ab", 0.5),
        ([0.25, 0.75, -1.5, 2.0], "aabb", (0.25 - 1.5) / 2),  # any score, not only correct and incorrect
    ],
)
def test_group_score(scores: list[float], groups: str, score: float) -> None:
    worst = group_minima(np.array(scores, np.float64), index_groups(groups))
    assert len(worst) == len(set(groups))
    assert worst.mean() == pytest.approx(score)


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 5)), min_size=1, max_size=40))
def test_the_plain_way_gives_the_same(pairs: list[tuple[float, int]]) -> None:
    scores, groups = [score for score, _ in pairs], [group for _, group in pairs]
    worst = [min(score for score, member_of in pairs if member_of == group) for group in dict.fromkeys(groups)]
    assert group_minima(np.array(scores), index_groups(groups)).tolist() == worst


def test_a_group_score_is_never_above_the_mean_of_even_groups() -> None:
    scores = np.random.default_rng(2).random(40)
    assert group_minima(scores, np.arange(40) // 2).mean() < scores.mean()


def test_members_that_are_lost() -> None:
    members = Membership()
    index = np.array([members.add(group) for group in "aabbc"])
    for group in "bde":
        members.lose(group)
    members.lose("e")
    assert members.incomplete == ["b", "e"], "of d there is but one"
    assert members.whole(index).tolist() == [True, True, False, False, False]
    assert members.torn(index).tolist() == [False, False, True, True, False]
    assert [members.number(group) for group in "abcde"] == [0, 1, 2, 3, 4]
