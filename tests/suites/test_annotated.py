from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.errors import InputError
from referee.io.files import read_bytes
from referee.items import Item
from referee.perturbations.edits import text_at
from referee.suites.annotated import SUBSETS, SUITES
from referee.suites.contracat import SUITES as CONTRACAT
from tests.suites.published import named, read_items
from tests.suites.test_contracat import english_lines, german_lines
from tests.suites.test_contrapro import RECORD

ANNOTATED = named(SUITES, "contracat/contrapro/annotated")
FULL = named(SUITES, "contracat/contrapro/full")


def covered(item: Item, role: str) -> list[str]:
    return [text_at(item, (span.field, span.index))[span.start : span.end] for span in item.spans if span.role == role]


def test_records_come_back_and_texts_are_those_of_the_base(shared_data: Path) -> None:
    items = read_items(ANNOTATED, shared_data)
    assert len(items) == 4272
    for name, file in SUBSETS.items():
        published = msgspec.json.decode(read_bytes(shared_data / file))
        ours = [item.meta["record"] for item in items if name in item.meta["subsets"]]
        if name == "synonyms":
            # These have lost their contrastive variants; where another subset has the record, that one is kept.
            for record in (*published, *ours):
                record.pop("errors")
        assert ours == published
    base = {item.id: item for item in named(CONTRACAT, "contracat/contrapro").open(shared_data)}
    originals = [base[item.id] for item in items]
    assert list(english_lines(items)) == list(english_lines(originals))
    assert list(german_lines(items)) == list(german_lines(originals))


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


def test_a_record_without_its_text_is_refused(data: Path) -> None:
    write(data, SUBSETS["synonyms"], msgspec.json.encode([SECOND | {"src segment": "Something else."}]))
    with pytest.raises(InputError, match=r"contrapro_subset\.json:1: is an example that the base texts do not have"):
        list(ANNOTATED.open(data))


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([FIRST], "has 1 records, but the base texts have 2 groups"),
        ([SECOND, FIRST], r"contrapro\.json:1: its source sentence is not that of contrapro-0"),
    ],
)
def test_the_full_json_must_be_that_of_the_texts(data: Path, records: list[Any], message: str) -> None:
    write(data, "contrapro/contrapro.json", msgspec.json.encode(records))
    with pytest.raises(InputError, match=message):
        list(FULL.open(data))
