"""Where a text has the pronouns of the third person singular that are counted."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import regex

from referee.languages import base, language, languages, script
from referee.languages.schema import Pronouns
from referee.languages.text import starts_sentence
from referee.registry import lookup

GENDERS = ("m", "f", "n")
POLITE = "polite"
"""Instead of a gender: a pronoun that addresses somebody, told by its capital inside a sentence."""


class Mention(NamedTuple):
    """A pronoun in a text: its gender (or `POLITE`), and its characters."""

    gender: str
    start: int
    end: int


def pronouns_of(code: str) -> Pronouns:
    """The pronouns of a language, whatever its region; an unknown language is answered with those that are known."""
    codes = {code: code for code in languages("pronouns.toml")}
    return language(lookup("language", base(code), codes)).pronouns or Pronouns()


def mentions(text: str, code: str) -> list[Mention]:
    """Nominative singular pronouns as whole words, in order. The text is in NFC; apostrophes and hyphens end words.

    A capital distinguishes the polite form inside a sentence, but not in a word that is all capitals.
    """
    pattern, genders, polite = _search(base(code))
    pronouns = []
    for match in pattern.finditer(text):
        word = match.group()
        capital = word[0].isupper() and not script.is_shouted(word) and not starts_sentence(text, match.start())
        pronouns.append(
            Mention(POLITE if capital and word.lower() in polite else genders[word], match.start(), match.end())
        )
    return pronouns


@cache
def _search(code: str) -> tuple[regex.Pattern[str], dict[str, str], frozenset[str]]:
    pronouns = pronouns_of(code)
    genders = {
        written: gender
        for gender, forms in pronouns.nominative.items()
        for form in forms
        # Named one by one: ignoring case would take letters for the same that `lower` does not (long s).
        for written in (form, form.capitalize(), form.upper())
    }
    return script.any_of(genders, code), genders, pronouns.polite
