"""Small questions about words in a text that several parts ask."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from referee.items import is_mixed_script
from referee.languages import script
from referee.languages.script import Span

_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z]")
_CYRILLIC_TWINS = str.maketrans("ABCEHKMOPTXYacekopxy", "АВСЕНКМОРТХУасекорху")
_ENDS = script.ENDS | set(":：")


def find_once(part: str, text: str, code: str = "") -> Span | None:
    """Where `part` stands as whole words in `text`, if it stands there exactly once."""
    hits = [match.span() for match in script.exact(part, code).finditer(text)]
    return hits[0] if len(hits) == 1 else None


def starts_sentence(text: str, start: int) -> bool:
    """Whether a sentence begins there, as far as punctuation tells: then a capital says nothing."""
    for before in range(start - 1, -1, -1):
        if text[before] in _ENDS:
            return True
        if not (text[before].isspace() or text[before] == "♪" or unicodedata.category(text[before]).startswith("P")):
            return False
    return True


def changed_words(texts: Sequence[str], code: str = "") -> list[list[Span]]:
    """Per text, the positions of the words in which the candidates differ.

    Each text is compared word by word with the first, the first with the second. Without spaces a word more or less
    shifts all characters behind it, so these texts are aligned first.
    """
    others = [texts[1 if len(texts) > 1 else 0], *[texts[0]] * (len(texts) - 1)]
    return [_changed(text, other, code) for text, other in zip(texts, others, strict=True)]


def _changed(text: str, other: str, code: str) -> list[Span]:
    if script.is_unspaced(text) or script.is_unspaced(other):
        return differing_words(text, other, code)[0]
    pairs = zip(_spanned(text, code), _spanned(other, code), strict=False)
    return [span for (word, span), (their_word, _) in pairs if word != their_word]


def _spanned(text: str, code: str) -> list[tuple[str, Span]]:
    return [(text[start:end], (start, end)) for start, end in script.word_spans(text, code)]


def differing_words(one: str, other: str, code: str = "") -> tuple[list[Span], list[Span]]:
    """Where the words stand, in each of two texts, that the other does not have there: what tells twins apart."""
    ours, theirs = _spanned(one, code), _spanned(other, code)
    # Never junk: a word that is frequent tells twins apart as well as a rare one.
    matcher = SequenceMatcher(None, [word for word, _ in ours], [word for word, _ in theirs], autojunk=False)
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    return (
        [span for _, start, end, _, _ in changes for _, span in ours[start:end]],
        [span for _, _, _, start, end in changes for _, span in theirs[start:end]],
    )


def normalise_cyrillic(text: str) -> str:
    """Replace Latin letters by the Cyrillic ones they look like, in words that mix both scripts.

    A word with a Latin letter that resembles no Cyrillic one is left alone: it is foreign, not mistyped.
    """
    return _LETTERS.sub(lambda word: _in_one_script(word[0]), text) if is_mixed_script(text) else text


def _in_one_script(word: str) -> str:
    if not is_mixed_script(word):
        return word
    cyrillic = word.translate(_CYRILLIC_TWINS)
    return word if _LATIN.search(cyrillic) else cyrillic
