"""Where sentences end by the package `sentence-splitter`, as in published figures; found in one pass over the text.

The package reads a text eight times and looks at every word. Here a single pattern finds the spaces that may be
borders, and whether a full stop belongs to an abbreviation is asked of the package itself, once for each word. The
sentences are the same, whatever the text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

import regex

from referee.languages import base

if TYPE_CHECKING:
    from sentence_splitter import SentenceSplitter

_START = r"[\p{Lu}\p{Lo}]"
_OPENING = r"""['"(\[¿¡\p{Pi}]"""
_QUOTING = r"""['"\[¿¡\p{Pi}]"""
_CLOSING = r"""['")\]\p{Pf}]"""
# Every alternative ends with the space. Only the last has a group: there the word before the full stop decides.
_SPACE_AFTER_MARK = regex.compile(
    rf"""
      [?!.][ ]?{_CLOSING}+[ ](?={_OPENING}*[ ]?{_START})
    | (?:[?!]|(?<=\.)\.)[ ](?={_OPENING}*{_START})
    | [?!.][ ](?={_QUOTING}+{_START}|['"]*[\[¿¡\p{{Pi}}]{_QUOTING}*[ ]{_START})
    | (\.)[ ](?={_OPENING}*(?:{_START}|[0-9]))
    """,
    regex.VERBOSE,
)
_PLAIN_WORD = regex.compile(r"""['"(\[]*([\w-]+)\.""")
_SPACES = regex.compile(" +")
_WORDS_KEPT = 1 << 16


@cache
def paper_splitter(language: str) -> Callable[[str], list[str]]:
    """Function that splits a text into sentences without the spaces around them, by the package's rules.

    A language that it does not know has the rules of English.
    """
    package, code = _package(base(language))
    ends_after = _full_stops(package, code)

    def split(text: str) -> list[str]:
        if not text:
            return []
        stripped = text.strip()
        if "\n" in stripped:
            # A line break is a border too, and the package has rules for the blanks around it.
            lines: list[str] = package.split(text)
            return lines
        if "  " in stripped:
            stripped = _SPACES.sub(" ", stripped)
        sentences, start = [], 0
        for match in _SPACE_AFTER_MARK.finditer(stripped):
            end = match.end()
            if match.lastindex is not None:
                word = stripped[stripped.rfind(" ", start, end - 1) + 1 or start : end - 1]
                if not ends_after(word, "1" if stripped[end] in "0123456789" else "A"):
                    continue
            sentences.append(stripped[start : end - 1])
            start = end
        sentences.append(stripped[start:])
        return sentences

    return split


def _full_stops(package: SentenceSplitter, code: str) -> Callable[[str, str], bool]:
    """Whether a sentence ends after a word with a full stop, when a letter or a digit follows."""
    abbreviations = {*listed_abbreviations(code)}

    @lru_cache(_WORDS_KEPT)
    def ends_after(word: str, following: str) -> bool:
        plain = _PLAIN_WORD.fullmatch(word)
        if plain is not None and plain.group(1) not in abbreviations:
            return True
        return len(package.split(f"{word} {following}")) > 1

    return ends_after


@cache
def listed_abbreviations(code: str) -> dict[str, bool]:
    """The package's abbreviations of a language, or of English; whether each is one only before a number."""
    if not has_listed_abbreviations(code):
        return listed_abbreviations("en")
    lines = (line.partition("#") for line in _list(code).read_text("utf-8").splitlines())
    return {word.strip(): "NUMERIC_ONLY" in comment for word, _, comment in lines if word.strip()}


@cache
def has_listed_abbreviations(code: str) -> bool:
    """Whether the package knows the language."""
    return _list(code).is_file()


def _list(code: str) -> Traversable:
    return files("sentence_splitter").joinpath("non_breaking_prefixes", f"{code}.txt")


def _package(code: str) -> tuple[SentenceSplitter, str]:
    from sentence_splitter import SentenceSplitter, SentenceSplitterException

    try:
        return SentenceSplitter(language=code), code
    except SentenceSplitterException:
        return SentenceSplitter(language="en"), "en"
