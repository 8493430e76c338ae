"""Coupling twins: small sets by hand, and the pairs of "Back to Square One"."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.build.twins import Twins, as_published, couple, couple_twins, distance, near, non_associative
from referee.errors import InputError, UsageError
from referee.items import Candidate, Item, Span
from referee.sets import of_items
from referee.suites import load
from tests.suites.test_winograd import published
from tests.support.published import in_both, published_lines

PAIRS = "winograd/winohard/pairs"


def schema(id: str, source: str, gold: int = 0, **changes: Any) -> Item:
    fields: dict[str, Any] = {"candidates": (Candidate("the jug"), Candidate("the shelf")), "gold": gold}
    return Item(id=id, task="fill", source_lang="en", target_lang="en", source=source, **(fields | changes))


FULL = schema("q1", "The jug fell off the shelf because _ was full.")
WEAK = schema("q2", "The jug fell off the shelf because _ was weak.", 1)
OTHER = schema("q3", "Nobody put the jug back, so _ stayed empty.", 1)


def words(item: Item) -> list[str]:
    return [item.source[span.start : span.end] for span in item.spans if span.role == "trigger"]


def pair_record(item: Item) -> dict[str, Any]:
    """The published record of a twin; its group says the number of the pair."""
    assert item.group is not None
    plain = {key: value for key, value in published(item).items() if key != "original_group"}
    return plain | {"pair_id": int(item.group.removeprefix("pair-"))}


def ids(twins: Twins) -> list[tuple[str, str]]:
    return [(one.id, other.id) for one, other in twins.pairs]


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [
        ("", "", 0),
        ("a b c", "a b c", 0),
        ("a b c", "a x c", 1),
        ("a b c", "a c", 1),
        ("a b c d", "b c d e", 2),
        ("a b", "x y z", 3),
        ("full.", "full", 1),
    ],
)
def test_distances_counted_by_hand(one: str, other: str, edits: int) -> None:
    assert distance(one.split(), other.split()) == distance(other.split(), one.split()) == edits


_texts = st.lists(st.sampled_from("abc"), max_size=6)


@given(_texts, _texts, _texts)
def test_distance_is_a_metric(one: list[str], two: list[str], three: list[str]) -> None:
    assert (distance(one, two) == 0) == (one == two)
    assert abs(len(one) - len(two)) <= distance(one, two) <= max(len(one), len(two))
    assert distance(one, three) <= distance(one, two) + distance(two, three)


def test_the_share_is_of_the_shorter_text_and_the_limit_is_included() -> None:
    ten = "a b c d e f g h i j"
    assert near(ten, "a b c d e f g x y z", 0.3)
    assert near("箱子放不进去因为它太大。", "箱子放不进去因为它太小。", 0.3)
    assert not near("箱子放不进去因为它太大。", "昨天下雨我们没有出门。", 0.3)
    assert near(ten, f"{ten} x y z", 0.3)
    assert not near(ten, f"{ten} x y z z", 0.3)
    assert not near(ten, "a b c d e f w x y z", 0.3)
    assert not near("", "", 0.3)


def test_neighbours_that_differ_in_a_word_are_twins() -> None:
    found = couple([OTHER, FULL, WEAK])
    assert (found.by, ids(found)) == ("distance", [("q1", "q2")])
    assert found.left_out == {"no similar neighbour": 1}
    assert [item.group for item in found] == ["pair-0", "pair-0"]
    assert [words(item) for item in found] == [["full"], ["weak"]]
    assert not couple([FULL, OTHER, WEAK]).pairs
    assert not couple([FULL, WEAK], by="distance", max_distance=0.05).pairs


def test_a_third_neighbour_stays_alone() -> None:
    third = schema("q9", "The jug fell off the shelf because _ was wet.", 1)
    found = couple([FULL, WEAK, third])
    assert (ids(found), found.left_out) == ([("q1", "q2")], {"no similar neighbour": 1})
    assert ids(couple([FULL, WEAK, third], drop=["q2"])) == [("q1", "q9")]


def test_neighbours_with_the_same_answer_are_no_twins() -> None:
    assert not couple([FULL, schema("q9", "The jug fell off the shelf because _ was wet.")]).pairs


def test_ids_couple_what_is_far_apart_and_little_alike() -> None:
    items = [schema("s-2", "_ is one.", 1), FULL, schema("s-1", "Of all of these _ is another."), schema("t-1", "_ !")]
    found = couple(items)
    assert (found.by, ids(found)) == ("id", [("s-2", "s-1")])
    assert {item.group for item in found} == {"s"}
    assert found.left_out == {"no group and no id that ends in -1 or -2": 1, "no counterpart": 1}


def test_a_group_of_three_is_no_pair() -> None:
    items = [schema(name, f"_ was {name}.", group="g") for name in "abc"]
    found = couple(items)
    assert (found.pairs, found.left_out) == ((), {"more than one counterpart": 3})


def test_in_order_nothing_is_compared() -> None:
    found = couple([FULL, OTHER, WEAK], by="order")
    assert (ids(found), found.left_out) == ([("q1", "q3")], {"no partner in an odd number of items": 1})


def test_several_words_may_tell_twins_apart_or_none_of_one_of_them() -> None:
    long = schema("a", "The man put the boy on _ broad shoulders, and smiled.", 1)
    short = schema("b", "The man put the boy on _ bed, and smiled.")
    bare = schema("c", "The man put the boy on _ , and smiled.", 1)
    (one, other), (_, third) = couple([long, short], by="order").pairs[0], couple([short, bare], by="order").pairs[0]
    assert (words(one), words(other), words(third)) == (["broad", "shoulders"], ["bed"], [])


def test_the_gap_is_no_trigger_and_other_spans_stay() -> None:
    before, after = (
        schema("a", "_ saw her."),
        schema("b", "She saw _ .", 1, spans=(Span("antecedent", "source", 0, 3),)),
    )
    one, other = couple([before, after], by="order").pairs[0]
    assert (words(one), words(other)) == (["her"], ["She"])
    assert other.spans[0].role == "antecedent"


def test_coupling_twice_changes_nothing() -> None:
    once = couple([FULL, WEAK])
    assert couple(once).pairs == once.pairs


def test_an_old_group_is_kept_in_meta() -> None:
    found = couple([schema("a", FULL.source, group="x"), schema("b", WEAK.source, 1, group="y")], by="distance")
    assert [(item.group, item.meta) for item in found] == [
        ("pair-0", {"original_group": "x"}),
        ("pair-0", {"original_group": "y"}),
    ]


def test_what_is_to_be_left_out_must_be_there() -> None:
    with pytest.raises(InputError, match="no item has the id 'q7'"):
        couple([FULL, WEAK], drop=["q1", "q7"])


def test_one_call_couples_and_says_why_it_cannot() -> None:
    twins = couple_twins([OTHER, FULL, WEAK])
    assert [item.id for item in twins] == ["q1", "q2"]
    assert twins.trigger_counts() == {1: 2}
    with pytest.raises(InputError, match=r"kitchen: no twins found \(3 items have no similar neighbour\)"):
        couple_twins(of_items("kitchen", [FULL, OTHER, WEAK]))
    for options in (
        {"by": "sense"},
        {"paper": True, "drop": ["q1"]},
        {"max_distance": 0.5},
        {"by": "id", "max_distance": 1},
    ):
        with pytest.raises(UsageError):
            couple_twins([FULL, WEAK], **options)


def test_one_associative_twin_is_enough() -> None:
    def marked(item: Item, value: str) -> Item:
        return schema(item.id, item.source, item.gold or 0, features={"associative": value})

    assert len(non_associative(couple([marked(FULL, "0"), marked(WEAK, "0")])).pairs) == 1
    found = non_associative(couple([marked(FULL, "0"), marked(WEAK, "1")]))
    assert (found.pairs, found.left_out) == ((), {"associative twin": 2})
    with pytest.raises(InputError, match="'q1' has no feature `associative`"):
        non_associative(couple([FULL, WEAK]))


COUPLED = {"wsc": 136, "winogrande/dev": 284, "winogrande/train_xs": 80, "winogrande/train_s": 318}


@pytest.mark.parametrize(("data", "suite", "pairs"), in_both({"wsc": 3, "winogrande/dev": 2}, COUPLED))
def test_every_published_pair_comes_out(data: Path, suite: str, pairs: int) -> None:
    found = as_published(load(suite, data=data))
    assert len(found.pairs) == pairs
    file = suite.removeprefix("winogrande/")
    assert [pair_record(item) for item in found] == published_lines(data / PAIRS / f"{file}.jsonl")


def test_the_non_associative_pairs_come_out(published_data: Path) -> None:
    found = non_associative(as_published(load("wsc", data=published_data)))
    records = published_lines(published_data / PAIRS / "wsc_non_associative.jsonl")
    assert [pair_record(item) for item in found] == records
    assert list(load("wsc-na", data=published_data)) == list(found)


def test_a_part_of_wsc_has_the_pairs_of_the_whole(published_data: Path) -> None:
    whole = non_associative(as_published(load("wsc", data=published_data)))
    part = as_published(load("wsc-na", data=published_data))
    assert (part.by, part.pairs) == ("order", whole.pairs)
    first, *rest = load("wsc-na", data=published_data)
    fewer = as_published(rest)
    assert fewer.pairs == whole.pairs[1:]
    assert fewer.left_out == {"no counterpart": 1}
    assert first not in list(fewer)


SIZES = {"winogrande/train_m": (1_276, 593_886), "winogrande/train_l": (5_100, 2_383_782)}
"""Of published files that are not in the data folder: pairs and characters."""


@pytest.mark.parametrize("suite", SIZES)
def test_sizes_of_the_other_published_pairs(suite: str, shared_data: Path) -> None:
    found = as_published(load(suite, data=shared_data))
    characters = sum(len(json.dumps(pair_record(item))) + 1 for item in found)
    assert (len(found.pairs), characters) == SIZES[suite]


def test_distance_alone_loses_a_pair_of_wsc(shared_data: Path) -> None:
    """Three more words of nine are too many: "hired Bill" and "hired himself out to Bill"."""
    found = couple(load("wsc", data=shared_data), by="distance")
    alone = {item.id for item in load("wsc", data=shared_data)} - {item.id for item in found}
    assert (len(found.pairs), alone) == (135, {"wsc202", "wsc203", "wsc254"})


def test_ids_and_distance_agree_on_winogrande(shared_data: Path) -> None:
    items = list(load("winogrande/dev", data=shared_data))
    assert ids(couple(items)) == ids(couple(items, by="distance"))
    assert len(couple(load("winogrande/train_s", data=shared_data)).pairs) == 320
