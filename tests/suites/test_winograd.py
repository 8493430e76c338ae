from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.items import Item
from referee.suites import square_one
from referee.suites.winograd import LABELS, SUITES, WSC
from tests.support.published import (
    assert_names_its_command,
    in_both,
    marked,
    named,
    published_lines,
    published_text,
    read_items,
    refusal,
    write_lines,
    write_list,
)

COUNTS = {
    "wsc": 273,
    "winogrande/train_xs": 160,
    "winogrande/train_s": 640,
    "winogrande/train_m": 2558,
    "winogrande/train_l": 10234,
    "winogrande/train-debiased": 9248,
    "winogrande/dev": 1267,
}
SYNTHETIC = {"wsc": 7, "winogrande/train_xs": 2, "winogrande/dev": 5}
SQUARE_ONE = named(square_one.SUITES, "square-one/pairs/wsc")
DEV = "winograd/winogrande/dev.jsonl"
TWINS = [
    {"qID": "Q-2", "sentence": "Ada fed Bo as _ was kind.", "option1": "Ada", "option2": "Bo", "answer": "1"},
    {"qID": "Q-1", "sentence": "Ada fed Bo as _ was hungry.", "option1": "Ada", "option2": "Bo", "answer": "2"},
]
LABEL = {
    "index": 0,
    "sentence": "Ada fed Bo as [she] was kind.",
    "answer0": "Ada",
    "answer1": "Bo",
    "is_associative": 1,
    "correct_answer": "Ada",
}


def published(item: Item) -> dict[str, Any]:
    assert item.gold is not None
    record = {"qID": item.id, "sentence": item.source, "answer": str(item.gold + 1)}
    return record | {f"option{n}": candidate.text for n, candidate in enumerate(item.candidates, 1)} | item.meta


def published_label(item: Item, index: int) -> dict[str, Any]:
    assert item.gold is not None
    return {
        "index": index,
        "sentence": item.source.replace("_", f"[{item.features['pronoun']}]"),
        "answer0": item.candidates[0].text,
        "answer1": item.candidates[1].text,
        "is_associative": int(item.features["associative"]),
        "correct_answer": item.candidates[item.gold].text,
    }


@pytest.mark.parametrize(("data", "name", "size"), in_both(SYNTHETIC, COUNTS))
def test_every_published_record_comes_back(data: Path, name: str, size: int) -> None:
    suite = named(SUITES, name)
    items = read_items(suite, data)
    assert len(items) == size
    assert [published(item) for item in items] == published_lines(data / suite.files[0])
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("fill", "en", "en")}


def test_every_size_of_winogrande_is_a_suite() -> None:
    splits = ("train_xs", "train_s", "train_m", "train_l", "train_xl", "train-debiased", "dev")
    files = {f"winogrande/{split}": (f"winograd/winogrande/{split}.jsonl",) for split in splits}
    assert {suite.name: suite.files for suite in SUITES} == files | {"wsc": (WSC, LABELS), "wsc-na": (WSC, LABELS)}


@pytest.mark.parametrize(("data", "name", "associative"), in_both({"wsc": 1}, {"wsc": 37}))
def test_every_published_association_comes_back(data: Path, name: str, associative: int) -> None:
    labels = json.loads(published_text(data / LABELS))
    items = read_items(named(SUITES, name), data)
    found = [published_label(item, index) for index, item in enumerate(items)]
    assert found == sorted(labels, key=lambda label: int(label["index"]))
    assert sum(item.label == "associative" for item in items) == associative
    assert sum(item.label == "non-associative" for item in items) == len(items) - associative


def test_twins_of_wsc_share_a_group(published_data: Path) -> None:
    items = read_items(named(SUITES, "wsc"), published_data)
    assert [item.id for item in items if item.group is None] == ["wsc254"]
    assert set(Counter(item.group for item in items if item.group).values()) == {2}
    same = {item.id: item.group for item in SQUARE_ONE.open(published_data)}
    assert {item.id: item.group for item in items if item.group} == same


def test_the_words_that_tell_twins_apart_are_triggers(synthetic_data: Path) -> None:
    items = read_items(named(SUITES, "wsc"), synthetic_data)
    assert [[words for *_, words in marked(item)] for item in items] == [
        *(["spilt", "the", "flour"], ["brought", "a", "parcel"]),
        *(["bulky"], ["narrow"]),
        [],
        *(["walked"], ["rode"]),
    ]
    assert {(role, field) for item in items for role, field, *_ in marked(item)} == {("trigger", "source")}


@pytest.mark.parametrize(("data", "name", "pairs"), in_both({"wsc-na": 2}, {"wsc-na": 110}))
def test_the_non_associative_twins(data: Path, name: str, pairs: int) -> None:
    items = read_items(named(SUITES, name), data)
    assert (len(items), len({item.group for item in items})) == (2 * pairs, pairs)
    assert {item.label for item in items} == {"non-associative"}


def test_twins_share_a_group(tmp_path: Path) -> None:
    write_lines(tmp_path, DEV, TWINS)
    first, second = read_items(named(SUITES, "winogrande/dev"), tmp_path)
    assert (first.group, second.group) == ("Q", "Q")
    assert (first.gold, second.gold) == (0, 1)
    assert first.filled(first.candidates[0]) == "Ada fed Bo as Ada was kind."
    assert [published(item) for item in (first, second)] == TWINS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": "3"}, "field 'answer': invalid enum value '3'"),
        ({"answer": 1}, "field 'answer': expected str, got int"),
        ({"sentence": "No gap."}, "field 'source': has 0 gaps"),
        ({"hint": ""}, "field 'hint': is not a known field"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_lines(tmp_path, DEV, [TWINS[0], TWINS[1] | change])
    assert f"dev.jsonl:2: {message}" in refusal(named(SUITES, "winogrande/dev"), tmp_path)


def test_an_id_without_number_is_no_twin(tmp_path: Path) -> None:
    write_lines(tmp_path, DEV, [TWINS[0] | {"qID": "Q-3"}, TWINS[1] | {"qID": "Q"}])
    assert [item.group for item in read_items(named(SUITES, "winogrande/dev"), tmp_path)] == [None, None]


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    write_lines(tmp_path, DEV, [{"qID": "Q-1"}])
    assert "dev.jsonl:1: field 'sentence': is missing" in refusal(named(SUITES, "winogrande/dev"), tmp_path)


def test_an_association_joins_by_its_index(tmp_path: Path) -> None:
    write_lines(tmp_path, WSC, [TWINS[0] | {"qID": "wsc0"}])
    write_list(tmp_path, LABELS, [LABEL])
    (item,) = read_items(named(SUITES, "wsc"), tmp_path)
    assert item.features == {"associative": "1", "pronoun": "she"}
    assert published_label(item, 0) == LABEL
    assert item.label == "associative"


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([LABEL | {"index": 1}], "wsc.jsonl:1: field 'qID': no record in WSC_associative_label.json has the index 0"),
        ([LABEL | {"correct_answer": "Bo"}], "belongs to another schema"),
        ([LABEL | {"answer0": "Cy"}], "wsc.jsonl:1: field 'sentence': the record with index 0"),
        ([LABEL | {"sentence": "Ada fed Bo as [she] was mean."}], "belongs to another schema"),
        ([LABEL | {"sentence": "Ada fed Bo as she was kind."}], "belongs to another schema"),
        ([LABEL, LABEL], "WSC_associative_label.json, record 2: field 'index': 0 occurs twice"),
    ],
)
def test_an_association_that_does_not_fit_is_refused(tmp_path: Path, labels: list[Any], message: str) -> None:
    write_lines(tmp_path, WSC, [TWINS[0] | {"qID": "wsc0"}])
    write_list(tmp_path, LABELS, labels)
    assert message in refusal(named(SUITES, "wsc"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)


def test_the_labels_of_table_2(shared_data: Path) -> None:
    """Back to Square One, Table 2: the column of Trichelair et al. (2019), by its ids."""
    items = {item.id: item for item in named(SUITES, "wsc").open(shared_data)}
    labels = [items[f"wsc{number}"].features["associative"] for number in (2, 8, 72, 185)]
    assert labels == ["0", "0", "1", "1"]
