"""WSC-273 with its associativity labels, and WinoGrande.

Consecutive schemas of WSC are twins, except one that has none: it is the third of three related schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from referee.build.twins import WSC_THIRD, Twins, couple, non_associative
from referee.items import GAP, Candidate, Item
from referee.suites.records import json_lines, json_list, placed, to_items
from referee.suites.suite import Suite

WSC = "winograd/wsc/wsc.jsonl"
LABELS = "winograd/associatives/WSC_associative_label.json"
ASSOCIATIVE = {0: "non-associative", 1: "associative"}

_TWIN = re.compile(r"(?P<stem>.+)-[12]")
_BRACKETS = re.compile(r"\[(?P<pronoun>[^\[\]]+)\]")


class Schema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence with a gap and two fillers; only "Back to Square One" has `pair_id`."""

    id: str = msgspec.field(name="qID")
    sentence: str
    option1: str
    option2: str
    answer: Literal["1", "2"]
    pair_id: int | msgspec.UnsetType = msgspec.UNSET


class Association(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the correct answer of WSC item `index` can be guessed by word association alone."""

    index: int
    sentence: str
    answer0: str
    answer1: str
    is_associative: Literal[0, 1]
    correct_answer: str


def schema_item(schema: Schema) -> Item:
    """Convert a schema to an item; twins share `pair_id`, or the id up to `-1` and `-2`."""
    twin = _TWIN.fullmatch(schema.id)
    if schema.pair_id is msgspec.UNSET:
        group, meta = (twin["stem"] if twin else None), {}
    else:
        group, meta = f"pair-{schema.pair_id}", {"pair_id": schema.pair_id}
    return Item(
        id=schema.id,
        task="fill",
        source_lang="en",
        target_lang="en",
        source=schema.sentence,
        candidates=(Candidate(schema.option1), Candidate(schema.option2)),
        gold=int(schema.answer) - 1,
        group=group,
        meta=meta,
    )


def read_winogrande(data: Path, file: str) -> Iterator[Item]:
    """Read the items of a WinoGrande file."""
    return to_items(data / file, json_lines(data / file, Schema), lambda _, schema: schema_item(schema))


def read_wsc(data: Path) -> Iterator[Item]:
    """Read WSC-273; feature `associative` is "0" or "1", feature `pronoun` the word in the gap; twins share a group."""
    schemas = list(_wsc(data))
    coupled = {item.id: item for item in _wsc_twins(schemas)}
    return (coupled.get(item.id, item) for item in schemas)


def read_non_associative(data: Path) -> Iterator[Item]:
    """Read the pairs of WSC in which no answer can be guessed by association."""
    return iter(non_associative(_wsc_twins(list(_wsc(data)))))


def _wsc_twins(schemas: Sequence[Item]) -> Twins:
    return couple(schemas, by="order", drop=[item.id for item in schemas if item.id == WSC_THIRD])


def _wsc(data: Path) -> Iterator[Item]:
    labels: dict[int, Association] = {}
    for row, label in json_list(data / LABELS, Association):
        with placed(data / LABELS, row):
            if label.index in labels:
                raise ValueError(f"index: {label.index} occurs twice")
        labels[label.index] = label
    return to_items(
        data / WSC, json_lines(data / WSC, Schema), lambda line, schema: _labelled(schema, line - 1, labels)
    )


def _labelled(schema: Schema, index: int, labels: dict[int, Association]) -> Item:
    item = schema_item(schema)
    if index not in labels:
        raise ValueError(f"qID: no record in {Path(LABELS).name} has the index {index}")
    label = labels[index]
    pronoun = _BRACKETS.search(label.sentence)
    right = (schema.option1, schema.option2)[int(schema.answer) - 1]
    same = (label.answer0, label.answer1, label.correct_answer) == (schema.option1, schema.option2, right)
    # The item keeps nothing else of the label, so the rest must follow from the schema.
    if not pronoun or not same or schema.sentence.replace(GAP, pronoun[0]) != label.sentence:
        raise ValueError(f"sentence: the record with index {index} in {Path(LABELS).name} belongs to another schema")
    features = {"associative": str(label.is_associative), "pronoun": pronoun["pronoun"]}
    return msgspec.structs.replace(item, features=features, label=ASSOCIATIVE[label.is_associative])


SUITES: tuple[Suite, ...] = (
    Suite(
        name="wsc",
        about="Winograd Schema Challenge, 273 schemas, labelled for associativity",
        files=(WSC, LABELS),
        read=read_wsc,
        paper="Levesque et al. 2012, The Winograd Schema Challenge; labels: Trichelair et al. 2019",
        licence="not stated",
    ),
    Suite(
        name="wsc-na",
        about="Winograd Schema Challenge, the 110 pairs that are not associative",
        files=(WSC, LABELS),
        read=read_non_associative,
        paper="Levesque et al. 2012, The Winograd Schema Challenge; labels: Trichelair et al. 2019",
        licence="not stated",
    ),
    *(
        Suite(
            name=f"winogrande/{split}",
            about=f"WinoGrande, {split}",
            files=(file,),
            read=partial(read_winogrande, file=file),
            paper="Sakaguchi et al. 2020, WinoGrande",
            licence="CC BY (WinoGrande)",
        )
        for split in ("train_xs", "train_s", "train_m", "train_l", "train_xl", "train-debiased", "dev")
        for file in (f"winograd/winogrande/{split}.jsonl",)
    ),
)
