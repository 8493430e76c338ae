"""Where the tokens of a sentence stand: words, clitics and punctuation; single characters without spaces."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from referee.languages import language
from referee.languages.script import LETTER, WORD, is_unspaced

TokenSpan = tuple[int, int]

_MARK = rf"((?!{LETTER})\S)\1*"
_APOSTROPHE = r"['’ʼ]"
_SAME = str.maketrans("’ʼ", "''")
# By whether the text has a script without spaces, which takes longer.
_BEFORE = [regex.compile(rf"{word}{_APOSTROPHE}(?={LETTER})|{word}|{_MARK}") for word in (f"{LETTER}+", WORD)]
_AFTER = [regex.compile(rf"(?<={LETTER}){_APOSTROPHE}{word}|{word}|{_MARK}") for word in (f"{LETTER}+", WORD)]
_SPACED = regex.compile(r"\S+")


def token_spans(text: str, code: str) -> list[TokenSpan]:
    """Words and marks; a mark that is repeated ("...") is one."""
    # In a language that elides, an apostrophe belongs to the word before it (l'eau); elsewhere it begins what follows.
    patterns = _BEFORE if language(code).contractions.elide else _AFTER
    return [match.span() for match in patterns[is_unspaced(text)].finditer(text)]


def spaced_spans(text: str) -> list[TokenSpan]:
    """The text between spaces: the tokens of a text that was tokenised elsewhere."""
    return [match.span() for match in _SPACED.finditer(text)]


def words(text: str, spans: Sequence[TokenSpan]) -> list[str]:
    """The tokens as an aligner compares them: in small letters, with one kind of apostrophe."""
    return [text[start:end].lower().translate(_SAME) for start, end in spans]
