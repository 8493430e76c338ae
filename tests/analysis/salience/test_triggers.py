"""Which words there are, which of them decide, and with which those are compared."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.analysis.salience.triggers import is_word, marks, target_word, words
from referee.items import Candidate, Item, Span
from referee.suites import load
from tests.support.items import any_item, item


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat sat.", ["The", "cat", "sat", "."]),
        ("It didn't, can’t re-do.", ["It", "didn't", ",", "can’t", "re-do", "."]),
        ("a -- b' 'c", ["a", "-", "-", "b", "'", "'", "c"]),
        ("L'été 2021 : 3.5 %", ["L'été", "2021", ":", "3", ".", "5", "%"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("我喜欢cat。", ["我", "喜", "欢", "cat", "。"]),
        ("Она _ его", ["Она", "_", "его"]),
        ("cafe\u0301!", ["cafe\u0301", "!"]),
        ("  ", []),
    ],
)
def test_words_and_marks(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in words(text)] == expected


@given(st.text(max_size=40))
def test_everything_but_space_is_in_exactly_one_word(text: str) -> None:
    covered = [place for start, end in words(text) for place in range(start, end)]
    assert covered == sorted(set(covered))
    assert all(text[place].isspace() for place in set(range(len(text))) - set(covered))


@pytest.mark.parametrize(
    ("text", "expected"), [("cat", True), ("3", True), ("re-do", True), (".", False), ("_", False)]
)
def test_punctuation_is_no_word(text: str, expected: bool) -> None:
    assert is_word(text) is expected


ER, SIE = (Candidate(f"Die Tasse passt nicht in den Koffer, weil {word} zu war.", {}) for word in ("er", "sie"))


def twins(big: str = "big", small: str = "small", **changes: object) -> tuple[Item, Item]:
    return (
        item(
            id="1",
            group="g",
            source=f"The cup does not fit into the bag because it is too {big}.",
            candidates=(ER, SIE),
            gold=1,
        ),
        item(
            id="2",
            group="g",
            source=f"The cup does not fit into the bag because it is too {small}.",
            candidates=(ER, SIE),
            **{"gold": 0, **changes},
        ),
    )


def found(items: tuple[Item, ...], place: int = 0) -> tuple[list[str], list[str]]:
    """The triggers of an item, and what it is not compared by."""
    own, text = marks(items)[place], items[place].source
    where = words(text)
    triggers = [text[slice(*each)] for each in where if own.trigger("source", 0, *each)]
    return triggers, [text[slice(*each)] for each in where if not own.shared("source", *each)]


def test_what_twins_do_not_share_decides() -> None:
    assert found(twins()) == (["big"], ["big"])
    assert found(twins(), 1) == (["small"], ["small"])
    assert found(twins("far too big", "small")) == (["far", "too", "big"], ["far", "too", "big"])


def test_a_span_says_which_of_it_does() -> None:
    one, other = twins("far big", "very small")
    start = one.source.index("big")
    spans = (Span("trigger", "source", start, start + 3), Span("pronoun", "source", 0, 3))
    marked = item(id="1", group="g", source=one.source, candidates=(ER, SIE), gold=1, spans=spans)
    assert found((marked, other)) == (["big"], ["far", "big"])
    assert found((marked,)) == (["big"], [])


def test_a_trigger_may_stand_in_the_context() -> None:
    spans = (Span("trigger", "source_context", 4, 7, 1),)
    (own,) = marks([item(source_context=("A cup.", "The box."), spans=spans)])
    assert own.trigger("source_context", 1, 4, 7)
    assert not own.trigger("source_context", 0, 4, 7)
    assert not own.trigger("source", 0, 4, 7)


@pytest.mark.parametrize(
    "items",
    [
        twins()[:1],
        (*twins(), item(id="3", group="g", candidates=(ER, SIE), gold=0)),  # not a pair
        twins(gold=1),  # the same answer
        twins(task="choose"),
        twins(target_lang="fr"),
        twins(gold=None),
        twins("big", "big"),
        twins("big", "small but not as old and as heavy as that other one there"),  # not near
        (twins()[0], item(id="2", group="g", source="It was hungry.", candidates=(ER, SIE), gold=0)),
    ],
)
def test_what_are_no_twins_has_no_trigger(items: tuple[Item, ...]) -> None:
    assert all(not own.triggers and not own.unshared for own in marks(items))


def test_the_answer_of_a_translation_is_its_pronoun() -> None:
    """Two that differ in their last word are both about the cup, whatever else their translations say."""
    pair = tuple(
        item(
            id=size,
            group="g",
            source=f"The cup does not fit into the bag because it is too {size}.",
            candidates=tuple(Candidate(f"Sie passt nicht, weil {pronoun} {size} ist.") for pronoun in ("er", "sie")),
            gold=1,
        )
        for size in ("big", "small")
    )
    assert found(pair) == ([], [])
    turned = msgspec.structs.replace(pair[1], gold=0)
    assert found((pair[0], turned)) == (["big"], ["big"])


def test_twins_with_a_gap() -> None:
    candidates = (Candidate("cup"), Candidate("bag"))
    fill = {"task": "fill", "candidates": candidates, "group": "g"}
    one = item(id="1", source="The cup is not in the bag because the _ is too big.", gold=0, **fill)
    other = item(id="2", source="The cup is not in the bag because the _ is too small.", gold=1, **fill)
    assert found((one, other)) == (["big"], ["big"])


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"spans": (Span("pronoun", "candidate", 3, 6, 0),)}, "war"),
        ({"spans": (Span("pronoun", "candidate", 4, 7, 1), Span("pronoun", "source", 0, 2))}, "Er"),
        ({"candidates": (Candidate("Dort war er.", {"pronoun": "Er"}), Candidate("Da war sie."))}, "er"),
        (
            {"candidates": (Candidate("Er sah, dass er kam.", {"pronoun": "er"}), Candidate("Er sah, dass sie kam."))},
            "er",
        ),
        ({"candidates": (Candidate("er sah er", {"pronoun": "er"}), Candidate("er sah sie"))}, "er"),
        ({}, "Er"),
        ({"gold": 2}, "Es"),
        ({"gold": None}, None),
        ({"candidates": (Candidate("gleich"), Candidate("gleich")), "features": {"repeated": "candidates"}}, None),
    ],
)
def test_the_word_that_is_explained(changes: dict[str, object], expected: str | None) -> None:
    made = item(**changes)
    place = target_word(made)
    assert (place and made.candidates[made.gold or 0].text[slice(*place)]) == expected


def test_the_differing_one_of_two_pronouns_is_explained() -> None:
    made = item(candidates=(Candidate("er sah er", {"pronoun": "er"}), Candidate("er sah sie")))
    assert target_word(made) == (7, 9)


@settings(max_examples=30)
@given(st.lists(any_item(), max_size=3))
def test_any_items_can_be_marked(items: list[Item]) -> None:
    assert len(marks(items)) == len(items)


def test_wino_x_has_triggers(shared_data: Path) -> None:
    """All rebuilt items with a twin, and all of them a word to explain."""
    items = list(load("wino-x/mt/en-de", data=shared_data))
    own = marks(items)
    with_triggers = [bool(each.triggers) for each in own]
    assert sum(with_triggers) > 0.9 * len(items)
    assert all(target_word(each) for each in items)
    # Spans and twins agree: a trigger is what the twin has not.
    both = [each for each in own if each.triggers and each.unshared]
    assert all({(start, end) for _, _, start, end in each.triggers} == set(each.unshared) for each in both)
