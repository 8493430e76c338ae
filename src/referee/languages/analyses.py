"""Analyses of word forms, as lexicons give them, in the values of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

UNCLEAR = "*"
"""A column on which analyses disagree, or that a lexicon does not tell."""


class Analysis(NamedTuple):
    """What a form may be; a feature that the word does not have is empty, one that the lexicon does not know `*`."""

    upos: str
    gender: str = ""
    number: str = ""
    case: str = ""
    animacy: str = ""
    lemma: str = UNCLEAR


def agreed(analyses: Sequence[Analysis]) -> Analysis:
    """The columns on which all analyses agree; the others are `*`.

    >>> agreed([Analysis("NOUN", "Fem", "Sing", "Nom"), Analysis("NOUN", "Fem", "Sing", "Acc")])
    Analysis(upos='NOUN', gender='Fem', number='Sing', case='*', animacy='', lemma='*')
    """
    return Analysis(*(column[0] if len(set(column)) == 1 else UNCLEAR for column in zip(*analyses, strict=True)))


def distinct(analyses: Iterable[Analysis]) -> tuple[Analysis, ...]:
    """Analyses without repetition, in order."""
    return tuple(dict.fromkeys(analyses))
