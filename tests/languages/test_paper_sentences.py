"""Borders between sentences: by hand, and against the `sentence-splitter` package on generated texts."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sentence_splitter import SentenceSplitter

from referee.languages.paper_sentences import paper_splitter

LANGUAGES = ["de", "en", "fr", "es", "it", "pl", "pt", "ru"]
SPLITTERS = {language: (paper_splitter(language), SentenceSplitter(language=language).split) for language in LANGUAGES}
# Quechua is a language that the package does not know.
SPLITTERS["qu"] = (paper_splitter("qu"), SentenceSplitter(language="en").split)

WORDS = [
    *("Dr", "z.B", "bzw", "No", "Nr", "Art", "M", "Mme", "Sr", "Sra", "p.ej", "dott", "prof", "ul", "т", "г", "U.S.A"),
    *(
        "Haus",
        "ja",
        "Ja",
        "ÉTÉ",
        "été",
        "Łódź",
        "Он",
        "он",
        "家",
        "かな",
        "बात",
        "بيت",
        "x²a",
        "e-mail",
        "-Nein",
        "a_b",
    ),
    *("3", "1945", "10.5", "٣", "²", "A", "I", "i"),
]
MARKS = [".", "..", "...", "…", "?", "!", "?!", ".?", ":", ",", "。", "%", "-", "–"]
QUOTES = ["'", '"', "(", ")", "[", "]", "«", "»", "„", "“", "”", "‘", "’", "¿", "¡", "''"]
SPACES = [" ", " ", " ", "  ", "   ", "\t", "\u00a0", "\u2028", "\r"]
PIECES = st.sampled_from(WORDS + MARKS + QUOTES + SPACES)
MADE_UP = st.lists(PIECES | st.just(" ") | st.just(". "), max_size=20).map("".join)
WITH_LINES = st.lists(PIECES | st.sampled_from(["\n", " \n", "\n ", ".\n "]), max_size=20).map("".join)
ANY = st.text(max_size=30)


@settings(max_examples=1500, deadline=None)
@given(MADE_UP | WITH_LINES | ANY, st.sampled_from(sorted(SPLITTERS)))
# Each is read differently by two of the rules.
@example('Ja! "Er', "de")
@example('Ja! " Er', "de")
@example('Ja! " " Er', "de")
@example('Ja! ¿" Er', "de")
@example('Ja! "¿ Er', "de")
@example('Ja. ("Er', "de")
@example("Ja. ( Er", "de")
@example("Ja.. 3", "de")
@example('Nr. "3', "de")
@example("Foo.\n Bar", "de")
@example(" ", "de")
def test_sentences_are_those_of_the_package(text: str, language: str) -> None:
    ours, theirs = SPLITTERS[language]
    assert ours(text) == theirs(text)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(WORDS), st.sampled_from(MARKS), st.sampled_from(WORDS + QUOTES), st.sampled_from(sorted(SPLITTERS))
)
def test_a_word_before_a_mark_decides_as_in_the_package(word: str, mark: str, following: str, language: str) -> None:
    ours, theirs = SPLITTERS[language]
    for text in (f"{word}{mark} {following}", f"({word}{mark} {following}A", f'{word}"{mark} {following}'):
        assert ours(text) == theirs(text)


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("de", "", []),
        ("de", "  ", [""]),
        ("de", " Er kam.  Sie nicht? Doch! ", ["Er kam.", "Sie nicht?", "Doch!"]),
        ("de", "Er kam um 8.30 Uhr, z. B. mit Dr. Maus.", ["Er kam um 8.30 Uhr, z. B. mit Dr. Maus."]),
        ("en", "See No. 5 there. No. He said so.", ["See No. 5 there.", "No.", "He said so."]),
        ("en", '"Stay!" she said. "Why?" He left...', ['"Stay!" she said.', '"Why?"', "He left..."]),
        ("de-AT", "Er sprach bzw. Alle sprachen.", ["Er sprach bzw. Alle sprachen."]),
        ("qve", "Mr. Fox came. 3 left.", ["Mr. Fox came.", "3 left."]),
    ],
)
def test_by_hand(language: str, text: str, sentences: list[str]) -> None:
    assert paper_splitter(language)(text) == sentences
