"""Persons, animals and things among English nouns (WordNet's classes), and genders of first names (US census)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from referee.io.files import text_lines

_ROOT = Path(str(files("referee.languages"))) / "en"


@cache
def noun_classes() -> dict[str, tuple[str, ...]]:
    """Classes of a noun in the singular, as spelled, the most frequent first.

    They are WordNet's: act, animal, artifact, body, food, group, location, object, person, plant, time and others.

    >>> noun_classes()["bank"]
    ('object', 'group')
    """
    rows = (line.partition("\t") for line in text_lines(_ROOT / "nouns.tsv.gz"))
    return {noun: tuple(classes.split(" ")) for noun, _, classes in rows}


@cache
def name_kinds() -> dict[str, str]:
    """`m`, `f` or `mf` for a first name, `s` for a name that is a family name only; one capital (`Mcgowan`).

    >>> name_kinds()["Mary"]
    'f'
    """
    rows = (line.partition("\t") for line in text_lines(_ROOT / "names.tsv.gz"))
    return {name: kind for name, _, kind in rows}
