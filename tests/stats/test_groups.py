"""A group is as good as its worst member."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.stats.groups import group_score, index_groups
from referee.stats.intervals import bootstrap_mean


def test_index_groups() -> None:
    index, count = index_groups(["b", "a", "b", "c", "a"])
    assert (index.tolist(), count) == ([0, 1, 0, 2, 1], 3)


def test_index_of_nothing() -> None:
    index, count = index_groups([])
    assert (index.tolist(), count) == ([], 0)


@pytest.mark.parametrize(
    ("scores", "groups", "score"),
    [
        ([1, 1, 1, 0], "aabb", 0.5),
        ([1, 0, 1, 0], "aabb", 0.0),
        ([1, 1, 1, 1], "aabb", 1.0),
        ([1, 0, 0, 1], "abba", 0.5),  # members need not be neighbours
        ([1, 1, 0, 1, 1, 1], "aaabcc", 2 / 3),  # groups count alike, whatever their size
        ([1, 0], "ab", 0.5),
        ([0.25, 0.75, -1.5, 2.0], "aabb", (0.25 - 1.5) / 2),  # any score, not only right and wrong
    ],
)
def test_group_score(scores: list[float], groups: str, score: float) -> None:
    found = group_score(np.array(scores, np.float64), list(groups))
    assert found.groups == len(set(groups))
    assert found.score == pytest.approx(score)


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(0, 5)), min_size=1, max_size=40))
def test_the_plain_way_gives_the_same(pairs: list[tuple[float, int]]) -> None:
    scores, groups = [score for score, _ in pairs], [group for _, group in pairs]
    worst = [min(score for score, own in pairs if own == group) for group in dict.fromkeys(groups)]
    found = group_score(np.array(scores), groups)
    assert found.groups == len(worst)
    assert found.score == pytest.approx(fmean(worst))
    assert found.bootstrap == bootstrap_mean(np.array(worst), np.ones(len(worst)))


def test_a_group_score_is_never_above_the_mean_of_even_groups() -> None:
    scores = np.random.default_rng(2).random(40)
    assert group_score(scores, [place // 2 for place in range(40)]).score < scores.mean()
