"""Possessive extension as published, on sentences made up here."""

from __future__ import annotations

from typing import Any

import pytest

from referee.items import Candidate, Item
from referee.languages import language
from referee.languages.schema import Owner
from referee.perturbations.base import Dropped
from referee.perturbations.edits import edited
from referee.perturbations.published.possessive import extended, possessive
from tests.support.items import item

RECORD = {"ante distance": 1, "ref pronoun": "Sie", "src ante phrase": "the cup", "ref ante phrase": "die Tasse"}


def owner(code: str, key: str) -> Owner:
    attacks = language(code).attacks
    assert attacks is not None
    return attacks.owners[key]


def cup(record: dict[str, Any] | None = None, **changes: Any) -> Item:
    fields: dict[str, Any] = {
        "source_context": ("One.", "I saw the cup."),
        "target_context": ("Eins.", "Ich sah die Tasse."),
        "meta": {"record": RECORD | (record or {}), "separators": ["x", "y"]},
    }
    return item(**(fields | changes))


def test_the_antecedent_in_the_context() -> None:
    result = possessive(cup(), "possessive/maria", "maria")
    assert isinstance(result, Item)
    assert result.source_context == ("One.", f"I saw {owner('en', 'maria').text} cup.")
    assert result.target_context == ("Eins.", f"Ich sah {owner('de', 'maria').text} Tasse.")
    assert "separators" not in result.meta


def test_the_antecedent_in_the_sentence() -> None:
    candidates = tuple(Candidate(f"Die Tasse fiel, und {pronoun} brach.") for pronoun in ("er", "sie", "es"))
    one = cup({"ante distance": 0}, source="The cup fell, and it broke.", candidates=candidates)
    result = possessive(one, "possessive/maria", "maria")
    assert isinstance(result, Item)
    assert result.source.startswith(f"{owner('en', 'maria').text} cup fell")
    assert all(each.text.startswith(f"{owner('de', 'maria').text} Tasse fiel") for each in result.candidates)
    assert result.source_context == one.source_context


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"ref pronoun": "es"}, "the pronoun is not er or sie"),
        ({"ante distance": 2}, "the antecedent is farther than one sentence"),
        ({"src ante phrase": "cups"}, "the antecedent is not of two or three words"),
        ({"ref ante phrase": "die so alte Tasse"}, "the antecedent is not of two or three words"),
        ({"ref ante phrase": None}, "the antecedent is not of two or three words"),
        ({"src ante phrase": "the mug"}, None),
        ({"src ante phrase": "an egg"}, "the antecedent is not in the text"),
    ],
)
def test_what_does_not_fit(record: dict[str, Any], reason: str | None) -> None:
    result = possessive(cup(record), "possessive/maria", "maria")
    assert (result.reason if isinstance(result, Dropped) else None) == reason


@pytest.mark.parametrize("change", [{"source_context": ()}, {"target_context": ()}])
def test_a_distance_of_one_needs_both_contexts(change: Any) -> None:
    assert possessive(cup(**change), "possessive/maria", "maria") == Dropped("no context")


def test_three_words_are_still_a_phrase() -> None:
    one = cup(
        {"src ante phrase": "the old cup", "ref ante phrase": "die alte Tasse", "ref pronoun": "ihn"},
        source_context=("See the old cup.",),
        target_context=("Sieh die alte Tasse.",),
    )
    assert isinstance(possessive(one, "possessive/maria", "maria"), Item)


def test_published_subsets_say_which_items_were_chosen() -> None:
    for subsets, key, chosen in ((["possessive/maria"], "maria", True), (["possessive/woman"], "maria", False)):
        result = possessive(cup(meta={"record": RECORD, "subsets": subsets}), "possessive", key)
        assert isinstance(result, Item) is chosen


def test_without_a_record_or_in_another_language() -> None:
    for meta in ({}, {"record": "x"}, {"record": {"ante distance": 1}}):
        result = possessive(cup(meta=meta), "possessive/maria", "maria")
        assert isinstance(result, Dropped)
        assert result.reason.startswith("the antecedent is not annotated")
    assert possessive(cup(target_lang="fr"), "possessive/maria", "maria") == Dropped("not from English to German")
    assert possessive(cup(source_lang="fr"), "possessive/maria", "maria") == Dropped("not from English to German")


def test_lines_and_separators() -> None:
    lines = {"source_lines": ["I saw the cup. <SEP> It fell."], "target_lines": ["Ich sah die Tasse. <SEP> Sie fiel."]}
    result = possessive(cup(meta={"record": RECORD, **lines}), "possessive/maria", "maria")
    assert isinstance(result, Item)
    english, german = owner("en", "maria").text, owner("de", "maria").text
    assert result.meta["source_lines"] == [f"I saw {english} cup. <SEP> It fell."]
    assert result.meta["target_lines"] == [f"Ich sah {german} Tasse. <SEP> Sie fiel."]
    inside = cup(
        {"ante distance": 0}, source="I saw the cup.", candidates=(Candidate("die Tasse er"), Candidate("die Tasse"))
    )
    bare = possessive(Item(**{**_fields(inside), "source_context": ()}), "possessive/maria", "maria")
    assert isinstance(bare, Item)
    assert bare.meta["separators"] == ["<SEP> ", " <SEP> "]


def _fields(one: Item) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__struct_fields__}


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("Das ist mein Becher.", "mein Becher", "Das ist ein Becher {}."),
        ("Hier ist Ihre Tasse.", "Ihre Tasse", "Hier ist die Tasse {}."),
        ("Mit seiner Tasse.", "seiner Tasse", "Mit der Tasse {}."),
        ("Mit euren Tassen.", "euren Tassen", "Mit einen Tassen {}."),
        ("Jede Tasse fiel.", "Jede Tasse", "jede Tasse {} fiel."),
        # The last word is found before the phrase: all between is lost.
        ("Tasse um Tasse, die Tasse.", "die Tasse", "Tasse um Tasse, die  {} um Tasse, die Tasse."),
    ],
)
def test_articles_of_owners_that_follow(text: str, phrase: str, expected: str) -> None:
    woman = owner("de", "woman")
    edits = extended(text, phrase, woman, is_german=True)
    assert not isinstance(edits, Dropped)
    assert edited(text, edits) == expected.format(woman.paper or woman.text)


def test_a_phrase_that_is_not_there() -> None:
    missing = Dropped("the antecedent is not in the text")
    assert extended("Ein Becher.", "die Tasse", owner("de", "woman"), is_german=True) == missing
    assert extended("Tasse, die rot ist.", "der Tasse", owner("de", "maria"), is_german=True) == missing


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("The cup fell.", "The cup", "the cup {} fell."),
        ("My cup fell.", "My cup", "the cup {} fell."),
        ("Another cup fell.", "Another cup", "another cup {} fell."),
        ("Every old cup fell.", "Every old cup", "every old cup {} fell."),
    ],
)
def test_an_english_owner_that_follows_lowers_the_determiner(text: str, phrase: str, expected: str) -> None:
    mother = owner("en", "my-best-friends-mother")
    edits = extended(text, phrase, mother, is_german=False)
    assert not isinstance(edits, Dropped)
    assert edited(text, edits) == expected.format(mother.text)


def test_an_english_determiner_that_was_not_extended() -> None:
    for key, is_dropped in (("my-best-friends-mother", True), ("maria", False)):
        result = extended("The Y marker fell.", "Y marker", owner("en", key), is_german=False)
        assert (result == Dropped("the determiner of the antecedent was not extended")) is is_dropped


@pytest.mark.parametrize(
    ("key", "english", "german"),
    [
        ("woman", "the woman's", "von der Frau"),
        ("man", "the man's", "vom Mann"),
        ("my-mother", "my mother's", "von meiner Mutter"),
        ("my-father", "my father's", "von meinem Vater"),
        ("dog", "the dog's", "vom Hund"),
        ("cat", "the cat's", "von der Katze"),
        ("doctor-m", "the doctors's", "vom Arzt"),
        ("doctor-f", "the doctors's", "von der Ärztin"),
        ("my-best-friends-mother", "of my best friend's mother", "von der Mutter meines besten Freundes"),
        ("government", "the government's", "der Regierung"),
        ("company", "the company's", "des Unternehmens"),
        ("maria", "Maria's", "Marias"),
        ("lisa", "Lisa's", "Lisas"),
        ("bolsena", "Bolsena's", "Bolsenas"),
        ("peter", "Peter's", "Peters"),
        ("robert", "Robert's", "Roberts"),
        ("david", "David's", "Davids"),
    ],
)
def test_all_owners_as_published(key: str, english: str, german: str) -> None:
    result = possessive(cup(), f"possessive/{key}", key)
    assert isinstance(result, Item)
    source = f"I saw the cup {english}." if english.startswith("of ") else f"I saw {english} cup."
    target = (
        f"Ich sah {german} Tasse." if german.endswith("s") and " " not in german else f"Ich sah die Tasse {german}."
    )
    assert (result.source_context[-1], result.target_context[-1]) == (source, target)
