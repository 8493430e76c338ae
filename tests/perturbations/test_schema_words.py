"""Where candidates of Winograd schemas are mentioned, and where sentences begin and end."""

from __future__ import annotations

import pytest

from referee.perturbations.schema_words import (
    Mention,
    is_abbreviation,
    mentions,
    starts_sentence,
    with_case,
    without_article,
)

ARTICLES = ("the", "a", "an", "l'")


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("the jug", "jug"),
        ("The jug", "jug"),
        ("an egg", "egg"),
        ("l'eau", "eau"),
        ("theatre", "theatre"),
        ("the ", "the "),
    ],
)
def test_articles(text: str, bare: str) -> None:
    assert without_article(text, ARTICLES) == bare
    assert without_article(text, ()) == text


def test_mentions_with_and_without_their_article() -> None:
    text = "The jug fell off a shelf; jugs do. Jug and shelf broke."
    assert mentions(text, ["the jug", "the shelf"], ARTICLES) == [
        Mention(0, 0, 4, 7),
        Mention(1, 17, 19, 24),
        Mention(0, 35, 35, 38),
        Mention(1, 43, 43, 48),
    ]
    # A candidate without an article does not take one along.
    assert mentions("The jug fell.", ["jug"], ARTICLES) == [Mention(0, 4, 4, 7)]


def test_candidates_of_several_words() -> None:
    assert mentions("A big  red bus and big Ron.", ["the big red bus", "big Ron"], ARTICLES) == [
        Mention(0, 0, 2, 14),
        Mention(1, 19, 19, 26),
    ]
    assert mentions("A big blue bus.", ["the big red bus"], ARTICLES) == []
    assert mentions("Nothing.", [" ", ""], ARTICLES) == []


def test_the_longer_candidate_hides_the_shorter_within_it() -> None:
    found = mentions("Emma's mother called Emma.", ["Emma", "Emma's mother"], ARTICLES)
    assert found == [Mention(1, 0, 0, 13), Mention(0, 21, 21, 25)]
    touching = mentions("AnnBea, Ann-Bea", ["Ann", "Bea"], ARTICLES)
    assert touching == [Mention(0, 8, 8, 11), Mention(1, 12, 12, 15)]


@pytest.mark.parametrize(
    ("before", "starts"),
    [("", True), ("“", True), ("He ran. ", True), ('He ran." (', True), ("He ran, ", False), ("He ran.", False)],
)
def test_where_sentences_start(before: str, starts: bool) -> None:
    assert starts_sentence(before) is starts


def test_case_of_the_first_letter_only() -> None:
    assert with_case("the Jug", upper=True) == "The Jug"
    assert with_case("The Jug", upper=False) == "the Jug"
    assert with_case("", upper=True) == ""


@pytest.mark.parametrize(
    ("before", "abbreviated"),
    [("he saw Dr", True), ("then J", True), ("it was I", False), ("he saw it", False), ("a", False), ("he! ", False)],
)
def test_abbreviations(before: str, abbreviated: bool) -> None:
    assert is_abbreviation(before, {"Dr", "Mr"}) is abbreviated


def test_the_longest_article_goes() -> None:
    assert without_article("de l'eau", ("de", "de l'")) == "eau"
