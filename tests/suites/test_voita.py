from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.items import Candidate, Item
from referee.suites.voita import SUITES
from tests.support.published import (
    assert_names_its_command,
    in_both,
    named,
    published_text,
    read_items,
    refusal,
    write_list,
)

COUNTS = {
    "deixis-dev": 500,
    "deixis-test": 2500,
    "ellipsis-infl": 500,
    "ellipsis-vp": 500,
    "lex-cohesion-dev": 500,
    "lex-cohesion-test": 1500,
}
FILE = "parallel/voita-consistency-en-ru/deixis_dev.json"
RECORD: dict[str, Any] = {
    "src": "One . _eos Two . _eos Three . _eos You ?",
    "dst": ["Раз . _eos Два . _eos Три . _eos Ты ?", "Раз . _eos Два . _eos Три . _eos Вы ?"],
    "true_ind": 0,
    "ctx_dist": 2,
}


def published(item: Item) -> dict[str, Any]:
    contexts = [*item.target_context]
    return {
        "src": " _eos ".join([*item.source_context, item.source]),
        "dst": [" _eos ".join([*contexts, candidate.text]) for candidate in item.candidates],
        "true_ind": item.gold,
        "ctx_dist": item.distance,
    }


SYNTHETIC = {
    "deixis-dev": 3,
    "deixis-test": 1,
    "ellipsis-infl": 1,
    "ellipsis-vp": 1,
    "lex-cohesion-dev": 2,
    "lex-cohesion-test": 1,
}


@pytest.mark.parametrize(("data", "name", "size"), in_both(SYNTHETIC, COUNTS))
def test_every_published_record_comes_back(data: Path, name: str, size: int) -> None:
    items = read_items(named(SUITES, f"voita/{name}"), data)
    assert [item.id for item in items] == [f"voita.{name}.{row}" for row in range(size)]
    file = f"parallel/voita-consistency-en-ru/{name.replace('-', '_')}.json"
    assert [published(item) for item in items] == json.loads(published_text(data / file))
    assert {item.label for item in items} == {name.removesuffix("-dev").removesuffix("-test")}
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("translate", "en", "ru")}


@pytest.mark.parametrize("name", COUNTS)
def test_published_groups(shared_data: Path, name: str) -> None:
    sizes = set(Counter(item.group for item in named(SUITES, f"voita/{name}").open(shared_data)).values())
    assert sizes == ({1} if "ellipsis" in name else {2} if "deixis" in name else {2, 3, 4, 5})


def test_a_synthetic_record_field_by_field(synthetic_data: Path) -> None:
    items = read_items(named(SUITES, "voita/deixis-dev"), synthetic_data)
    assert items[1] == Item(
        id="voita.deixis-dev.1",
        task="translate",
        source_lang="en",
        target_lang="ru",
        source_context=("Come in .", "It is cold .", "Take the chair ."),
        source="Are you hungry ?",
        target_context=("Входите .", "Холодно .", "Берите стул ."),
        candidates=(Candidate("Ты голоден ?"), Candidate("Вы голодны ?")),
        gold=1,
        group="voita.deixis-dev.0",
        label="deixis",
        distance=1,
    )
    # The same alternatives after other English sentences are another group.
    assert [item.group for item in items] == ["voita.deixis-dev.0", "voita.deixis-dev.0", "voita.deixis-dev.2"]
    # In whichever order they come.
    cohesion = read_items(named(SUITES, "voita/lex-cohesion-dev"), synthetic_data)
    assert {item.group for item in cohesion} == {"voita.lex-cohesion-dev.0"}


def test_the_other_context_is_in_the_same_group(tmp_path: Path) -> None:
    other = RECORD | {"dst": [text.replace("Раз", "Раз-с") for text in reversed(RECORD["dst"])]}
    alone = RECORD | {"src": "One . _eos Two . _eos Three . _eos He ?"}
    write_list(tmp_path, FILE, [RECORD, other, alone])
    items = read_items(named(SUITES, "voita/deixis-dev"), tmp_path)
    assert [item.group for item in items] == ["voita.deixis-dev.0", "voita.deixis-dev.0", "voita.deixis-dev.2"]
    assert items[0].source_context == ("One .", "Two .", "Three .")
    assert items[1].target_context == ("Раз-с .", "Два .", "Три .")
    assert (items[0].source, items[0].candidates[0].text) == ("You ?", "Ты ?")
    assert [published(item) for item in items] == [RECORD, other, alone]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"src": "One . _eos Two ."}, "field 'src': expected 4 sentences, but found 2"),
        ({"dst": ["Раз ."]}, "field 'dst': expected 4 sentences, but found 1"),
        ({"dst": []}, "field 'dst': the candidates differ before their last sentence"),
        ({"dst": ["а _eos б _eos в _eos г", "а _eos б _eos х _eos д"]}, "field 'dst': the candidates differ before"),
        ({"true_ind": 2}, "field 'gold': 2 is out of range (expected 0 to 1)"),
        ({"ctx_dist": "2"}, "field 'ctx_dist': expected int, got str"),
        ({"hint": ""}, "field 'hint': is not a known field"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_list(tmp_path, FILE, [RECORD, RECORD | change])
    assert f"deixis_dev.json, record 2: {message}" in refusal(named(SUITES, "voita/deixis-dev"), tmp_path)


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    write_list(tmp_path, FILE, [{"src": ""}])
    assert "deixis_dev.json, record 1: field 'dst': is missing" in refusal(named(SUITES, "voita/deixis-dev"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
