"""COPA, and Balanced COPA, from their XML.

Balanced COPA swaps the candidates of many original items, so an id's gold may differ from that in COPA.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Literal, NoReturn
from xml.parsers import expat

import msgspec

from referee.errors import InputError
from referee.io.files import count_lines, existing, read_bytes
from referee.items import Candidate, Item
from referee.suites.records import REMEDY, placed, to_items
from referee.suites.suite import Suite

ALL = "copa/copa-all.xml"
BALANCED = "copa/balanced/balacopa-dev-all.xml"
SUBSETS = "copa/balanced/easy_hard_subsets.json"
SPLITS = {
    "all": range(1, 1001),
    "train": range(1, 401),
    "val": range(401, 501),
    "dev": range(1, 501),
    "test": range(501, 1001),
}
"""Which ids belong to which split."""

MIRRORED = 1000
"""What Balanced COPA adds to the id of an item to name its mirror."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An `<item>`: premise, two candidates, which of them is the more plausible cause or effect."""

    id: int
    question: Literal["cause", "effect"] = msgspec.field(name="asks-for")
    answer: Literal["1", "2"] = msgspec.field(name="most-plausible-alternative")
    premise: str = msgspec.field(name="p")
    choice1: str = msgspec.field(name="a1")
    choice2: str = msgspec.field(name="a2")

    @property
    def gold(self) -> int:
        """The answer counted from 0."""
        return int(self.answer) - 1


class Subsets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which test ids can be answered from the candidates alone (easy), and which cannot (hard)."""

    easy: list[int]
    hard: list[int]


def read(data: Path, split: str) -> Iterator[Item]:
    """The items of a split."""
    ours = ((line, record) for line, record in records(data / ALL) if record.id in SPLITS[split])
    return to_items(data / ALL, ours, lambda _, record: _item(record, f"copa.{record.id}"))


def read_difficulty(data: Path) -> Iterator[Item]:
    """The test items with the feature `difficulty`: "easy" ones can be answered from the candidates alone."""
    with placed(data / SUBSETS):
        subsets = msgspec.json.decode(read_bytes(data / SUBSETS), type=Subsets)
    difficulty = dict.fromkeys(subsets.easy, "easy") | dict.fromkeys(subsets.hard, "hard")
    for item in read(data, "test"):
        level = difficulty.get(int(item.id.removeprefix("copa.")))
        yield msgspec.structs.replace(item, features={"difficulty": level} if level else {})


def read_balanced(data: Path) -> Iterator[Item]:
    """The development items, each with its mirror in one group; feature `mirrored` is "0" or "1"."""
    return to_items(data / BALANCED, records(data / BALANCED), lambda _, record: _balanced(record))


def records(path: Path) -> Iterator[tuple[int, Record]]:
    """The items of a COPA file with their lines. Entities are refused, and the DTD is not looked at."""
    for line, fields in _elements(path):
        with placed(path, line):
            record = msgspec.convert(fields, Record, strict=False)
        yield line, record


def group_of(copa_id: int) -> str:
    """The group that joins all versions of a COPA item: mirrors, translations."""
    return f"copa-{copa_id}"


def _item(record: Record, id: str) -> Item:
    return Item(
        id=id,
        task="choose",
        source_lang="en",
        target_lang="en",
        source=record.premise,
        question=record.question,
        candidates=(Candidate(record.choice1), Candidate(record.choice2)),
        gold=record.gold,
        group=group_of(record.id),
        label=record.question,
    )


def _balanced(record: Record) -> Item:
    mirrored = record.id > MIRRORED
    item = _item(record, f"balacopa.{record.id}")
    group = group_of(record.id - MIRRORED if mirrored else record.id)
    return msgspec.structs.replace(item, group=group, features={"mirrored": str(int(mirrored))})


def _elements(path: Path) -> list[tuple[int, dict[str, str]]]:
    """The attributes and children of every `<item>` with its line, by the plain parser: it alone knows lines."""
    elements: list[tuple[int, dict[str, str]]] = []
    text: list[str] = []
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        text.clear()
        if tag == "item":
            elements.append((parser.CurrentLineNumber, dict(attributes)))

    def end(tag: str) -> None:
        if tag not in ("item", "copa-corpus") and elements:
            elements[-1][1][tag] = "".join(text)

    def refuse(*_: object) -> NoReturn:
        raise InputError("uses an XML entity", "replace it with its text", existing(path), parser.CurrentLineNumber)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text.append
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(read_bytes(path), True)  # noqa: FBT003 the parser takes it by position only
    except expat.ExpatError as error:
        problem = f"is not valid XML ({expat.ErrorString(error.code)})"
        # At the end of a file the parser names the line after the last one.
        raise InputError(problem, REMEDY, existing(path), min(error.lineno, count_lines(path))) from None
    return elements


SUITES: tuple[Suite, ...] = (
    *(
        Suite(
            name=f"copa/{split}",
            about=f"COPA, {split}: the more plausible cause or effect of a premise",
            files=(ALL,),
            read=partial(read, split=split),
            paper="Roemmele et al. 2011, Choice of Plausible Alternatives",
            licence="not stated",
        )
        for split in SPLITS
    ),
    Suite(
        name="copa/test/difficulty",
        about="COPA, test, labelled easy or hard (Balanced COPA)",
        files=(ALL, SUBSETS),
        read=read_difficulty,
        paper="Kavumba et al. 2019, When Choosing Plausible Alternatives, Clever Hans can be Clever",
        licence="MIT",
    ),
    Suite(
        name="copa/balanced",
        about="Balanced COPA: development items and their mirrored versions",
        files=(BALANCED,),
        read=read_balanced,
        paper="Kavumba et al. 2019, When Choosing Plausible Alternatives, Clever Hans can be Clever",
        licence="MIT",
    ),
)
