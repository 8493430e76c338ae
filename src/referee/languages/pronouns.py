"""Pronouns of the third person singular: a table for each language, and where a text has those that are counted."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec
import regex

from referee.languages.text import starts_sentence
from referee.registry import lookup

GENDERS = ("m", "f", "n")
POLITE = "polite"
"""Instead of a gender: a pronoun that addresses somebody, told by its capital inside a sentence."""

_LETTER = r"[\p{L}\p{M}\p{N}_]"


class Pronouns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What pronouns.toml says of a language."""

    m: tuple[str, ...] = ()
    f: tuple[str, ...] = ()
    n: tuple[str, ...] = ()
    nominative: dict[str, tuple[str, ...]] = {}
    ambiguous: frozenset[str] = frozenset()
    demonstrative: dict[str, tuple[str, ...]] = {}
    polite: frozenset[str] = frozenset()
    plural: frozenset[str] = frozenset()
    neutral: tuple[str, ...] = ()

    def of(self, gender: str) -> tuple[str, ...]:
        """All forms of a gender."""
        return {"m": self.m, "f": self.f, "n": self.n}.get(gender, ())

    def is_ambiguous(self, gender: str) -> bool:
        """Whether a form that is counted for the gender means something else as well."""
        return not self.ambiguous.isdisjoint(self.nominative[gender])


class Mention(NamedTuple):
    """A pronoun in a text: its gender (or `POLITE`), and its characters."""

    gender: str
    start: int
    end: int


@cache
def languages() -> Mapping[str, Pronouns]:
    """The pronouns of every language that has any."""
    text = resources.files("referee.languages").joinpath("pronouns.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Pronouns])


def pronouns_of(language: str) -> Pronouns:
    """The table of a language, whatever its region; an unknown language is answered with those that are known."""
    return lookup("language with pronouns", language.partition("-")[0], languages())


def mentions(text: str, language: str) -> list[Mention]:
    """Nominative singular pronouns as whole words, in order. The text is in NFC; apostrophes and hyphens end words."""
    pattern, genders = _search(language.partition("-")[0])
    polite = pronouns_of(language).polite
    found = []
    for match in pattern.finditer(text):
        word = match.group()
        capital = word[0].isupper() and word.lower() in polite and not starts_sentence(text, match.start())
        found.append(Mention(POLITE if capital else genders[word], match.start(), match.end()))
    return found


def whole_word(forms: Iterable[str]) -> regex.Pattern[str]:
    """Any of the forms, just as they are written, between what are not letters."""
    return regex.compile(f"(?<!{_LETTER})(?:{'|'.join(map(regex.escape, sorted(forms)))})(?!{_LETTER})")


@cache
def _search(language: str) -> tuple[regex.Pattern[str], dict[str, str]]:
    genders = {
        written: gender
        for gender, forms in pronouns_of(language).nominative.items()
        for form in forms
        # Named one by one: ignoring case would take letters for the same that `lower` does not (long s).
        for written in (form, form.capitalize(), form.upper())
    }
    return whole_word(genders), genders
