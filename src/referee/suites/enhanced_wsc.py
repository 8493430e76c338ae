"""Enhanced WSC: 285 Winograd schemas under ten perturbations, each paired with its original.

A table has one row per schema and a column per perturbation, `-` where it does not apply. Seven perturbations and the
originals were published again in WinoGrande's format, lower-cased and with the gap in place; those texts are read. The
table's own positions of the pronoun are often wrong, so in the other three it is found from its place in the original.
Random letters (`scrambled`) and stray nouns (`freqnoun`) are controls, not paraphrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from referee.items import GAP, Candidate, ChangeKind, Item, Origin, SetOrigin, Span
from referee.languages.text import find_once
from referee.suites.records import json_lines, placed, to_items, tsv
from referee.suites.suite import Suite
from referee.suites.winograd import ASSOCIATIVE

NAME = "enhanced-wsc"
ORIGINAL = "original"
TABLE = "enhanced-wsc/enhanced_wsc.tsv"
COLUMNS = 38
NONE = "-"
"""What a cell has where the perturbation does not apply."""
PAPER = "Abdou et al. 2020, The Sensitivity of Language Models and Humans to Winograd Schema Perturbations"


class Schema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line in WinoGrande's format; the id is `q`, a digit for the perturbation and the row of the table from 0."""

    sentence: str
    option1: str
    option2: str
    answer: Literal["1", "2"]
    pair_number: int
    id: str = msgspec.field(name="qID")
    associative: Literal[0, 1]
    switchable: Literal[0, 1]


Row = dict[str, str]
"""A row of the table by column."""
Locate = Callable[[Row, str, int], int]
"""Where the pronoun begins in a perturbed text, from the row, the text and its place in the original."""


@dataclass(frozen=True)
class Version:
    """One form of all schemas: its column, its file in WinoGrande's format (with the digit of its ids), its kind."""

    name: str
    column: str
    file: str | None = None
    digit: str = ""
    pronoun: str = "pron"
    kind: ChangeKind = "attack"
    locate: Locate | None = None


def _after_context(row: Row, text: str, place: int) -> int:
    """The original is somewhere in the text."""
    start = _squeezed(text).lower().find(_squeezed(row["text_original"]).lower())
    if start < 0:
        raise ValueError("text_random_context: does not contain the original")
    return _unsqueezed(text, start + len(_squeezed(row["text_original"][:place])))


def _same_occurrence(row: Row, text: str, place: int) -> int:
    """Words were added or scrambled, but none of them is the pronoun."""
    pronoun = re.compile(rf"(?<!\S){re.escape(row['pron'])}(?!\S)", re.IGNORECASE)
    before = sum(match.start() < place for match in pronoun.finditer(row["text_original"]))
    places = [match.start() for match in pronoun.finditer(text)]
    if len(places) != sum(1 for _ in pronoun.finditer(row["text_original"])):
        raise ValueError(f"pron: {row['pron']!r} is not in the perturbed text as often as in the original")
    return places[before]


def _squeezed(text: str) -> str:
    """The text without spaces, which were lost or added here and there."""
    return "".join(text.split())


def _unsqueezed(text: str, place: int) -> int:
    """The place in the text of a character of its squeezed form."""
    letters = [index for index, character in enumerate(text) if not character.isspace()]
    return letters[place] if place < len(letters) else len(text)


def _jsonl(name: str) -> str:
    return f"enhanced-wsc/jsonl/text_{name}.jsonl"


VERSIONS = (
    Version(ORIGINAL, "text_original", _jsonl("original"), "0"),
    Version("voice", "text_voice", _jsonl("voice"), "1"),
    Version("tense", "text_tense", _jsonl("tense"), "2"),
    Version("number", "text_number", _jsonl("number"), "3", pronoun="pron_number"),
    Version("gender", "text_gender", _jsonl("gender"), "4", pronoun="pron_gender"),
    Version("rel_clause", "text_rel_clause", _jsonl("rel_1"), "5"),
    Version("syn", "text_syn", _jsonl("syn"), "6"),
    Version("adverb", "text_adverb", _jsonl("adverb"), "7"),
    Version("random_context", "text_random_context", locate=_after_context),
    Version("scrambled", "text_scrambled", kind="probe", locate=_same_occurrence),
    Version("freqnoun", "text_freqnoun", kind="probe", locate=_same_occurrence),
)


def read_all(data: Path) -> Iterator[Item]:
    """The originals and then all that was made of them."""
    for version in VERSIONS:
        yield from read(data, version)


def read(data: Path, version: Version) -> Iterator[Item]:
    """One version of the schemas that have it."""
    rows = _rows(data / TABLE)
    if version.file is not None:
        path = data / version.file
        return to_items(path, json_lines(path, Schema), lambda _, schema: _published(schema, version, rows))
    originals = {_row_of(schema, VERSIONS[0]): schema for _, schema in json_lines(data / _jsonl(ORIGINAL), Schema)}
    numbered = ((line, number) for number, (line, row) in enumerate(rows) if row[version.column] != NONE)
    return to_items(data / TABLE, numbered, lambda _, number: _from_table(number, version, rows[number][1], originals))


def _rows(path: Path) -> list[tuple[int, Row]]:
    """The rows with their lines."""
    lines = tsv(path, COLUMNS)
    _, header = next(lines)
    with placed(path, 1):
        missing = [version.column for version in VERSIONS if version.column not in header]
        if missing or len(set(header)) < COLUMNS:
            raise ValueError(f"header: expected {COLUMNS} columns, one of them {missing[0] if missing else 'each'}")
    return [(line, dict(zip(header, cells, strict=True))) for line, cells in lines]


def _row_of(schema: Schema, version: Version) -> int:
    number = schema.id.removeprefix(f"q{version.digit}")
    if number == schema.id or not number.isdecimal():
        raise ValueError(f"qID: {schema.id!r} is not 'q{version.digit}' and a row number")
    return int(number)


def _published(schema: Schema, version: Version, rows: list[tuple[int, Row]]) -> Item:
    number = _row_of(schema, version)
    if number >= len(rows) or rows[number][1][version.column] == NONE:
        raise ValueError(f"qID: row {number} of {Path(TABLE).name} has no {version.column}")
    row = rows[number][1]
    options = (schema.option1, schema.option2)
    meta: dict[str, object] = {"qID": schema.id, "pair_number": schema.pair_number}
    meta |= {f"option{n}": option for n, option in enumerate(options, 1) if option != option.strip()}
    if version.name == ORIGINAL:
        meta["row"] = row
    if str(schema.pair_number) != row["pair_number"] or schema.answer != _answer(row):
        raise ValueError(f"qID: the answer or the pair differs from row {number} of {Path(TABLE).name}")
    return _item(number, version, row, schema.sentence, options, meta)


def _from_table(number: int, version: Version, row: Row, originals: dict[int, Schema]) -> Item:
    if number not in originals or version.locate is None:
        raise ValueError(f"{version.column}: row {number} has no original in {Path(_jsonl(ORIGINAL)).name}")
    original, text = originals[number], row[version.column]
    # The texts in WinoGrande's format are those of the table, lower-cased: the gap is where the pronoun begins.
    start = version.locate(row, text, original.sentence.index(GAP))
    end = start + len(row["pron"])
    if text[start:end].lower() != row["pron"].lower():
        raise ValueError(f"{version.column}: has no {row['pron']!r} in the place of the original's")
    # Lower-cased as the published files are: a pair must differ in the perturbation only.
    source = text[:start].lower() + GAP + text[end:].lower()
    meta = {"text": text, "pair_number": original.pair_number}
    return _item(number, version, row, source, (original.option1, original.option2), meta)


def _item(
    number: int, version: Version, row: Row, source: str, options: tuple[str, str], meta: dict[str, object]
) -> Item:
    base = f"{NAME}.{number}"
    changed = version.name != ORIGINAL
    labels = {name: row[name] for name in ("associative", "switchable") if row[name]}
    span = find_once(row["discrim_word"].lower(), source)
    return Item(
        id=f"{base}+{version.name}" if changed else base,
        group=f"pair-{row['pair_number']}",
        task="fill",
        source_lang="en",
        target_lang="en",
        source=source,
        candidates=tuple(Candidate(option.strip()) for option in options),
        gold=int(_answer(row)) - 1,
        label=ASSOCIATIVE[int(row["associative"])] if row["associative"] else None,
        features=labels | {"pronoun": row[version.pronoun]},
        spans=(Span("trigger", "source", *span),) if span else (),
        origin=Origin(base, version.name, version.kind) if changed else None,
        meta=meta,
    )


def _answer(row: Row) -> str:
    """The correct option; a few cells have a space or a stop after the letter."""
    letter = row["correct_answer"].rstrip(" .")
    if letter not in ("A", "B"):
        raise ValueError(f"correct_answer: {row['correct_answer']!r} is neither 'A' nor 'B'")
    return {"A": "1", "B": "2"}[letter]


def _files(version: Version) -> tuple[str, ...]:
    return TABLE, version.file or _jsonl(ORIGINAL)


def _suite(version: Version) -> Suite:
    return Suite(
        f"{NAME}/{version.name}",
        f"Enhanced WSC, {'the originals' if version.name == ORIGINAL else f'perturbation {version.name!r}'}",
        _files(version),
        partial(read, version=version),
        PAPER,
        "not stated",
        origin=None if version.name == ORIGINAL else SetOrigin(f"{NAME}/{ORIGINAL}", version.name, version.kind),
    )


SUITES = (
    Suite(
        NAME,
        "Enhanced WSC, 285 schemas with ten perturbations in one set",
        tuple(dict.fromkeys(file for version in VERSIONS for file in _files(version))),
        read_all,
        PAPER,
        "not stated",
    ),
    *map(_suite, VERSIONS),
)
