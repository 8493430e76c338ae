"""Words of Winograd schemas: mentions of candidates, starts of sentences, abbreviations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from referee.languages.script import ENDS

_LAST_WORD = re.compile(r"\w+\Z")
_ENDS = re.escape("".join(sorted(ENDS)))
_SENTENCE_START = re.compile(rf"""(?:\A|[{_ENDS}]["'”’»)\]]*\s)\s*["'“‘„«(\[]*\Z""")


@dataclass(frozen=True)
class Mention:
    """A mention of a candidate (by its number) from `start` to `end`; from `core` on without its article."""

    candidate: int
    start: int
    core: int
    end: int


def without_article(text: str, articles: Sequence[str]) -> str:
    """The candidate without its initial article, if it has one."""
    match = _article(tuple(articles)).match(text)
    return text[match.end() :] if match and match.end() < len(text) else text


def mentions(text: str, candidates: Sequence[str], articles: Sequence[str]) -> list[Mention]:
    """The mentions of candidates as whole words, in order, without those inside a mention of another candidate.

    A candidate with an article is also matched with another or without. The case of first letters does not matter.
    """
    kept: list[Mention] = []
    # The longest first: "Emma" is not mentioned in "Emma's mother", if that is the other candidate.
    for number in sorted(range(len(candidates)), key=lambda number: -len(candidates[number])):
        kept += [
            mention
            for mention in _mentions_of(text, candidates[number], number, articles)
            if not any(mention.start < other.end and other.start < mention.end for other in kept)
        ]
    return sorted(kept, key=lambda mention: mention.start)


def starts_sentence(before: str) -> bool:
    """Whether what follows `before` begins a sentence."""
    return _SENTENCE_START.search(before) is not None


def with_case(text: str, *, upper: bool) -> str:
    """The text with its first letter in upper or lower case."""
    return (text[:1].upper() if upper else text[:1].lower()) + text[1:]


def is_abbreviation(before: str, abbreviations: Collection[str]) -> bool:
    """Whether a full stop after `before` ends an abbreviation: a title, or an initial."""
    match = _LAST_WORD.search(before)
    if match is None or match[0] == "I":
        return False
    return match[0] in abbreviations or (len(match[0]) == 1 and match[0].isupper())


def _mentions_of(text: str, candidate: str, number: int, articles: Sequence[str]) -> Iterator[Mention]:
    core = without_article(candidate, articles)
    words = core.split()
    if not words:
        return
    first = words[0][0]
    initial = f"(?:{re.escape(first.upper())}|{re.escape(first.lower())})"
    rest = re.escape(words[0][1:]) + "".join(rf"\s+{re.escape(word)}" for word in words[1:])
    article = rf"(?:(?<!\w){_article(tuple(articles)).pattern})?" if core != candidate else ""
    pattern = rf"{article}(?P<core>(?<!\w){initial}{rest})(?!\w)"
    for match in re.finditer(pattern, text):
        yield Mention(number, match.start(), match.start("core"), match.end())


@cache
def _article(articles: tuple[str, ...]) -> re.Pattern[str]:
    if not articles:
        return re.compile("(?!)")
    ordered = sorted(articles, key=len, reverse=True)
    parts = [re.escape(form) + ("" if form[-1] in "'’" else r"\s+") for word in ordered for form in _cases(word)]
    return re.compile(f"(?:{'|'.join(parts)})")


def _cases(word: str) -> tuple[str, str]:
    return word, with_case(word, upper=True)
