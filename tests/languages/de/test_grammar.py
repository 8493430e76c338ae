from __future__ import annotations

import pytest

from referee.languages.de.grammar import (
    ARTICLE,
    DETERMINERS,
    Gender,
    NounPhrase,
    adjective_ending,
    noun_phrase,
    with_ending,
)

BY_STEM = {determiner.stem: determiner for determiner in DETERMINERS}


@pytest.mark.parametrize(
    ("text", "gender", "cases", "noun"),
    [
        ("der Becher", "m", ("nom",), "Becher"),
        ("Den alten Becher", "m", ("acc",), "Becher"),
        ("die Tasse", "f", ("nom", "acc"), "Tasse"),
        ("der Tasse", "f", ("dat", "gen"), "Tasse"),
        ("das Glas", "n", ("nom", "acc"), "Glas"),
        ("dem Glas", "n", ("dat",), "Glas"),
        ("ein alter Becher", "m", ("nom",), "Becher"),
        ("ein altes Glas", "n", ("nom", "acc"), "Glas"),
        ("eurem großen roten Becher", "m", ("dat",), "Becher"),
        ("dieses Glases", "n", ("nom", "acc", "gen"), "Glases"),
        ("unsere Tasse aus Ton", "f", ("nom", "acc"), "Tasse"),
    ],
)
def test_determiner_and_adjectives_tell_the_case(text: str, gender: Gender, cases: tuple[str, ...], noun: str) -> None:
    phrase = noun_phrase(text, 0, len(text), gender)
    assert isinstance(phrase, NounPhrase)
    assert (phrase.cases, phrase.noun.text) == (cases, noun)


@pytest.mark.parametrize(
    ("text", "gender", "problem"),
    [
        ("Becher", "m", "no known determiner"),
        ("etwas Tee", "m", "no known determiner"),
        ("die Becher", "m", "does not agree"),
        ("der altes Becher", "m", "does not agree"),
        ("der und Becher", "m", "not adjectives"),
        ("die ganze", "f", "no noun"),
        ("die 'Tasse", "f", "marks"),
        ("", "f", "no known determiner"),
    ],
)
def test_what_is_no_plain_phrase_is_told(text: str, gender: Gender, problem: str) -> None:
    found = noun_phrase(text, 0, len(text), gender)
    assert isinstance(found, str)
    assert problem in found


def test_names_after_the_noun_are_noticed() -> None:
    phrase = noun_phrase("der Planet Merkur", 0, 17, "m")
    assert isinstance(phrase, NounPhrase)
    assert phrase.has_name


@pytest.mark.parametrize(
    ("stem", "gender", "case", "form"),
    [
        ("d", "m", "acc", "den"),
        ("dies", "n", "nom", "dieses"),
        ("ein", "n", "acc", "ein"),
        ("euer", "m", "nom", "euer"),
        ("euer", "f", "dat", "eurer"),
        ("unser", "m", "gen", "unseres"),
        ("kein", "f", "nom", "keine"),
    ],
)
def test_determiners_are_declined(stem: str, gender: Gender, case: str, form: str) -> None:
    assert BY_STEM[stem].form(gender, case) == form  # type: ignore[arg-type]


def test_adjectives_are_declined() -> None:
    assert with_ending("alten", adjective_ending(None, "m", "dat")) == "altem"
    assert with_ending("alter", adjective_ending(ARTICLE, "m", "nom")) == "alte"
    assert with_ending("alte", adjective_ending(BY_STEM["mein"], "n", "acc")) == "altes"


def test_kinds_of_determiners() -> None:
    assert [stem for stem, each in BY_STEM.items() if each.is_possessive] == [
        "mein", "dein", "sein", "ihr", "unser", "euer"
    ]  # fmt: skip
    assert not any(BY_STEM[stem].is_plain for stem in ("kein", "jed", "welch", "manch"))
