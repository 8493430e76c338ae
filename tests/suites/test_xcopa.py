from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import referee
from referee.items import Candidate, Item
from referee.suites.copa import ALL
from referee.suites.xcopa import LANGUAGES, SUITES
from tests.suites.test_copa import corpus, element
from tests.support.published import (
    assert_names_its_command,
    in_both,
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
        "changed": {"true": True, "false": False}[item.features["changed"]],
    }


# How many items, and how many of them with a wrong question.
SYNTHETIC = {
    "xcopa/it/val": (2, 1),
    "xcopa/it/test": (2, 0),
    "xcopa/th/val": (2, 1),
    "xcopa/qu/val": (1, 0),
    "xcopa/qu/test": (1, 0),
    "xcopa-gmt/it/val": (2, 1),
    "xcopa-gmt/it/test": (1, 0),
}
PUBLIC = {
    f"{kind}/{language}/{split}": (size, WRONG_QUESTIONS.get(language, (0, 0))[split == "test"])
    for kind in ("xcopa", "xcopa-gmt")
    for language in ("et", "ht", "id", "it", "qu", "sw", "ta", "th", "tr", "vi", "zh")
    for split, size in (("val", 100), ("test", 500))
    if (kind, language) != ("xcopa-gmt", "qu")
}


@pytest.mark.parametrize(("data", "name", "sizes"), in_both(SYNTHETIC, PUBLIC))
def test_every_published_record_comes_back(data: Path, name: str, sizes: tuple[int, int]) -> None:
    suite = named(SUITES, name)
    kind, language, split = name.split("/")
    items = read_items(suite, data)
    assert (len(items), sum("published_question" in item.meta for item in items)) == sizes
    assert [published(item) for item in items] == published_lines(data / suite.files[0])
    read = "en" if kind == "xcopa-gmt" else language
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("choose", read, read)}
    first = {"val": 401, "test": 501}[split]
    assert [item.group for item in items] == [f"copa-{first + row}" for row in range(len(items))]
    assert [item.id for item in items] == [f"{kind}.{language}.{split}.{row}" for row in range(len(items))]
    assert all(item.label == item.question for item in items)


@pytest.mark.parametrize("name", ["xcopa/it/val", "xcopa/th/test"])
def test_half_of_the_published_items_ask_for_causes(name: str, shared_data: Path) -> None:
    items = list(named(SUITES, name).open(shared_data))
    assert sum(item.label == "cause" for item in items) * 2 == len(items) + (4 if "val" in name else 0)


def test_synthetic_items_field_by_field(synthetic_data: Path) -> None:
    assert read_items(named(SUITES, "xcopa-gmt/it/val"), synthetic_data)[0] == Item(
        id="xcopa-gmt.it.val.0",
        task="choose",
        source_lang="en",
        target_lang="en",
        source="The tent went limp.",
        question="cause",
        candidates=(Candidate("It was green."), Candidate("It had rained.")),
        gold=1,
        group="copa-401",
        label="cause",
        features={"changed": "false"},
        meta={"idx": 0, "published_question": "effect", "language": "it"},
    )
    italian = read_items(named(SUITES, "xcopa/it/test"), synthetic_data)
    assert [item.meta for item in italian] == [{"idx": 0}, {"idx": 1}]
    assert [item.features for item in italian] == [{"changed": "true"}, {"changed": "false"}]


def test_every_language_and_translation_is_a_suite() -> None:
    assert {suite.name for suite in SUITES} == set(PUBLIC)
    folders = {"xcopa": "data", "xcopa-gmt": "data-gmt"}
    for suite in SUITES:
        kind, language, split = suite.name.split("/")
        assert suite.files == (f"xcopa/{folders[kind]}/{language}/{split}.{language}.jsonl", "copa/copa-all.xml")


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
        ({"label": 1}, "field 'label': expected 0, the label of COPA item 402, but found 1"),
        ({"label": 2}, "field 'label': invalid enum value 2"),
        ({"idx": 5}, "field 'idx': expected 1, the number of the row, but found 5"),
        ({"question": "why"}, "field 'question': invalid enum value 'why'"),
        ({"changed": 0}, "field 'changed': expected bool, got int"),
        ({"hint": ""}, "field 'hint': is not a known field"),
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


def test_a_row_of_the_next_split_is_refused(tmp_path: Path) -> None:
    write(tmp_path, ALL, corpus(*(element(401 + row) for row in range(101))))
    write_lines(tmp_path, VAL, [RECORDS[0] | {"idx": row} for row in range(101)])
    message = "val.it.jsonl:101: field 'idx': English COPA has no item 501"
    assert message in refusal(named(SUITES, "xcopa/it/val"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)


# Table 3 of the paper: labels that agree with the majority, in percent.
AGREEING = {
    "val": (97.0, 97.0, 99.0, 98.0, 98.0, 99.0, 100.0, 99.0, 97.0, 97.0, 96.0),
    "test": (98.2, 96.4, 100.0, 97.0, 94.8, 99.0, 98.6, 98.2, 96.4, 98.4, 96.6),
}


@pytest.mark.parametrize("split", AGREEING)
def test_changed_is_where_the_translator_disagreed_with_the_majority(split: str, shared_data: Path) -> None:
    for language, agreeing in zip(LANGUAGES, AGREEING[split], strict=True):
        items = list(named(SUITES, f"xcopa/{language}/{split}").open(shared_data))
        changed = sum(item.features["changed"] == "true" for item in items)
        assert round(100 * (1 - changed / len(items)), 1) == agreeing


def test_results_can_be_broken_down_by_changed(synthetic_data: Path) -> None:
    def longest(source: str, candidates: list[str]) -> list[int]:
        return [len(candidate) for candidate in candidates]

    run = referee.evaluate(longest, "xcopa/it/test", by=("changed",), data=synthetic_data)
    (found,) = run.findings
    assert {row.key: row.items for row in found.by["changed"]} == {"true": 1, "false": 1}
