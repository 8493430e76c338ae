"""Whether a text is in the language that the user named: by its script, and by its most frequent words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

import regex

from referee.annotate.protocols import SourceText
from referee.languages import base, language, languages
from referee.logs import logger

MOST_WORDS = 3000
FEWEST_WORDS = 150
"""Shorter texts say too little: titles and lists have few function words."""
_LEAST_SHARE = 0.12
_LEAST_RATIO = 4
"""In texts of eight languages, 150 words each, words of the wrong language were never that frequent."""
_LEAST_IN_SCRIPT = 0.1
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")
_SCRIPTS = {"Latn": regex.compile(r"\p{Latin}"), "Cyrl": regex.compile(r"\p{Cyrillic}")}


def warned_once(texts: Iterable[SourceText], code: str) -> Iterator[SourceText]:
    """Pass texts on; a warning is logged if the first of them are in another language."""
    first: list[SourceText] = []
    words: list[str] = []
    remaining = iter(texts)
    for text in remaining:
        first.append(text)
        words += (match[0].lower() for match, _ in zip(_WORD.finditer(text.text), range(MOST_WORDS), strict=False))
        if len(words) >= MOST_WORDS:
            break
    if (problem := mismatch(words[:MOST_WORDS], code)) is not None:
        logger.warning("annotate: %s", problem)
    return chain(first, remaining)


def mismatch(words: list[str], code: str) -> str | None:
    """Say what other language the words seem to be, or that they are in another script; None if nothing is wrong.

    Texts of less than 150 words and texts that mix languages are not enough for a warning.
    """
    if len(words) < FEWEST_WORDS:
        return None
    wanted = language(code)
    name = wanted.name or code
    script = _SCRIPTS.get(wanted.script)
    if script and sum(script.match(word) is not None for word in words) < _LEAST_IN_SCRIPT * len(words):
        return f"the text is not in the script of {name}. Check the language (now '{code}')."
    if not wanted.function_words:
        return None
    shares = {other: _shares(words, base(code), other) for other in _with_function_words() if other != base(code)}
    other, (expected, found) = max(shares.items(), key=lambda pair: pair[1][1] - pair[1][0])
    if found < max(_LEAST_SHARE, _LEAST_RATIO * expected):
        return None
    return f"the text seems to be {language(other).name}, not {name}. Check the language (now '{code}')."


def _shares(words: list[str], code: str, other: str) -> tuple[float, float]:
    """How many words are frequent in one language and not in the other, for both."""
    one, two = language(code).function_words, language(other).function_words
    return (
        sum(word in one and word not in two for word in words) / len(words),
        sum(word in two and word not in one for word in words) / len(words),
    )


@cache
def _with_function_words() -> tuple[str, ...]:
    return tuple(code for code in languages() if language(code).function_words)
