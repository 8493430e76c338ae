from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.items import Item
from referee.suites.copa import ALL
from referee.suites.xcopa import LANGUAGES, SUITES
from tests.suites.test_copa import corpus, element
from tests.support.published import (
    assert_names_its_command,
    named,
    published_lines,
    read_items,
    refusal,
    write,
    write_lines,
)

WRONG_QUESTIONS = {"th": (52, 250), "tr": (52, 51), "sw": (6, 37), "id": (5, 4), "it": (5, 4)}
VAL = "xcopa/data/it/val.it.jsonl"
ENGLISH = corpus(element(401), element(402, asks="effect", answer="1"), element(501, answer="1"))
RECORDS = [
    {"premise": "P.", "choice1": "A.", "choice2": "B.", "question": "effect", "label": 1, "idx": 0, "changed": False},
    {"premise": "Q.", "choice1": "C.", "choice2": "D.", "question": "effect", "label": 0, "idx": 1, "changed": True},
]


def published(item: Item) -> dict[str, Any]:
    meta = dict(item.meta)
    return {
        "premise": item.source,
        "choice1": item.candidates[0].text,
        "choice2": item.candidates[1].text,
        "question": meta.get("published_question", item.question),
        "label": item.gold,
        "idx": meta["idx"],
        "changed": meta["changed"],
    }


@pytest.mark.parametrize("name", [suite.name for suite in SUITES])
def test_every_published_record_comes_back(shared_data: Path, name: str) -> None:
    suite = named(SUITES, name)
    kind, language, split = name.split("/")
    items = read_items(suite, shared_data)
    assert len(items) == {"val": 100, "test": 500}[split]
    assert [published(item) for item in items] == published_lines(shared_data / suite.files[0])
    wrong = WRONG_QUESTIONS.get(language, (0, 0))[split == "test"]
    assert sum("published_question" in item.meta for item in items) == wrong
    assert {item.target_lang for item in items} == {"en" if kind == "xcopa-gmt" else language}
    assert sum(item.label == "cause" for item in items) * 2 == len(items) + (4 if split == "val" else 0)


def test_there_are_eleven_languages_and_ten_translations() -> None:
    assert len(LANGUAGES) == 11
    assert len(SUITES) == 2 * (11 + 10)


def test_the_question_comes_from_english(tmp_path: Path) -> None:
    write(tmp_path, ALL, ENGLISH)
    write_lines(tmp_path, VAL, RECORDS)
    # Published files have both kinds of line ends.
    (tmp_path / VAL).write_bytes((tmp_path / VAL).read_bytes().replace(b"\n", b"\r\n", 1))
    first, second = read_items(named(SUITES, "xcopa/it/val"), tmp_path)
    assert (first.question, first.meta["published_question"]) == ("cause", "effect")
    assert (second.question, "published_question" in second.meta) == ("effect", False)
    assert (second.id, second.group) == ("xcopa.it.val.1", "copa-402")
    assert [published(item) for item in (first, second)] == RECORDS


def test_a_translation_remembers_its_language(tmp_path: Path) -> None:
    write(tmp_path, ALL, ENGLISH)
    write_lines(tmp_path, "xcopa/data-gmt/it/test.it.jsonl", [RECORDS[0] | {"label": 0}])
    (item,) = read_items(named(SUITES, "xcopa-gmt/it/test"), tmp_path)
    assert (item.target_lang, item.meta["language"], item.group) == ("en", "it", "copa-501")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": 1}, "field 'label': 1 is not that of COPA item 402"),
        ({"label": 2}, "field 'label': invalid enum value 2"),
        ({"idx": 5}, "field 'idx': 5 is not the number of the row, 1"),
        ({"question": "why"}, "field 'question': invalid enum value 'why'"),
        ({"changed": 0}, "field 'changed': expected bool, got int"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write(tmp_path, ALL, ENGLISH)
    write_lines(tmp_path, VAL, [RECORDS[0], RECORDS[1] | change])
    assert f"val.it.jsonl:2: {message}" in refusal(named(SUITES, "xcopa/it/val"), tmp_path)


def test_a_row_beyond_english_is_refused(tmp_path: Path) -> None:
    write(tmp_path, ALL, ENGLISH)
    write_lines(tmp_path, VAL, [*RECORDS, RECORDS[0] | {"idx": 2}])
    message = "val.it.jsonl:3: field 'idx': English COPA has no item 403"
    assert message in refusal(named(SUITES, "xcopa/it/val"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
