from __future__ import annotations

import re
from typing import Any

import pytest

from referee.items import Candidate, Origin, SetOrigin, Span, is_mixed_script, repeated
from tests.support.items import item


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": ""}, "id: must not be empty"),
        ({"source_lang": "English"}, "source_lang: 'English' is not a language code"),
        ({"target_lang": "DE"}, "target_lang: 'DE' is not a language code"),
        ({"candidates": (Candidate("Er"),), "gold": 0}, "candidates: has 1 candidate, expected none or at least 2"),
        ({"gold": 3}, "gold: 3 is out of range (expected 0 to 2)"),
        ({"gold": -1}, "gold: -1 is out of range (expected 0 to 2)"),
        ({"candidates": (), "gold": 0}, "gold: 0 is out of range (expected no gold without candidates)"),
        ({"task": "fill", "source": "No gap."}, "source: has 0 gaps"),
        ({"task": "fill", "source": "_ and _"}, "source: has 2 gaps"),
        ({"expected": ("",)}, "expected: contains an empty form"),
        ({"spans": (Span("pronoun", "source", 0, 99),)}, "spans: pronoun at 0-99 lies outside source (14 characters)"),
        ({"spans": (Span("pronoun", "source", 2, 2),)}, "spans: pronoun at 2-2 lies outside"),
        ({"spans": (Span("pronoun", "candidate", 0, 2, 3),)}, "spans: pronoun has index 3, but candidate has 3 texts"),
        ({"spans": (Span("antecedent", "source_context", 0, 1),)}, "but source_context has 0 texts"),
        ({"target_lang": "ru", "expected": ("oнa",)}, "expected: 'oнa' mixes Latin and Cyrillic"),
    ],
)
def test_an_invalid_item_cannot_be_made(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        item(**changes)


def test_an_item_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        item().gold = 1  # type: ignore[misc]


@pytest.mark.parametrize("language", ["ru", "ru-RU", "de"])
def test_a_mixed_pronoun_is_an_error_in_every_language(language: str) -> None:
    candidates = (Candidate("x", {"pronoun": "oнa"}), Candidate("y"))
    with pytest.raises(ValueError, match="candidates: 'oнa' mixes"):
        item(candidates=candidates, target_lang=language)


@pytest.mark.parametrize(
    ("word", "mixed"),
    [("она", False), ("ona", False), ("oна", True), ("онa", True), ("USB-кабель", False), ("x он", False), ("", False)],
)
def test_mixed_script(word: str, mixed: bool) -> None:
    assert is_mixed_script(word) is mixed


def test_group_falls_back_on_the_item() -> None:
    assert (item().group_id, item(group="g").group_id) == ("a", "g")


def test_a_feature_is_that_of_the_gold_candidate_first() -> None:
    both = item(features={"gender": "x", "number": "sing"})
    assert (both.feature("gender"), both.feature("number"), both.feature("case")) == ("m", "sing", None)
    assert item(gold=None, features={"gender": "x"}).feature("gender") == "x"


def test_filling_the_gap() -> None:
    schema = item(task="fill", source="The vase broke because _ fell.")
    assert schema.filled(Candidate("the vase")) == "The vase broke because the vase fell."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (None, "The street is wet. It rained."),
        ("effect", "The street is wet. It rained."),
        ("cause", "It rained. The street is wet."),
        ("Why?", "The street is wet. Why? It rained."),
    ],
)
def test_a_cause_is_read_before_its_effect(question: str | None, text: str) -> None:
    choice = item(task="choose", source="The street is wet.", question=question)
    assert choice.text_with(Candidate("It rained.")) == text
    hidden = item(task="choose", source="", question=question, origin=Origin("b", "no-premise", "baseline"))
    assert hidden.text_with(Candidate("So.")) in ("So.", "Why? So.")
    schema = item(task="fill", source="The vase broke because _ fell.", question=question)
    assert schema.text_with(Candidate("the vase")) == schema.filled(Candidate("the vase"))


def test_an_origin_names_another_item_and_a_change() -> None:
    assert item(origin=Origin("b", "swap", "attack")).origin == Origin("b", "swap", "attack")
    with pytest.raises(ValueError, match="origin: 'a' is the item itself"):
        item(origin=Origin("a", "swap", "attack"))
    for build in (lambda: Origin("", "swap", "attack"), lambda: SetOrigin("", "swap", "attack")):
        with pytest.raises(ValueError, match="must not be empty"):
            build()
    with pytest.raises(ValueError, match="change: must not be empty"):
        Origin("b", "", "probe")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"candidates": (Candidate("A."), Candidate("B."), Candidate("A."))},
            "candidates 0 and 2 have the same text 'A.'",
        ),
        ({"candidates": (Candidate("x" * 99), Candidate("x" * 99))}, f"the same text '{'x' * 60}...'"),
        ({"candidates": (Candidate("A."), Candidate(""))}, "candidate 1 is empty"),
        ({"candidates": (Candidate(" \t\u3000"), Candidate("A."))}, "candidate 0 is empty"),
        ({"source": ""}, "source: is empty"),
        ({"source": " \n\u00a0"}, "source: is empty"),
        ({"source": "", "origin": Origin("b", "x", "attack")}, "source: is empty"),
    ],
)
def test_what_cannot_be_compared_is_refused(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        item(**changes)


def test_candidates_that_were_published_twice_are_one_answer() -> None:
    texts = ("A.", "B.", "A.", "B.", "C.")
    assert repeated(texts) == {"repeated": "candidates"}
    assert repeated(texts[:2]) == {}
    kept = item(candidates=tuple(map(Candidate, texts)), features=repeated(texts))
    assert kept.answers == (0, 1, 0, 1, 4)
