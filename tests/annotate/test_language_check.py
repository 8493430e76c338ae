from __future__ import annotations

import logging
import random

import pytest

from referee.annotate.language_check import FEWEST_WORDS, mismatch, warned_once
from referee.annotate.protocols import SourceText
from referee.languages import language

CODES = ("en", "de", "es", "fr", "it", "pl", "pt", "ru")


def text(code: str, count: int, seed: int = 1) -> list[str]:
    """Words of which two in five are frequent ones of the language, and the others letters."""
    draws = random.Random(seed)
    frequent = sorted(language(code).function_words)
    letters = "бвгдж" if code == "ru" else "bcdfg"
    return [
        draws.choice(frequent) if draws.random() < 0.4 else "".join(draws.choices(letters, k=6)) for _ in range(count)
    ]


@pytest.mark.parametrize("code", CODES)
def test_the_right_language_is_no_problem(code: str) -> None:
    assert mismatch(text(code, 1000), code) is None
    assert mismatch(text(code, 1000), f"{code}-XX") is None


@pytest.mark.parametrize("code", CODES)
def test_the_wrong_language_is_named(code: str) -> None:
    wrong = "de" if code != "de" else "en"
    name = language(code).name
    problem = mismatch(text(code, 1000), wrong)
    assert problem is not None
    assert ("not in the script of German" if code == "ru" else f"seems to be {name}, not") in problem


def test_short_and_mixed_texts_are_not_enough() -> None:
    assert mismatch(text("en", FEWEST_WORDS - 1), "de") is None
    assert mismatch(text("en", 500) + text("de", 500), "de") is None
    assert mismatch(["abc"] * 1000, "de") is None, "names and numbers"


def test_languages_that_are_not_known() -> None:
    assert mismatch(text("en", 1000), "tlh") is None
    assert mismatch(text("en", 1000), "sv") is None, "it has no list of frequent words"
    assert "not in the script of Ukrainian" in (mismatch(text("en", 1000), "uk") or "")


def test_the_warning_comes_once_and_loses_nothing(caplog: pytest.LogCaptureFixture) -> None:
    texts = [SourceText(str(number), " ".join(text("en", 100, number))) for number in range(100)]
    with caplog.at_level(logging.WARNING):
        assert list(warned_once(iter(texts), "fr")) == texts
        assert list(warned_once([], "fr")) == []
    assert caplog.messages == ["annotate: the text seems to be English, not French. Check the language (now 'fr')."]
