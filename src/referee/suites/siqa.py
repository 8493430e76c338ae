"""Social IQa: a question about a situation, three answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from referee.items import Candidate, Item, repeated
from referee.suites.records import json_lines, to_items
from referee.suites.suite import Suite

SPLITS = {"train": "trn", "dev": "dev", "test": "tst"}
ANSWERS = "ABC"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A published line."""

    context: str
    question: str
    answer_a: str
    answer_b: str
    answer_c: str
    correct: Literal["A", "B", "C"]


def read(data: Path, split: str) -> Iterator[Item]:
    """The items of a split, numbered by row."""
    path = data / _file(split)
    return to_items(path, json_lines(path, Record), lambda line, record: _item(record, f"siqa.{split}.{line - 1}"))


def _item(record: Record, id: str) -> Item:
    answers = (record.answer_a, record.answer_b, record.answer_c)
    return Item(
        id=id,
        task="choose",
        source_lang="en",
        target_lang="en",
        source=record.context,
        question=record.question,
        candidates=tuple(map(Candidate, answers)),
        gold=ANSWERS.index(record.correct),
        features=repeated(answers),
    )


def _file(split: str) -> str:
    return f"siqa/socialIQa_v1.4_{SPLITS[split]}.jsonl"


SUITES: tuple[Suite, ...] = tuple(
    Suite(
        name=f"siqa/{split}",
        about=f"Social IQa, {split}",
        files=(_file(split),),
        read=partial(read, split=split),
        paper="Sap et al. 2019, Social IQa",
        licence="CC BY 4.0",
    )
    for split in SPLITS
)
