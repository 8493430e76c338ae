"""Small questions about words in a text that several parts ask."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from referee.items import is_mixed_script

_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z]")
_CYRILLIC_TWINS = str.maketrans("ABCEHKMOPTXYacekopxy", "АВСЕНКМОРТХУасекорху")
_ENDS = frozenset(".!?:…")
_APOSTROPHE = re.compile("[’ʼ`´]")


def find_once(part: str, text: str) -> tuple[int, int] | None:
    """Where `part` stands as whole words in `text`, if it stands there exactly once."""
    if not part:
        return None
    hits = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", text)]
    return hits[0] if len(hits) == 1 else None


def normalised(text: str) -> str:
    """The text with accents and apostrophes written in one form."""
    return _APOSTROPHE.sub("'", unicodedata.normalize("NFC", text))


def starts_sentence(text: str, start: int) -> bool:
    """Whether a sentence begins there, as far as punctuation tells: then a capital says nothing."""
    for before in range(start - 1, -1, -1):
        if text[before] in _ENDS:
            return True
        if not (text[before].isspace() or text[before] == "♪" or unicodedata.category(text[before]).startswith("P")):
            return False
    return True


def changed_words(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Per text, the positions of the words in which the candidates differ.

    Each text is compared word by word with the first, the first with the second.
    """
    words = [[(match.group(), match.span()) for match in _WORD.finditer(text)] for text in texts]
    others = [words[1 if len(words) > 1 else 0]] + [words[0]] * (len(words) - 1)
    return [
        [span for (word, span), (other, _) in zip(these, those, strict=False) if word != other]
        for these, those in zip(words, others, strict=True)
    ]


def differing_words(one: str, other: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where the words stand, in each of two texts, that the other does not have there: what tells twins apart."""
    ours, theirs = ([(match.group(), match.span()) for match in _WORD.finditer(text)] for text in (one, other))
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
