"""Counts of Moses tokens: by hand, and against `sacremoses` on generated texts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacremoses import MosesTokenizer

from referee.languages.moses import token_counter

# Those of the public suites, scripts that have rules of their own, and codes that the package does not know.
LANGUAGES = (
    *("de", "en", "es", "et", "fr", "he", "hu", "ht", "id", "it", "ja", "ko", "pl", "pt", "ru", "sw", "ta"),
    *("th", "tr", "uk", "vi", "zh", "zh-Hant", "qu", "de-AT"),
)

WORDS = [
    *(
        "Mr",
        "No",
        "Nr",
        "z.B",
        "U.S.A",
        "p.m",
        "Dr",
        "M",
        "Mme",
        "Sr",
        "г",
        "i.e",
        "St",
        "Haus",
        "ja",
        "Ja",
        "it",
        "don",
    ),
    *(
        "été",
        "Łódź",
        "он",
        "Он",
        "家",
        "かな",
        "한국",
        "बात",
        "بيت",
        "ⓐ",
        "x²a",
        "a-b",
        "-",
        "`",
        "DOTMULTI",
        "DOTDOTMULTI",
    ),
    *("3", "1945", "10.5", "5,300", "٣", "²", "s", "ll", "t"),
]
MARKS = [
    ".",
    "..",
    "...",
    ",",
    ",,",
    "'",
    "''",
    "’",
    "?",
    "!",
    '"',
    "(",
    ")",
    ":",
    ";",
    "%",
    "$",
    "&",
    "|",
    "…",
    "_",
    "—",
]
SPACES = [" ", "  ", "\t", "\n", "\u00a0", "\u200b", "\x01", " \x01 ", "\u2028"]
PIECES = st.sampled_from(WORDS) | st.sampled_from(MARKS) | st.just(" ") | st.just("'") | st.just(". ")
MADE_UP = st.lists(PIECES | st.sampled_from(SPACES), max_size=16).map("".join)
TOKENIZERS: dict[str, tuple[Callable[[str], int], MosesTokenizer]] = {}


def both(language: str) -> tuple[Callable[[str], int], MosesTokenizer]:
    if language not in TOKENIZERS:
        TOKENIZERS[language] = (token_counter(language), MosesTokenizer(language))
    return TOKENIZERS[language]


@settings(max_examples=1500, deadline=None)
@given(MADE_UP | st.text(max_size=20), st.sampled_from(LANGUAGES))
# Where a neighbour, the start or the end of the text makes a difference.
@example(",5", "en")
@example("a ,5", "en")
@example("5, 6,", "en")
@example("'s 's", "en")
@example("5' '9", "en")
@example("5'  '9", "fr")
@example("dogs'", "en")
@example("dogs' x", "en")
@example("No. 5", "en")
@example("No. x No. X No.", "en")
@example("Haus. ⓐ", "de")
@example("Haus.ⓐ", "de")
@example("Ja.' ", "de")
@example('"Ja." ... "...', "de")
def test_counts_are_those_of_the_package(text: str, language: str) -> None:
    count, tokenizer = both(language)
    assert count(text) == len(tokenizer.tokenize(text, escape=False))


def test_a_text_is_counted_alike_when_words_were_seen_elsewhere() -> None:
    count, tokenizer = both("en")
    texts = ["Mr. Fox", "fox.", "fox. then", "fox. Then", "'fox", "a 'fox", "fox' 'fox", "Mr."]
    for text in texts * 2:
        assert count(text) == len(tokenizer.tokenize(text, escape=False))


def test_more_words_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.languages.moses._WORDS_KEPT", 3)
    count = token_counter("en")
    assert [count("one two three four five, six.") for _ in range(3)] == [8, 8, 8]


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("en", "", 0),
        ("en", " \n", 0),
        ("en", "Don't stop, it's late.", 8),
        ("de", "Don't", 3),
        ("fr", "L'eau est là...", 5),
        ("en", "Mr. Fox has 5,300 of them (a lot).", 11),
        ("zh-Hant", "a b.", 3),
    ],
)
def test_by_hand(language: str, text: str, tokens: int) -> None:
    assert token_counter(language)(text) == tokens
