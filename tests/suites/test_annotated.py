from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.errors import InputError
from referee.items import Item
from referee.suites.annotated import SUBSETS, SUITES
from referee.suites.contracat import SUITES as CONTRACAT
from tests.suites.test_contrapro import RECORD
from tests.support.published import (
    assert_names_its_command,
    english_lines,
    german_lines,
    in_both,
    marked,
    named,
    published_list,
    read_items,
)

ANNOTATED = named(SUITES, "contracat/contrapro/annotated")
FULL = named(SUITES, "contracat/contrapro/full")


def covered(item: Item, role: str) -> list[str]:
    return [words for marked_role, _, _, words in marked(item) if marked_role == role]


@pytest.mark.parametrize(("data", "name", "size"), in_both({ANNOTATED.name: 4}, {ANNOTATED.name: 4272}))
def test_records_come_back_and_texts_are_those_of_the_base(data: Path, name: str, size: int) -> None:
    items = read_items(named(SUITES, name), data)
    assert len(items) == size
    for subset, file in SUBSETS.items():
        published = published_list(data / file)
        ours = [item.meta["record"] for item in items if subset in item.meta["subsets"]]
        if subset == "synonyms":
            # These have lost their contrastive variants; where another subset has the record, that one is kept.
            for record in (*published, *ours):
                record.pop("errors")
        assert ours == published
    base = {item.id: item for item in named(CONTRACAT, "contracat/contrapro").open(data)}
    originals = [base[item.id] for item in items]
    assert list(english_lines(items)) == list(english_lines(originals))
    assert list(german_lines(items)) == list(german_lines(originals))


def test_all_records_come_with_the_base_texts(synthetic_data: Path) -> None:
    items = read_items(FULL, synthetic_data)
    base = read_items(named(CONTRACAT, "contracat/contrapro"), synthetic_data)
    records = published_list(synthetic_data / "contrapro/contrapro.json")
    assert [item.meta["record"] for item in items] == records
    for item, original, record in zip(items, base, records, strict=True):
        spans = item.spans[len(item.spans) - len(original.spans) :]
        assert spans == original.spans
        meta = {**original.meta, "record": record}
        assert item == msgspec.structs.replace(original, distance=item.distance, spans=item.spans, meta=meta)
    assert [item.distance for item in items] == [1, 1, 0, 1, 1, 2]


def test_annotations_of_the_synthetic_examples(synthetic_data: Path) -> None:
    items = list(FULL.open(synthetic_data))
    assert [[mark for mark in marked(item) if mark[0] == "antecedent"] for item in items] == [
        [
            ("antecedent", "source_context", 0, "the kettle"),
            ("antecedent", "target_context", 0, "der Kessel"),
        ],
        [("antecedent", "source_context", 0, "the lamp"), ("antecedent", "target_context", 0, "die Lampe")],
        [("antecedent", "source", 0, "the boat"), *(("antecedent", "candidate", n, "Das Boot") for n in range(3))],
        [("antecedent", "source_context", 0, "the hat"), ("antecedent", "target_context", 0, "der Hut")],
        [("antecedent", "source_context", 0, "the iron"), ("antecedent", "target_context", 0, "der Ofen")],
        [],  # two sentences back, where the texts have one
    ]
    # In the second, "it" occurs twice in lower case: which is meant cannot be told.
    pronouns = [[words for _, field, _, words in marked(item) if field == "source"] for item in items]
    assert pronouns == [["it"], [], ["it", "the boat"], ["it"], ["it"], ["it"]]


def test_of_two_examples_with_the_same_sentences_the_antecedent_decides(synthetic_data: Path) -> None:
    items = list(ANNOTATED.open(synthetic_data))
    assert [(item.id, item.meta["subsets"]) for item in items] == [
        ("contrapro-0", ["possessive/maria", "possessive/woman"]),
        ("contrapro-2", ["possessive/maria", "possessive/woman", "synonyms"]),
        ("contrapro-3", ["possessive/maria"]),
        ("contrapro-4", ["synonyms"]),
    ]
    # The record of the other subsets goes before that which has lost a variant.
    assert [error["replacement"] for error in items[1].meta["record"]["errors"]] == ["er", "sie"]


def test_antecedents_are_found_on_both_sides(shared_data: Path) -> None:
    found = Counter[str]()
    for item in ANNOTATED.open(shared_data):
        record = item.meta["record"]
        texts = {"".join(text.split()).lower() for text in covered(item, "antecedent")}
        wanted = {"".join(record[f"{side} ante phrase"].split()).lower() for side in ("src", "ref")}
        found["right" if texts == wanted else "none" if not texts else "wrong"] += 1
    assert found == {"right": 4270, "none": 2}


def write(data: Path, name: str, content: str | bytes) -> None:
    path = data / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two groups: in the first the antecedent is in the context, in the second in the sentence."""
    folder = "contracat/adversarial_ContraPro"
    english = ["the cup and a cup fell. <SEP> it broke."] * 3 + ["so. <SEP> the cup fell and it broke."] * 3
    german = [f"die Tasse fiel. <SEP> {pronoun} brach." for pronoun in ("Sie", "Er", "Es")]
    german += [f"so. <SEP> Die Tasse fiel und {pronoun} brach." for pronoun in ("sie", "er", "es")]
    write(tmp_path, f"{folder}/en.txt", "".join(f"{line}\n" for line in english))
    write(tmp_path, f"{folder}/de.txt", "".join(f"{line}\n" for line in german))
    write(tmp_path, f"{folder}/sentence_groups.txt", "0\n3\n6\n")
    for file in SUBSETS.values():
        write(tmp_path, file, msgspec.json.encode([FIRST]))
    write(tmp_path, SUBSETS["synonyms"], msgspec.json.encode([SECOND]))
    write(tmp_path, "contrapro/contrapro.json", msgspec.json.encode([FIRST, SECOND]))
    return tmp_path


FIRST: dict[str, Any] = RECORD
SECOND: dict[str, Any] = RECORD | {
    "ante distance": 0,
    "src pronoun": "it",
    "ref pronoun": "sie",
    "src segment": "The cup fell and it broke .",
    "ref segment": "Die Tasse fiel und sie brach .",
}


@pytest.mark.parametrize("suite", [ANNOTATED, FULL])
def test_texts_and_records_come_together(suite: Any, data: Path) -> None:
    first, second = suite.open(data)
    assert (first.id, first.distance, second.id, second.distance) == ("contrapro-0", 1, "contrapro-1", 0)
    assert covered(first, "antecedent") == ["the cup", "die Tasse"]
    assert covered(second, "antecedent") == ["the cup", "Die Tasse", "Die Tasse", "Die Tasse"]
    assert covered(second, "pronoun") == ["it", "sie", "er", "es"]
    assert (first.meta["record"], second.meta["record"]) == (FIRST, SECOND)


def test_the_subsets_an_example_is_in_are_named(data: Path) -> None:
    assert [item.meta["subsets"] for item in ANNOTATED.open(data)] == [
        ["possessive/maria", "possessive/woman"],
        ["synonyms"],
    ]


def test_of_several_places_the_annotated_head_decides(data: Path) -> None:
    folder = "contracat/adversarial_ContraPro"
    english = ["the cup hit the cup. <SEP> it broke."] * 3 + ["so. <SEP> the cup fell and it broke."] * 3
    write(data, f"{folder}/en.txt", "".join(f"{line}\n" for line in english))
    for head, start in ((2, 0), (5, 12)):
        write(data, "contrapro/contrapro.json", msgspec.json.encode([FIRST | {"src ante head id": head}, SECOND]))
        first = next(iter(FULL.open(data)))
        assert [span.start for span in first.spans if span.field == "source_context"] == [start]


def test_records_must_be_in_the_order_of_the_texts(data: Path) -> None:
    write(data, SUBSETS["synonyms"], msgspec.json.encode([SECOND, FIRST]))
    with pytest.raises(InputError, match=r"/contrapro_subset\.json, record 2: this example is not in the base texts"):
        list(ANNOTATED.open(data))


def test_an_example_that_comes_twice_is_found_twice(data: Path) -> None:
    folder = "contracat/adversarial_ContraPro"
    for name in ("en", "de"):
        text = (data / folder / f"{name}.txt").read_text()
        write(data, f"{folder}/{name}.txt", text + "".join(text.splitlines(keepends=True)[:3]))
    write(data, f"{folder}/sentence_groups.txt", "0\n3\n6\n9\n")
    write(data, SUBSETS["synonyms"], msgspec.json.encode([FIRST, SECOND, FIRST]))
    assert [item.meta["subsets"] for item in ANNOTATED.open(data)] == [[*SUBSETS], ["synonyms"], ["synonyms"]]


def test_an_antecedent_that_is_not_in_the_context_does_not_hide_the_example(data: Path) -> None:
    write(data, SUBSETS["synonyms"], msgspec.json.encode([FIRST | {"src ante phrase": "the bowl"}]))
    assert next(iter(ANNOTATED.open(data))).meta["subsets"] == [*SUBSETS]


@pytest.mark.parametrize(
    "change",
    [
        {"src ante phrase": "the bowl"},
        {"ref ante phrase": "die Schale"},
        {"src ante phrase": None},
        {"ref ante phrase": ""},
        {"src ante phrase": "cu"},
    ],
)
def test_half_an_antecedent_is_none(data: Path, change: dict[str, Any]) -> None:
    write(data, "contrapro/contrapro.json", msgspec.json.encode([FIRST | change, SECOND | change]))
    assert [covered(item, "antecedent") for item in FULL.open(data)] == [[], []]


@pytest.mark.parametrize(
    ("head", "antecedents"),
    [(None, []), (2, ["the cup", "die Tasse"])],
)
def test_several_places_without_a_head_are_none(data: Path, head: int | None, antecedents: list[str]) -> None:
    english = ["the cup hit the cup. <SEP> it broke."] * 3 + ["so. <SEP> the cup fell and it broke."] * 3
    write(data, "contracat/adversarial_ContraPro/en.txt", "".join(f"{line}\n" for line in english))
    write(data, "contrapro/contrapro.json", msgspec.json.encode([FIRST | {"src ante head id": head}, SECOND]))
    assert covered(next(iter(FULL.open(data))), "antecedent") == antecedents


def test_a_record_without_its_text_is_refused(data: Path) -> None:
    write(data, SUBSETS["synonyms"], msgspec.json.encode([SECOND | {"src segment": "Something else."}]))
    with pytest.raises(InputError, match=r"/contrapro_subset\.json, record 1: this example is not in the base texts"):
        list(ANNOTATED.open(data))


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([FIRST], r"/contrapro\.json: expected 2 records, one per group of the base texts, but found 1"),
        ([SECOND, FIRST], r"/contrapro\.json, record 1: the source sentence differs from that of item contrapro-0"),
    ],
)
def test_the_full_json_must_be_that_of_the_texts(data: Path, records: list[Any], message: str) -> None:
    write(data, "contrapro/contrapro.json", msgspec.json.encode(records))
    with pytest.raises(InputError, match=message):
        list(FULL.open(data))


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
