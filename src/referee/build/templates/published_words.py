"""Word lists that the paper does not print, read from the published files in the data folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from referee.build.templates.wordlists import ENGLISH, GENDER, WORD, WordEntry, WordList
from referee.errors import InputError, MissingError
from referee.io.decoding import explained
from referee.io.files import existing, read_bytes
from referee.registry import lookup

PREFIX = "data:"
_FOLDER = "contracat/templates/vocabulary"


class Noun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A noun as published."""

    de: str
    gender: str


def published_words(name: str, data: Path) -> WordList:
    """The words of `data:NAME`."""
    reader = lookup("published word list", name, _READERS)
    path = data / _FOLDER / f"{name}.json"
    try:
        return WordList(PREFIX + name, (ENGLISH, WORD, GENDER), reader(read_bytes(path)))
    except MissingError:
        problem = f"the published word list {_FOLDER}/{name}.json is not in the data folder {data}"
        raise MissingError(
            problem, "download it from the ContraCAT repository, or choose another folder with --data"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        unreadable = explained(error, "download the file again")
        raise InputError(unreadable.problem, unreadable.remedy, existing(path), field=unreadable.field) from None


def _verbs(content: bytes) -> tuple[WordEntry, ...]:
    verbs = msgspec.json.decode(content, type=dict[str, str])
    return tuple(WordEntry(english, {WORD: german}) for english, german in verbs.items())


def _nouns(content: bytes) -> tuple[WordEntry, ...]:
    nouns = msgspec.json.decode(content, type=dict[str, Noun])
    return tuple(WordEntry(english, {WORD: noun.de}, noun.gender) for english, noun in nouns.items())


def _humans(content: bytes) -> tuple[WordEntry, ...]:
    """Words with one English form, and a noun for a man and one for a woman."""
    humans = msgspec.json.decode(content, type=dict[str, dict[str, str]])
    return tuple(
        WordEntry(english, {WORD: german}, gender)
        for english, forms in humans.items()
        for gender, german in forms.items()
    )


_READERS = {"trans_verb": _verbs, "concrete_noun": _nouns, "human": _humans}
