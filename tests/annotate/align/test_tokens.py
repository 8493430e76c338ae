from __future__ import annotations

import pytest

from referee.annotate.align.tokens import spaced_spans, token_spans, words

CASES = [
    ("en", "It's late.", ["it", "'s", "late", "."]),
    ("en", "It’s late.", ["it", "'s", "late", "."]),  # one kind of apostrophe
    ("en", "We don't.", ["we", "don", "'t", "."]),
    ("en", "He said 'it' twice.", ["he", "said", "'", "it", "'", "twice", "."]),
    ("en", "Wait... what?!", ["wait", "...", "what", "?", "!"]),
    ("fr", "Qu'elle vienne-t-elle ?", ["qu'", "elle", "vienne", "-", "t", "-", "elle", "?"]),
    ("fr", "L’eau", ["l'", "eau"]),
    ("it", "Non l'ho vista", ["non", "l'", "ho", "vista"]),
    ("de", "Ich hab's: Straße 3,5!", ["ich", "hab", "'s", ":", "straße", "3", ",", "5", "!"]),
    ("de-AT", "Er/sie", ["er", "/", "sie"]),
    ("ru", "Это её дом.", ["это", "её", "дом", "."]),
    ("hi", "हिन्दी अच्छी है", ["हिन्दी", "अच्छी", "है"]),  # vowel signs do not end a word
    ("zh", "她走了。", ["她", "走", "了", "。"]),
    ("ja", "カレーを3個", ["カレー", "を", "3", "個"]),
    ("th", "เขาไป", ["เขา", "ไป"]),
    ("en", "", []),
    ("en", " \t ", []),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_tokens(language: str, text: str, expected: list[str]) -> None:
    assert words(text, token_spans(text, language)) == expected


@pytest.mark.parametrize("text", ["It's 'so' – and so … on.", "İl \u200b x\u0301y", "''a''", "a'b'c"])
def test_every_character_but_spaces_is_in_one_token(text: str) -> None:
    for language in ("en", "fr"):
        spans = token_spans(text, language)
        covered = [place for start, end in spans for place in range(start, end)]
        assert covered == [place for place, letter in enumerate(text) if not letter.isspace()]


def test_a_text_that_was_tokenised_elsewhere_is_split_at_spaces_only() -> None:
    text = "It  's so-so ."
    assert words(text, spaced_spans(text)) == ["it", "'s", "so-so", "."]


def test_a_very_long_line_is_no_problem() -> None:
    assert len(token_spans("it is, " * 200_000, "en")) == 600_000
