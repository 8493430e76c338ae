"""Samples are whole groups, the same for the same seed, and as balanced as their numbers allow."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.build.templates import open_templates
from referee.items import Item
from referee.sets.sampling import drawn, keep_some
from tests.support.items import item


def made(template: str, language: str = "de") -> list[Item]:
    return list(open_templates(language).items([template]))


def test_genders_are_even() -> None:
    sample = drawn(made("gender"), 60, "seed")
    assert len(sample) == 60
    assert Counter(each.feature("gender") for each in sample) == {"m": 20, "f": 20, "n": 20}
    # Not the first ones: they come from all over the set.
    numbers = [int(each.id.rpartition("-")[2]) for each in sample]
    assert max(numbers) > len(made("gender")) / 2
    assert len({each.source_context for each in sample}) > 40


def test_groups_stay_whole_and_clauses_even() -> None:
    items = made("verb-overlap")
    sizes = Counter(each.group_id for each in items)
    sample = drawn(items, 12, "seed")
    own = Counter(each.group_id for each in sample)
    assert len(own) == 12
    assert all(count == sizes[group] for group, count in own.items())
    assert len(set(Counter(each.features["clause"] for each in sample).values())) == 1
    # Three pairs of genders, four groups each.
    pairs = {each.group_id: frozenset(each.features["genders"]) for each in sample}
    assert sorted(Counter(pairs.values()).values()) == [4, 4, 4]


def test_a_seed_draws_the_same_and_another_seed_others() -> None:
    items = made("position-prior")
    ids = [each.id for each in drawn(items, 20, "one")]
    assert ids == [each.id for each in drawn(items, 20, "one")]
    assert ids != [each.id for each in drawn(items, 20, "two")]


@pytest.mark.parametrize("groups", [0, 1, 5, 99])
def test_no_more_than_there_is(groups: int) -> None:
    items = [item(id=str(number), gold=number % 3) for number in range(5)]
    assert len(drawn(items, groups, "seed")) == min(groups, 5)


def test_some_are_kept_while_all_pass_on() -> None:
    items = [item(id=str(number)) for number in range(1_000)]
    kept: list[Item] = []
    assert list(keep_some(items, 10, 0, kept)) == items
    again: list[Item] = []
    list(keep_some(items, 10, 0, again))
    assert len(kept) == 10
    assert kept == again
    other: list[Item] = []
    list(keep_some(items, 10, 1, other))
    assert kept != other
    nothing: list[Item] = []
    assert len(list(keep_some(items, 0, 0, nothing))) == 1_000
    assert nothing == []


def test_every_item_is_kept_as_often() -> None:
    items = [item(id=str(number)) for number in range(10)]
    counts: Counter[str] = Counter()
    for seed in range(600):
        kept: list[Item] = []
        list(keep_some(items, 3, seed, kept))
        counts.update(one.id for one in kept)
    assert len(counts) == 10
    # 180 each are expected; the standard deviation is 11.
    assert all(130 < count < 230 for count in counts.values())
