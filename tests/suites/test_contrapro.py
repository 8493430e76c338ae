from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.errors import InputError
from referee.io.files import read_bytes, text_lines
from referee.suites.contrapro import SUITES
from tests.suites.test_contracat import english_lines, german_lines

BY_NAME = {suite.name: suite for suite in SUITES}
CHANGED = {"contracat/possessive/maria": 3848, "contracat/possessive/woman": 3839, "contracat/synonyms": 1531}

RECORD: dict[str, Any] = {
    "ante distance": 1,
    "corpus": "made-up",
    "document id": "1",
    "errors": [
        {
            "contrastive": "Er brach.",
            "replacement": "Er",
            "replacement gender": "Masc",
            "type": "pronominal coreference",
        },
        {
            "contrastive": "Es brach.",
            "replacement": "Es",
            "replacement gender": "Neut",
            "type": "pronominal coreference",
        },
    ],
    "intrasegmental": False,
    "ref ante head": "Tasse",
    "ref ante head gender": "Fem",
    "ref ante head id": 2,
    "ref ante head lemma": "Tasse",
    "ref ante head morpho": "Fem|Nom|Sg",
    "ref ante head pos": "NN",
    "ref ante phrase": "Die Tasse",
    "ref pronoun": "Sie",
    "ref segment": "Sie brach.",
    "segment id": 7,
    "src ante head": "cup",
    "src ante head gender": None,
    "src ante head id": 2,
    "src ante head lemma": "cup",
    "src ante head morpho": None,
    "src ante head pos": "NN",
    "src ante phrase": "The cup",
    "src pronoun": "It",
    "src segment": "It broke.",
}


@pytest.mark.parametrize("name", CHANGED)
def test_changed_subsets_come_back(name: str, shared_data: Path) -> None:
    suite = BY_NAME[name]
    items = list(suite.open(shared_data))
    assert len(items) == CHANGED[name]
    assert list(english_lines(items)) == list(text_lines(shared_data / suite.files[0]))
    assert list(german_lines(items)) == list(text_lines(shared_data / suite.files[1]))
    assert [item.meta["record"] for item in items] == msgspec.json.decode(read_bytes(shared_data / suite.files[2]))
    assert all(item.feature("gender") in ("m", "f", "n") for item in items)


def test_only_near_antecedents_are_extended(shared_data: Path) -> None:
    items = BY_NAME["contracat/possessive/maria"].open(shared_data)
    assert set(Counter(item.distance for item in items)) == {0, 1}


def test_records_without_text_come_back(shared_data: Path) -> None:
    suite = BY_NAME["contracat/synonyms/original"]
    items = list(suite.open(shared_data))
    published = msgspec.json.decode(read_bytes(shared_data / suite.files[0]))
    assert [item.meta["record"] for item in items] == published
    assert [item.source for item in items] == [record["src segment"] for record in published]
    assert [[c.text for c in item.candidates] for item in items] == [
        [record["ref segment"], *(error["contrastive"] for error in record["errors"])] for record in published
    ]


def write(data: Path, records: object) -> None:
    (data / "contrapro").mkdir()
    (data / "contrapro/contrapro.json").write_bytes(msgspec.json.encode(records))


def test_a_record_becomes_an_item(tmp_path: Path) -> None:
    write(tmp_path, [RECORD])
    (item,) = BY_NAME["contrapro"].open(tmp_path)
    assert [(c.text, c.features) for c in item.candidates] == [
        ("Sie brach.", {"pronoun": "Sie", "gender": "f"}),
        ("Er brach.", {"pronoun": "Er", "gender": "m"}),
        ("Es brach.", {"pronoun": "Es", "gender": "n"}),
    ]
    assert (item.gold, item.label, item.distance, item.reference) == (0, "sie", 1, "Sie brach.")
    assert [(span.role, span.field) for span in item.spans] == [("pronoun", "source")] + [("pronoun", "candidate")] * 3
    assert item.meta["record"] == RECORD


def test_the_antecedent_is_found_in_the_context(tmp_path: Path) -> None:
    folder = tmp_path / "contracat/adversarial_ContraPro/synonyms"
    folder.mkdir(parents=True)
    (folder / "modified_contrapro_subset.json").write_bytes(msgspec.json.encode([RECORD]))
    (folder / "en.txt").write_text("The cup fell. <SEP> It broke.\n" * 3)
    (folder / "de.txt").write_text("".join(f"Die Tasse fiel. <SEP> {p} brach.\n" for p in ("Sie", "Er", "Es")))
    (item,) = BY_NAME["contracat/synonyms"].open(tmp_path)
    found = [span for span in item.spans if span.role == "antecedent"]
    assert [(span.field, item.source_context[0][span.start : span.end]) for span in found] == [
        ("source_context", "The cup")
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"errors": 3}, "contrapro.json:1: field 'errors': expected array, got int"),
        ({"extra": 3}, "contrapro.json:1: field 'extra': is not a known field"),
        ({"errors": []}, "contrapro.json:1: field 'candidates': one alternative"),
        ({"ante distance": "1"}, "contrapro.json:1: field 'ante distance': expected int, got str"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write(tmp_path, [RECORD | change])
    with pytest.raises(InputError) as error:
        list(BY_NAME["contrapro"].open(tmp_path))
    assert message in str(error.value)


def test_text_must_have_a_line_for_every_alternative(tmp_path: Path) -> None:
    folder = tmp_path / "contracat/adversarial_ContraPro/synonyms"
    folder.mkdir(parents=True)
    (folder / "modified_contrapro_subset.json").write_bytes(msgspec.json.encode([RECORD]))
    (folder / "en.txt").write_text("The cup fell. <SEP> It broke.\n" * 4)
    (folder / "de.txt").write_text("Die Tasse fiel. <SEP> Sie brach.\n" * 4)
    with pytest.raises(InputError, match=r"de\.txt: has 4 lines, but its items take 3"):
        list(BY_NAME["contracat/synonyms"].open(tmp_path))
