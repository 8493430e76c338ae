"""Counts of word forms in the running text of the encoder."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import regex

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_SENTENCE_START = regex.compile(r"(?:^|[.!?…:;\n\-–—\"“”„«»(\['‚‘])[\s\-–—\"“”„«»(\['‚‘¿¡]*$")
_BEFORE = 6
"""Characters that tell whether a word starts a sentence."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often forms occur, and how often with a capital that the start of a sentence explains."""

    total: Counter[str] = field(default_factory=Counter)
    initial: Counter[str] = field(default_factory=Counter)

    def inside(self, form: str) -> int:
        """How often a form occurs as it is spelled, not because a sentence starts."""
        return self.total[form] - self.initial[form]


def texts(path: Path, language: str) -> Iterator[str]:
    """The lines of a language. Those of the file are `[part, language, English, that language]`."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            _, other, english, translation = json.loads(line)
            if language in ("en", other):
                yield english if language == "en" else translation


def count_forms(path: Path, language: str) -> Counts:
    """Count the forms of a language."""
    counts = Counts()
    for text in texts(path, language):
        _count(text, counts)
    return counts


def _count(text: str, counts: Counts) -> None:
    for match in _WORD.finditer(text):
        form = match[0]
        counts.total[form] += 1
        if not form[0].islower() and _SENTENCE_START.search(text[max(0, match.start() - _BEFORE) : match.start()]):
            counts.initial[form] += 1
