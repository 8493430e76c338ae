"""French Winograd schemas (FWSC285), and WinoGrande translated into French.

FWSC publishes a correct and an incorrect answer; candidates are in alphabetical order instead, so that twins have the
same two and the correct one is not always the first.

French WinoGrande publishes two whole sentences for each id, so the gap is everything. Where the right filler was the
first option, the published "wrong" sentence repeats the right one (about half of each file): such an item has no gold,
since nothing tells its candidates apart, and `features["repeated"]` is "candidates".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from referee.io.files import text_lines
from referee.items import GAP, Candidate, Item, repeated
from referee.suites.records import json_list, placed, to_items
from referee.suites.suite import Suite

FILE = "winograd-multilingual/fwsc285/wsc_285_v3.json"
ASSOCIATIVE = {0: "non-associative", 1: "associative", 2: "negatively associative"}
PAPER = "Wang, Seminck and Amsili 2022, Investigating associative, switchable and negatable Winograd items"

_BRACKETS = re.compile(r"(?P<before>[^\[\]]*)\[(?P<pronoun>[^\[\]]+)\](?P<after>[^\[\]]*)")
_TWIN = re.compile(r"(?P<stem>.+)-[12]")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published schema; items new in version 2.0 leave many cells empty."""

    version: str
    english_id: int
    french_id: int | Literal[""]
    french_text: str
    french_text_ready_to_be_replaced: str
    french_question: str
    correct_answer: str
    wrong_answer: str
    local_context_masked: str
    whole_context_masked: str
    correct_answer_masked: str
    wrong_answer_masked: str
    pmi_able: int | Literal[""]
    pair_correct: str
    pair_wrong: str
    associative: Literal[0, 1, 2]
    switchable: Literal[0, 1]
    propnoun_changeable: int
    switched_text: str
    ambiguous: str
    negatable: Literal[0, 1]
    negated_text: str
    tense: str
    number: str
    gender_switch: str
    english_text: str
    english_question: str


class Alternatives(NamedTuple):
    """The sentences of one id in file order, with their published labels."""

    id: str
    sentences: list[str]
    labels: list[str]


_EXPRESSED = {
    "french_text_ready_to_be_replaced",
    "correct_answer",
    "wrong_answer",
    "associative",
    "switchable",
    "negatable",
}


def read_fwsc(data: Path) -> Iterator[Item]:
    """The 285 schemas; twins are joined where the published table has a `french_id`."""
    return to_items(data / FILE, json_list(data / FILE, Record), lambda _, record: _schema(record))


def read_winogrande(data: Path, file: str) -> Iterator[Item]:
    """One item for each id, its candidates the two sentences in file order."""
    return to_items(data / file, _alternatives(data / file), lambda _, pair: _pair(pair))


def _schema(record: Record) -> Item:
    text = _BRACKETS.fullmatch(record.french_text_ready_to_be_replaced)
    if not text:
        raise ValueError("french_text_ready_to_be_replaced: expected exactly one pronoun in brackets")
    answers = sorted((record.correct_answer, record.wrong_answer), key=lambda answer: (answer.casefold(), answer))
    published = msgspec.structs.asdict(record)
    return Item(
        id=f"fwsc285.{record.english_id}",
        task="fill",
        source_lang="fr",
        target_lang="fr",
        source=f"{text['before']}{GAP}{text['after']}",
        candidates=tuple(map(Candidate, answers)),
        gold=answers.index(record.correct_answer),
        group=None if record.french_id == "" else f"fwsc-{record.french_id}",
        label=ASSOCIATIVE[record.associative],
        features={
            "associative": str(record.associative),
            "switchable": str(record.switchable),
            "negatable": str(record.negatable),
            "pronoun": text["pronoun"],
        },
        meta={name: value for name, value in published.items() if name not in _EXPRESSED},
    )


def _alternatives(path: Path) -> Iterator[tuple[int, Alternatives]]:
    """Blocks of four lines (sentence, label, id, blank), two blocks an id."""
    block: list[str] = []
    pair: Alternatives | None = None
    line = 0
    for line, text in enumerate(text_lines(path), 1):
        block.append(text)
        if len(block) < 4:
            continue
        sentence, label, name, blank = block
        block = []
        with placed(path, line):
            if blank or label not in ("0", "1"):
                raise ValueError("expected a sentence, 0 or 1, an id and a blank line in the last four lines")
            if pair and pair.id != name:
                raise ValueError(f"expected two sentences of {pair.id!r}, but found one")
        if pair:
            yield line, Alternatives(name, [*pair.sentences, sentence], [*pair.labels, label])
            pair = None
        else:
            pair = Alternatives(name, [sentence], [label])
    if block or pair:
        with placed(path, line):
            raise ValueError("ends in the middle of an item")


def _pair(pair: Alternatives) -> Item:
    twin = _TWIN.fullmatch(pair.id)
    if not twin:
        raise ValueError(f"the id {pair.id!r} does not end in -1 or -2")
    if sorted(pair.labels) != ["0", "1"]:
        raise ValueError(
            f"expected one correct and one incorrect sentence of {pair.id!r}, but found labels {pair.labels}"
        )
    same = pair.sentences[0] == pair.sentences[1]
    return Item(
        id=pair.id,
        task="fill",
        source_lang="fr",
        target_lang="fr",
        source=GAP,
        candidates=tuple(map(Candidate, pair.sentences)),
        gold=None if same else pair.labels.index("1"),
        group=twin["stem"],
        features=repeated(pair.sentences),
        meta={"labels": pair.labels},
    )


SUITES: tuple[Suite, ...] = (
    Suite(
        name="fwsc285",
        about="French Winograd schemas, labelled associative, switchable and negatable",
        files=(FILE,),
        read=read_fwsc,
        paper=PAPER,
        licence="not stated",
    ),
    *(
        Suite(
            name=f"winogrande-fr/{split}",
            about=f"WinoGrande machine-translated into French, {split}; half of the items have no usable contrast",
            files=(file,),
            read=partial(read_winogrande, file=file),
            paper=PAPER,
            licence="not stated",
        )
        for split in ("xs", "s", "m", "l", "dev")
        for file in (f"winograd-multilingual/fwsc285/winogrande_fr/winogrande_{split}_with_ids.txt",)
    ),
)
