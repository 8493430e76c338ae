from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.items import Candidate, Item
from referee.suites.siqa import SUITES
from tests.support.published import (
    assert_names_its_command,
    in_both,
    named,
    published_lines,
    read_items,
    refusal,
    write_lines,
)

COUNTS = {"train": 33410, "dev": 1954, "test": 2224}
FILE = "siqa/socialIQa_v1.4_dev.jsonl"
RECORD = {
    "context": "Ada fed Bo.",
    "question": "Why?",
    "answerA": "to help",
    "answerB": "to hide",
    "answerC": "to win",
    "correct": "B",
}


def published(item: Item) -> dict[str, Any]:
    assert item.gold is not None
    answers = {f"answer{letter}": candidate.text for letter, candidate in zip("ABC", item.candidates, strict=True)}
    return {"context": item.source, "question": item.question, **answers, "correct": "ABC"[item.gold]}


@pytest.mark.parametrize(("data", "split", "size"), in_both({"train": 1, "dev": 2, "test": 1}, COUNTS))
def test_every_published_record_comes_back(data: Path, split: str, size: int) -> None:
    suite = named(SUITES, f"siqa/{split}")
    items = read_items(suite, data)
    assert len(items) == size
    file = {"train": "trn", "dev": "dev", "test": "tst"}[split]
    assert [published(item) for item in items] == published_lines(data / f"siqa/socialIQa_v1.4_{file}.jsonl")


def test_a_synthetic_record_field_by_field(synthetic_data: Path) -> None:
    assert read_items(named(SUITES, "siqa/dev"), synthetic_data)[1] == Item(
        id="siqa.dev.1",
        task="choose",
        source_lang="en",
        target_lang="en",
        source="Theo hid behind the piano.",
        question="Why did Theo do this?",
        candidates=(Candidate("to tune it"), Candidate("because he was shy"), Candidate("to dust it")),
        gold=1,
    )


def test_a_record_becomes_an_item(tmp_path: Path) -> None:
    write_lines(tmp_path, FILE, [RECORD, RECORD])
    first, second = read_items(named(SUITES, "siqa/dev"), tmp_path)
    assert (first.id, second.id, first.task, first.gold) == ("siqa.dev.0", "siqa.dev.1", "choose", 1)
    assert published(first) == RECORD


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"correct": "D"}, "field 'correct': invalid enum value 'D'"),
        ({"answerA": 1}, "field 'answerA': expected str, got int"),
        ({"answerD": ""}, "field 'answerD': is not a known field"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_lines(tmp_path, FILE, [RECORD, RECORD | change])
    assert f"dev.jsonl:2: {message}" in refusal(named(SUITES, "siqa/dev"), tmp_path)


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    write_lines(tmp_path, FILE, [{"context": "Ada fed Bo."}])
    assert "dev.jsonl:1: field 'question': is missing" in refusal(named(SUITES, "siqa/dev"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
