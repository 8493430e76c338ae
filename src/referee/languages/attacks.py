"""The words that attacks put in, by language, from the files in `data/`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

LANGUAGES = ("de", "en", "es", "fr", "it", "pl", "pt", "ru")


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase to add: `text` as it is written inside a sentence, `end` its mark as a sentence of its own.

    `comma` where one stands between it and the sentence that it continues; `paper` where it was published otherwise.
    """

    text: str
    end: str = "."
    comma: bool = False
    paper: str | None = None


class Owner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A possessive, before the noun instead of its determiner or after it; `paper` where it was published otherwise."""

    text: str
    place: Literal["before", "after"] = "after"
    paper: str | None = None


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What attacks know of a language.

    `after_colon` says how a sentence goes on after a colon, `stop_outside` whether the full stop of a quoted sentence
    stands behind the quotation mark. `starters` are words that have a capital only because a
    sentence begins with them. `determiners` may open an antecedent and are replaced by a possessive that stands before
    the noun; `owned` maps those that name an owner already to what is left of them when another owner follows.
    """

    quotes: tuple[str, str]
    after_colon: Literal["capital", "small"]
    starters: frozenset[str]
    phrases: dict[str, Phrase]
    owners: dict[str, Owner]
    colon: str = ":"
    stop_outside: bool = False
    determiners: frozenset[str] = frozenset()
    owned: dict[str, str] = {}


@cache
def words(language: str) -> Words | None:
    """The words of a language such as `de` or `de-CH`; None where there are none."""
    base = language.partition("-")[0]
    if base not in LANGUAGES:
        return None
    text = files("referee.languages").joinpath(base, "attacks.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Words)
