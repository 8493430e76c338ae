"""Runs side by side: which are paired, and what has nothing in common."""

from __future__ import annotations

import pytest

import referee
from referee.errors import InputError, UsageError
from tests.support.items import item

ITEMS = [item(id=f"i{number}", gold=number % 3, label="ab"[number % 2]) for number in range(12)]
OTHERS = [item(id=f"o{number}", gold=0, source=f"It was number {number}.") for number in range(4)]


def scored(items: list[referee.Item], right: int) -> referee.Run:
    """A run that gets the first `right` items right and the others wrong."""
    wins = [each.gold if number < right else (each.gold or 0) + 1 for number, each in enumerate(items)]
    return referee.score(items, scores=[float(place == (win or 0) % 3) for win in wins for place in range(3)])


def test_all_are_compared_with_the_first() -> None:
    runs = [scored(ITEMS, right) for right in (6, 12, 3)]
    comparison = referee.compare(*runs)
    assert list(comparison.runs) == runs
    assert [(pair.base, pair.other) for pair in comparison.pairs] == [(0, 1), (0, 2)]
    differences = [pair.comparisons[0].items.difference for pair in comparison.pairs if pair.comparisons[0].items]
    assert differences == [0.5, -0.25]
    assert list(comparison.unrelated) == []


def test_or_each_with_each() -> None:
    comparison = referee.compare(*[scored(ITEMS, right) for right in (6, 12, 3)], all_pairs=True)
    assert [(pair.base, pair.other) for pair in comparison.pairs] == [(0, 1), (0, 2), (1, 2)]


def test_runs_on_other_items_are_named() -> None:
    base, other, foreign = scored(ITEMS, 6), scored(ITEMS, 9), scored(OTHERS, 2)
    comparison = referee.compare(base, other, foreign)
    assert [(pair.base, pair.other) for pair in comparison.pairs] == [(0, 1)]
    assert [(pair.base, pair.other) for pair in comparison.unrelated] == [(0, 2)]


def test_nothing_to_compare() -> None:
    base, foreign = scored(ITEMS, 6), scored(OTHERS, 2)
    with pytest.raises(UsageError, match="expected two or more runs"):
        referee.compare(base)
    with pytest.raises(InputError) as error:
        referee.compare(base, foreign)
    assert f"{base.folder} (items) and {foreign.folder} (items) share no evaluated items" in str(error.value)
    written = referee.score(ITEMS, translations=["Er war hungrig."] * len(ITEMS))
    with pytest.raises(InputError, match=r"items \(generation\)"):
        referee.compare(base, written)


def test_equal_runs_are_related() -> None:
    comparison = referee.compare(scored(ITEMS, 6), scored(ITEMS, 6))
    assert [(pair.base, pair.other) for pair in comparison.pairs] == [(0, 1)]
    assert list(comparison.unrelated) == []
