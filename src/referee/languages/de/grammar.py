"""German noun phrases: which case they are in, and how determiner and adjectives change with gender and case."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Gender = Literal["m", "f", "n"]
Case = Literal["nom", "acc", "dat", "gen"]
Kind = Literal["definite", "der-word", "ein-word"]

GENDERS: tuple[Gender, ...] = ("m", "f", "n")
CASES: tuple[Case, ...] = ("nom", "acc", "dat", "gen")

_DEFINITE = {
    "m": ("der", "den", "dem", "des"),
    "f": ("die", "die", "der", "der"),
    "n": ("das", "das", "dem", "des"),
}
_DER_WORD = {"m": ("er", "en", "em", "es"), "f": ("e", "e", "er", "er"), "n": ("es", "es", "em", "es")}
_EIN_WORD = {"m": ("", "en", "em", "es"), "f": ("e", "e", "er", "er"), "n": ("", "", "em", "es")}
_WEAK = {"m": ("e", "en", "en", "en"), "f": ("e", "e", "en", "en"), "n": ("e", "e", "en", "en")}
_MIXED = {"m": ("er", "en", "en", "en"), "f": ("e", "e", "en", "en"), "n": ("es", "es", "en", "en")}
_STRONG = {"m": ("er", "en", "em", "en"), "f": ("e", "e", "er", "er"), "n": ("es", "es", "em", "en")}

_DEMONSTRATIVES = ("dies", "jen")
_QUANTIFIERS = ("jed", "welch", "manch")
_POSSESSIVES = ("mein", "dein", "sein", "ihr", "unser", "euer")
_ENDING = re.compile(r"e[nmrs]?$")
_WORD = re.compile(r"\w+(?:-\w+)*")


@dataclass(frozen=True)
class Determiner:
    """A word before a noun: its stem and how it is declined."""

    stem: str
    kind: Kind

    @property
    def is_possessive(self) -> bool:
        """Whether it says whose the thing is."""
        return self.stem in _POSSESSIVES

    @property
    def is_plain(self) -> bool:
        """Whether it is an article, a demonstrative or a possessive; others say how many, or deny."""
        return self.kind == "definite" or self.stem in ("ein", *_DEMONSTRATIVES, *_POSSESSIVES)

    def form(self, gender: Gender, case: Case) -> str:
        """The word in a gender and case."""
        column = CASES.index(case)
        if self.kind == "definite":
            return _DEFINITE[gender][column]
        endings = _DER_WORD if self.kind == "der-word" else _EIN_WORD
        ending = endings[gender][column]
        return ("eur" if self.stem == "euer" and ending else self.stem) + ending


ARTICLE = Determiner("d", "definite")

DETERMINERS = (
    ARTICLE,
    *(Determiner(stem, "der-word") for stem in (*_DEMONSTRATIVES, *_QUANTIFIERS)),
    *(Determiner(stem, "ein-word") for stem in ("ein", "kein", *_POSSESSIVES)),
)

_READINGS: dict[str, list[tuple[Determiner, Gender, Case]]] = defaultdict(list)
for _determiner in DETERMINERS:
    for _gender in GENDERS:
        for _case in CASES:
            _READINGS[_determiner.form(_gender, _case)].append((_determiner, _gender, _case))


@dataclass(frozen=True)
class Word:
    """A word and where it stands in its text."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Behind its last letter."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class NounPhrase:
    """A determiner, adjectives and a noun, and the cases it may be in if its noun has `gender`."""

    determiner: Word
    kind: Determiner
    adjectives: tuple[Word, ...]
    noun: Word
    gender: Gender
    cases: tuple[Case, ...]
    has_name: bool
    """Whether another capitalised word follows the noun, as in 'der Planet Ariannus'."""


def noun_phrase(text: str, start: int, end: int, gender: Gender) -> NounPhrase | str:
    """The phrase that begins at `start`, or what is wrong with it."""
    words = [Word(match[0], match.start()) for match in _WORD.finditer(text, start, end)]
    if not words or words[0].start != start or words[0].text.lower() not in _READINGS:
        return "the antecedent has no known determiner"
    nouns = [index for index, word in enumerate(words) if index and word.text[0].isupper()]
    if not nouns:
        return "the antecedent has no noun"
    adjectives = tuple(words[1 : nouns[0]])
    if any(not _ENDING.search(word.text) for word in adjectives):
        return "the antecedent has words that are not adjectives"
    if not all(between.isspace() for between in _gaps(text, words[: nouns[0] + 1])):
        return "the antecedent has marks in it"
    readings = [(kind, case) for kind, of, case in _READINGS[words[0].text.lower()] if of == gender]
    fitting = [
        (kind, case) for kind, case in readings if all(_agrees(word.text, kind, gender, case) for word in adjectives)
    ]
    if not fitting:
        return "the antecedent does not agree with its gender"
    return NounPhrase(
        determiner=words[0],
        kind=fitting[0][0],
        adjectives=adjectives,
        noun=words[nouns[0]],
        gender=gender,
        cases=tuple(case for _, case in fitting),
        has_name=len(nouns) > 1 and nouns[1] == nouns[0] + 1,
    )


def adjective_ending(determiner: Determiner | None, gender: Gender, case: Case) -> str:
    """The ending after a determiner; None stands for none, and for a genitive such as 'Marias'."""
    table = _STRONG if determiner is None else _MIXED if determiner.kind == "ein-word" else _WEAK
    return table[gender][CASES.index(case)]


def with_ending(adjective: str, ending: str) -> str:
    """The adjective with another ending."""
    return _ENDING.sub("", adjective) + ending


def like(word: str, model: str) -> str:
    """The word with a capital if the model has one."""
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def _agrees(adjective: str, determiner: Determiner, gender: Gender, case: Case) -> bool:
    return _ENDING.search(adjective)[0] == adjective_ending(determiner, gender, case)  # type: ignore[index]


def _gaps(text: str, words: list[Word]) -> list[str]:
    return [text[before.end : after.start] for before, after in pairwise(words)]
