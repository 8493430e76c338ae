"""Nouns that are rare in training data, which say little about a model (ContraCAT, section 6.3).

A noun is counted in its target language, in all forms that its word list has, without regard to case.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.build.templates.wordlists import ENGLISH, WordEntry, WordList
from referee.errors import InputError
from referee.io.files import byte_lines, content_sha256, existing
from referee.io.progress import Progress, counted, no_progress

MIN_COUNT = 30

_WORD = re.compile(r"\w+")
_PUBLISHED = "paper"

Form = tuple[str, ...]
"""The words of a noun, most often one."""


@dataclass(frozen=True)
class RareNoun:
    """A noun in English and in the target language, and how often the corpus has it."""

    english: str
    word: str
    count: int


@dataclass(frozen=True)
class RareNouns:
    """The nouns that a corpus has less than `min_count` times, of all `nouns` that were counted.

    `corpus` is the name of the file, `sha256` the digest of its content, `lines` their number.
    """

    corpus: str
    sha256: str
    min_count: int
    lines: int
    nouns: int
    rare: tuple[RareNoun, ...]

    @property
    def words(self) -> frozenset[tuple[str, str]]:
        """The rare nouns in English and in the target language."""
        return frozenset((noun.english, noun.word) for noun in self.rare)

    @property
    def provenance(self) -> dict[str, object]:
        """What an item says about the filter."""
        return {"file": self.corpus, "sha256": self.sha256, "min_count": self.min_count}


def rare_nouns(
    lists: Iterable[WordList], corpus: Path, min_count: int = MIN_COUNT, progress: Progress = no_progress
) -> RareNouns:
    """Count the nouns of word lists in a text file, plain or packed with gzip; reads it line by line."""
    nouns = {word.key: word for words in lists for word in words.words if word.gender is not None}
    forms = {key: _forms(word) for key, word in nouns.items()}
    counts, lines = _counts({form for of_noun in forms.values() for form in of_noun}, corpus, progress)
    totals = {key: sum(counts[form] for form in of_noun) for key, of_noun in forms.items()}
    if not any(totals.values()):
        problem = f"has none of the {len(nouns):,} nouns of the templates"
        raise InputError(problem, "use the target side of the training data", existing(corpus))
    rare = tuple(RareNoun(*key, count) for key, count in totals.items() if count < min_count)
    return RareNouns(existing(corpus).name, content_sha256(corpus), min_count, lines, len(nouns), rare)


def _counts(forms: set[Form], corpus: Path, progress: Progress) -> tuple[Counter[Form], int]:
    """How often each form occurs, and the number of lines."""
    by_first: dict[str, list[Form]] = {}
    for form in sorted(forms):
        by_first.setdefault(form[0], []).append(form)
    counts: Counter[Form] = Counter()
    lines = 0
    for line in counted(_lines(corpus), progress):
        lines += 1
        words = _words(line)
        for index, word in enumerate(words):
            for form in by_first.get(word, ()):
                if len(form) == 1 or tuple(words[index : index + len(form)]) == form:
                    counts[form] += 1
    return counts, lines


def _lines(corpus: Path) -> Iterator[str]:
    for number, line in enumerate(byte_lines(corpus, crlf=True), 1):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            problem = f"is not valid UTF-8 ({error.reason})"
            raise InputError(problem, "convert it with `iconv -t UTF-8`", existing(corpus), number) from None


def _forms(word: WordEntry) -> set[Form]:
    texts = (form for name, form in word.forms.items() if name != _PUBLISHED and not name.startswith(f"{ENGLISH}."))
    return {form for text in texts if (form := tuple(_words(text)))}


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text).lower())
