"""PWS, parallel Winograd schemata: one table, one suite for each of its nine versions.

A row belongs to a suite when its sentence is there in that version. Some published answers are neither of the two
candidates: such an item has no gold, and `meta["gold_unknown"]` is the answer. If a candidate is missing, the
item has none. Cells of a version without sentence are kept in the English item of the row, as `meta["stray"]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from referee.items import Candidate, Item
from referee.suites.records import placed, to_items, tsv
from referee.suites.suite import Suite

FILE = "winograd-multilingual/pws/pws.tsv"
SUFFIXES = {
    "en": "en",
    "hu": "hu",
    "fr": "fr",
    "pt": "por",
    "pt2": "por2",
    "zh": "man",
    "ja": "jap",
    "ja2": "jap2",
    "ru": "rus",
}
"""Versions and how the table calls them; pt2 and ja2 are second translations, with names of the country."""

TEXTS = ("sentence", "snippet", "answer1", "answer2", "correct_answer")
COLUMNS = (
    "idx",
    "orig_id",
    *(f"{text}_{suffix}" for text in TEXTS for suffix in SUFFIXES.values()),
    "source_en",
    *(f"trans_{suffix}" for suffix in ("hu", "fr", "por", "man", "jap", "rus")),
    *(f"comment_{suffix}" for suffix in ("en", "hu", "fr", "por", "man", "jap", "rus")),
)


def read(data: Path, version: str) -> Iterator[Item]:
    """The items of one version."""
    path = data / FILE
    return to_items(path, _rows(path, f"sentence_{SUFFIXES[version]}"), lambda _, cells: _item(cells, version))


def right_answer(answer: str, candidates: tuple[str, str]) -> int | None:
    """Which candidate the answer is, if need be ignoring case, spaces and final punctuation; None for neither."""
    if answer in candidates:
        return candidates.index(answer)
    plain = [_plain(candidate) for candidate in candidates]
    return plain.index(_plain(answer)) if plain.count(_plain(answer)) == 1 else None


def _rows(path: Path, filled: str) -> Iterator[tuple[int, dict[str, str]]]:
    for line, cells in tsv(path, len(COLUMNS)):
        if line == 1:
            with placed(path, line):
                if tuple(cells) != COLUMNS:
                    raise ValueError(f"expected the columns {', '.join(COLUMNS)}")
            continue
        row = dict(zip(COLUMNS, cells, strict=True))
        if row[filled]:
            yield line, row


def _item(cells: dict[str, str], version: str) -> Item:
    suffix, language = SUFFIXES[version], version[:2]
    texts = {column: text for column, text in cells.items() if text and _suffix(column) == suffix}
    source, question = texts.pop(f"sentence_{suffix}"), texts.pop(f"snippet_{suffix}", None)
    meta: dict[str, Any] = {"idx": cells["idx"], "orig_id": cells["orig_id"]}
    candidates: tuple[Candidate, ...] = ()
    gold = None
    if f"answer1_{suffix}" in texts and f"answer2_{suffix}" in texts:
        answers = texts.pop(f"answer1_{suffix}"), texts.pop(f"answer2_{suffix}")
        candidates, answer = tuple(map(Candidate, answers)), texts.get(f"correct_answer_{suffix}", "")
        gold = right_answer(answer, answers)
        if gold is None:
            meta["gold_unknown"] = answer
        if gold is None or answers[gold] == answer:
            texts.pop(f"correct_answer_{suffix}", None)
    if version == "en":
        stray = _stray(cells)
        meta |= {"stray": stray} if stray else {}
    return Item(
        id=f"pws.{version}.{cells['idx']}",
        task="choose",
        source_lang=language,
        target_lang=language,
        source=source,
        question=question,
        candidates=candidates,
        gold=gold,
        group=f"pws-{cells['orig_id']}",
        meta=meta | texts,
    )


def _stray(cells: dict[str, str]) -> dict[str, str]:
    absent = {suffix for suffix in SUFFIXES.values() if not cells[f"sentence_{suffix}"]}
    return {column: text for column, text in cells.items() if text and _suffix(column) in absent}


def _suffix(column: str) -> str:
    return column.rpartition("_")[2]


def _plain(text: str) -> str:
    return "".join(text.casefold().split()).rstrip(".,;:!?。，；：！？")


SUITES: tuple[Suite, ...] = tuple(
    Suite(
        name=f"pws/{version}",
        about=f"Parallel Winograd schemata, {version}",
        files=(FILE,),
        read=partial(read, version=version),
        paper="Vadász and Ligeti-Nagy 2022, Winograd schemata and other datasets for anaphora resolution in Hungarian",
        licence="CC BY-SA 4.0",
    )
    for version in SUFFIXES
)
