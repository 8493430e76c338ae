from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.items import Candidate, Item
from referee.suites.huws import FILE, SUITES
from tests.support.published import assert_names_its_command, in_both, published_text, read_items, refusal, write_list

RECORD = {
    "ID": "7",
    "Sent": "Éva etette Ottót, mert kedves volt.",
    "Question": "Ki volt kedves?",
    "Answer1": "Éva",
    "Answer2": "Ottó",
    "CorrectAnswer": "Éva",
}


def published(item: Item) -> dict[str, Any]:
    assert item.gold is not None
    return {
        "ID": item.id.removeprefix("huws."),
        "Sent": item.source,
        "Question": item.question,
        "Answer1": item.candidates[0].text,
        "Answer2": item.candidates[1].text,
        "CorrectAnswer": item.candidates[item.gold].text,
    }


@pytest.mark.parametrize(("data", "name", "size"), in_both({"huws": 4}, {"huws": 244}))
def test_every_published_record_comes_back(data: Path, name: str, size: int) -> None:
    assert [suite.name for suite in SUITES] == [name]
    items = read_items(SUITES[0], data)
    assert len(items) == size
    assert [published(item) for item in items] == json.loads(published_text(data / FILE))
    assert set(Counter(item.group for item in items).values()) == {2}


def test_a_synthetic_record_field_by_field(synthetic_data: Path) -> None:
    assert read_items(SUITES[0], synthetic_data)[2] == Item(
        id="huws.3",
        task="choose",
        source_lang="hu",
        target_lang="hu",
        source="Ida megdicsérte Utét, mert ügyes volt.",
        question="Ki volt ügyes?",
        candidates=(Candidate("Ida"), Candidate("Ute")),
        gold=1,
        group="huws-pair-2",
    )


def test_twins_are_odd_and_even(tmp_path: Path) -> None:
    records = [RECORD, RECORD | {"ID": "8", "CorrectAnswer": "Ottó"}]
    write_list(tmp_path, FILE, records)
    items = read_items(SUITES[0], tmp_path)
    assert [published(item) for item in items] == records
    assert [(item.group, item.gold) for item in items] == [("huws-pair-4", 0), ("huws-pair-4", 1)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"CorrectAnswer": "éva"}, "field 'CorrectAnswer': 'éva' is not one of the two answers"),
        ({"ID": 8}, "field 'ID': expected str, got int"),
        ({"ID": "x"}, "field 'ID': 'x' is not a number"),
        ({"Answer3": ""}, "field 'Answer3': is not a known field"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_list(tmp_path, FILE, [RECORD, RECORD | {"ID": "8"} | change])
    assert f"huws.json, record 2: {message}" in refusal(SUITES[0], tmp_path)


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    write_list(tmp_path, FILE, [{"ID": "1", "Sent": ""}])
    assert "huws.json, record 1: field 'Question': is missing" in refusal(SUITES[0], tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
