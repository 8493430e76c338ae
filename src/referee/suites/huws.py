"""HuWS, Hungarian Winograd schemas: twins follow each other, the odd id first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee.items import Candidate, Item
from referee.suites.records import json_list, to_items
from referee.suites.suite import Suite

FILE = "winograd-multilingual/huws/huws.json"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="pascal"):
    """A published schema."""

    id: str = msgspec.field(name="ID")
    sent: str
    question: str
    answer1: str
    answer2: str
    correct_answer: str


def read(data: Path) -> Iterator[Item]:
    """The 244 schemas."""
    return to_items(data / FILE, json_list(data / FILE, Record), lambda _, record: _item(record))


def _item(record: Record) -> Item:
    answers = (record.answer1, record.answer2)
    if record.correct_answer not in answers:
        raise ValueError(f"CorrectAnswer: {record.correct_answer!r} is not one of the two answers")
    if not record.id.isdecimal():
        raise ValueError(f"ID: {record.id!r} is not a number")
    return Item(
        id=f"huws.{record.id}",
        task="choose",
        source_lang="hu",
        target_lang="hu",
        source=record.sent,
        question=record.question,
        candidates=tuple(map(Candidate, answers)),
        gold=answers.index(record.correct_answer),
        group=f"huws-pair-{(int(record.id) + 1) // 2}",
    )


SUITES: tuple[Suite, ...] = (
    Suite(
        name="huws",
        about="Hungarian Winograd schemas",
        files=(FILE,),
        read=read,
        paper="Vadász and Ligeti-Nagy 2022, Winograd schemata and other datasets for anaphora resolution in Hungarian",
        licence="CC BY-SA 4.0",
    ),
)
