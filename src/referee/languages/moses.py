"""How many Moses tokens a text has: the count of `sacremoses`, a word at a time.

The package reads a text with some fifteen patterns, and builds sets of thousands of letters at every full stop. But
what it makes of a word between spaces depends on its neighbours in few cases only. So a word is counted once, and the
package is asked about those that are more than letters and marks. The counts are the same, whatever the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sacremoses import MosesTokenizer

_WORDS_KEPT = 1 << 17
_DEPENDS = 1 << 32
"""Added to the count of a word that depends on the words next to it; more than any text has tokens."""

# A word before and after, as far as the rules tell such words apart.
_BEFORE = "x "
_SMALL, _DIGIT, _OTHER, _NOTHING = " x", " 1", " X", ""


def token_counter(language: str) -> Callable[[str], int]:
    """Counts the tokens of a text, as `len(MosesTokenizer(language).tokenize(text, escape=False))` does."""
    from sacremoses import MosesTokenizer

    tokenizer = MosesTokenizer(language)
    normalising = (tokenizer.DEDUPLICATE_SPACE, tokenizer.ASCII_JUNK)
    afters = _follower_kinds(tokenizer)
    tokens = _word_counter(tokenizer)
    in_context = lru_cache(_WORDS_KEPT)(tokens)
    middle = _Counts(lambda word: tokens(_BEFORE, word, _OTHER) + _DEPENDS * _looks_around(word))
    final = _Counts(lambda word: tokens(_BEFORE, word, _NOTHING) + _DEPENDS * (word[0] == "'"))

    def count(text: str) -> int:
        if not text.isprintable():
            for pattern, replacement in normalising:
                text = pattern.sub(replacement, text)
        words = text.split()
        if not words:
            return 0
        total = sum(map(middle.__getitem__, words[:-1])) + final[words[-1]]
        if total < _DEPENDS and words[0][0] not in ",'":
            return total
        if any(word[-1] == "'" == following[0] for word, following in pairwise(words)):
            # Two apostrophes share the space between them, and only the first is seen.
            return len(tokenizer.tokenize(text, escape=False))
        befores = ["", *[_BEFORE] * (len(words) - 1)]
        return sum(map(in_context, befores, words, afters(words, _NOTHING)))

    return count


def _looks_around(word: str) -> bool:
    """Whether neighbours matter to a word in the middle: a full stop looks ahead, an apostrophe back."""
    return word[0] == "'" or (word[-1] == "." and not word.endswith(".."))


def _follower_kinds(tokenizer: MosesTokenizer) -> Callable[[Sequence[str], str], list[str]]:
    """For every word what kind of word follows; the last is told."""
    small_letters = frozenset(tokenizer.IsLower)

    def kind(word: str) -> str:
        return _SMALL if word[0] in small_letters else _DIGIT if word[0] in "0123456789" else _OTHER

    return lambda words, last: [*map(kind, words[1:]), last]


def _word_counter(tokenizer: MosesTokenizer) -> Callable[[str, str, str], int]:
    """Counts the tokens of a word between what stands before and after it."""
    symbol, _ = tokenizer.PAD_NOT_ISALNUM
    plain = frozenset(tokenizer.IsAlnum) | {"-", "`"}
    letters = frozenset(tokenizer.IsAlpha)
    abbreviations = {*tokenizer.NONBREAKING_PREFIXES, *tokenizer.NUMERIC_ONLY_PREFIXES}
    # Elsewhere an apostrophe between letters is a token of its own.
    elided = 2 if tokenizer.lang in ("en", "fr", "it") else 3
    afters = _follower_kinds(tokenizer)

    def of_part(part: str, after: str) -> int | None:
        """The tokens of a symbol, or of what stands between two; None where the package has to be asked."""
        if len(part) == 1 or plain.issuperset(part):
            return 1
        stem, mark = part[:-1], part[-1]
        if mark == "," and plain.issuperset(stem):
            return 2
        before, apostrophe, behind = part.partition("'")
        if apostrophe and before and behind and letters.issuperset(before) and letters.issuperset(behind):
            return elided
        if mark != "." or "," in part or "'" in part or stem in abbreviations:
            return None
        if ".." in part:
            stem = part.rstrip(".")
            return 1 + bool(stem) if plain.issuperset(stem) else None
        return 1 if after == _SMALL or ("." in stem and not letters.isdisjoint(stem)) else 2

    def count(before: str, word: str, after: str) -> int:
        if plain.issuperset(word):
            return 1
        # Every symbol is a token of its own.
        parts = [part for part in symbol.split(word) if part]
        counts = [of_part(word, after)] if len(parts) == 1 else list(map(of_part, parts, afters(parts, after)))
        if None in counts:
            return len(tokenizer.tokenize(before + word + after, escape=False)) - len((before + after).split())
        return sum(filter(None, counts))

    return count


class _Counts(dict[str, int]):
    """Counts of words, filled in as words occur; cleared when there are very many."""

    def __init__(self, count: Callable[[str], int]) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, word: str) -> int:
        if len(self) >= _WORDS_KEPT:
            self.clear()
        self[word] = count = self._count(word)
        return count
