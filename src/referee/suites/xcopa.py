"""XCOPA, and its machine translation into English.

The published `question` is wrong in five languages, so it is taken from English COPA by index; where the published one
differs it is kept in `meta["published_question"]`. Languages are paired by `group`. The feature `changed` is "true" for
the items on which the translator's own label differed from that of the majority.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec

from referee.items import Candidate, Item, repeated
from referee.suites import copa
from referee.suites.records import json_lines, to_items
from referee.suites.suite import Suite

LANGUAGES = ("et", "ht", "id", "it", "qu", "sw", "ta", "th", "tr", "vi", "zh")
TRANSLATED = tuple(language for language in LANGUAGES if language != "qu")
SPLITS = ("val", "test")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published line; `changed` says that the translator's label was replaced by the majority label."""

    premise: str
    choice1: str
    choice2: str
    question: Literal["cause", "effect"]
    label: Literal[0, 1]
    idx: int
    changed: bool


def read(data: Path, language: str, split: str, *, translated: bool) -> Iterator[Item]:
    """The items of one language and split; `translated` means their machine translation into English."""
    path = data / _file(language, split, translated=translated)
    english = {record.id: record for _, record in copa.records(data / copa.ALL)}
    # The published files mix both kinds of line ends.
    rows = json_lines(path, Record, crlf=True)
    prefix = f"xcopa{'-gmt' if translated else ''}.{language}.{split}"

    def convert(line: int, record: Record) -> Item:
        if record.idx != line - 1:
            raise ValueError(f"idx: expected {line - 1}, the number of the row, but found {record.idx}")
        copa_id = copa.SPLITS[split].start + record.idx
        if copa_id not in english or copa_id not in copa.SPLITS[split]:
            raise ValueError(f"idx: English COPA has no item {copa_id}")
        item = _item(record, f"{prefix}.{record.idx}", "en" if translated else language, english[copa_id])
        return msgspec.structs.replace(item, meta=item.meta | {"language": language}) if translated else item

    return to_items(path, rows, convert)


def _item(record: Record, id: str, language: str, english: copa.Record) -> Item:
    if record.label != english.gold:
        raise ValueError(
            f"label: expected {english.gold}, the label of COPA item {english.id}, but found {record.label}"
        )
    meta: dict[str, Any] = {"idx": record.idx}
    if record.question != english.question:
        meta["published_question"] = record.question
    return Item(
        id=id,
        task="choose",
        source_lang=language,
        target_lang=language,
        source=record.premise,
        question=english.question,
        candidates=(Candidate(record.choice1), Candidate(record.choice2)),
        gold=record.label,
        group=copa.group_of(english.id),
        label=english.question,
        features={"changed": "true" if record.changed else "false"} | repeated((record.choice1, record.choice2)),
        meta=meta,
    )


def _file(language: str, split: str, *, translated: bool) -> str:
    return f"xcopa/{'data-gmt' if translated else 'data'}/{language}/{split}.{language}.jsonl"


def _suite(language: str, split: str, *, translated: bool) -> Suite:
    return Suite(
        name=f"xcopa{'-gmt' if translated else ''}/{language}/{split}",
        about=f"XCOPA {language}, {split}" + (", machine-translated into English" if translated else ""),
        files=(_file(language, split, translated=translated), copa.ALL),
        read=partial(read, language=language, split=split, translated=translated),
        paper="Ponti et al. 2020, XCOPA",
        licence="CC BY 4.0",
    )


SUITES: tuple[Suite, ...] = (
    *(_suite(language, split, translated=False) for language in LANGUAGES for split in SPLITS),
    *(_suite(language, split, translated=True) for language in TRANSLATED for split in SPLITS),
)
