from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.errors import InputError
from referee.io.files import text_lines
from referee.items import Candidate, Item, Span
from referee.suites.contrapro import SUITES
from tests.support.published import (
    assert_names_its_command,
    english_lines,
    german_lines,
    in_both,
    marked,
    published_list,
    read_items,
    refusal,
    span_of,
)

BY_NAME = {suite.name: suite for suite in SUITES}
CHANGED = {"contracat/possessive/maria": 3848, "contracat/possessive/woman": 3839, "contracat/synonyms": 1531}
SYNTHETIC = {"contracat/possessive/maria": 3, "contracat/possessive/woman": 2, "contracat/synonyms": 2}

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


@pytest.mark.parametrize(("data", "name", "size"), in_both(SYNTHETIC, CHANGED))
def test_changed_subsets_come_back(data: Path, name: str, size: int) -> None:
    suite = BY_NAME[name]
    items = read_items(suite, data)
    assert len(items) == size
    assert list(english_lines(items)) == list(text_lines(data / suite.files[0]))
    assert list(german_lines(items)) == list(text_lines(data / suite.files[1]))
    assert [item.meta["record"] for item in items] == published_list(data / suite.files[2])
    assert all(item.feature("gender") in ("m", "f", "n") for item in items)
    stem = name.rpartition("/")[2]
    assert [item.id for item in items] == [f"{stem}-{number}" for number in range(size)]
    assert {(item.task, item.source_lang, item.target_lang, item.gold) for item in items} == {
        ("translate", "en", "de", 0)
    }


def test_only_near_antecedents_are_extended(published_data: Path) -> None:
    items = BY_NAME["contracat/possessive/maria"].open(published_data)
    assert set(Counter(item.distance for item in items)) == {0, 1}


ALONE = {"contracat/synonyms/original": 2, "contrapro": 6}


@pytest.mark.parametrize(("data", "name", "size"), in_both(ALONE, {"contracat/synonyms/original": 1531}))
def test_records_without_text_come_back(data: Path, name: str, size: int) -> None:
    suite = BY_NAME[name]
    items = read_items(suite, data)
    published = published_list(data / suite.files[0])
    assert [item.meta["record"] for item in items] == published
    assert [item.source for item in items] == [record["src segment"] for record in published]
    assert [[c.text for c in item.candidates] for item in items] == [
        [record["ref segment"], *(error["contrastive"] for error in record["errors"])] for record in published
    ]
    stem = "contrapro" if name == "contrapro" else "synonyms"
    assert [item.id for item in items] == [f"{stem}-{number}" for number in range(size)]


def test_an_item_of_a_changed_subset(synthetic_data: Path) -> None:
    kettle, boat, hat = BY_NAME["contracat/possessive/maria"].open(synthetic_data)
    record = published_list(synthetic_data / BY_NAME["contracat/possessive/maria"].files[2])[1]
    texts = tuple(f"Marias Boot leckt, weil {pronoun} alt ist." for pronoun in ("es", "er", "sie"))
    assert boat == Item(
        id="maria-1",
        task="translate",
        source_lang="en",
        target_lang="de",
        source="Maria's boat leaks because it is old.",
        candidates=(
            Candidate(texts[0], {"pronoun": "es", "gender": "n"}),
            Candidate(texts[1], {"pronoun": "er", "gender": "m"}),
            Candidate(texts[2], {"pronoun": "sie", "gender": "f"}),
        ),
        gold=0,
        reference=texts[0],
        label="es",
        distance=0,
        spans=(
            span_of("it", "Maria's boat leaks because it is old.", "pronoun", "source"),
            span_of("es", texts[0], "pronoun", "candidate", 0),
            span_of("er", texts[1], "pronoun", "candidate", 1),
            span_of("sie", texts[2], "pronoun", "candidate", 2),
        ),
        meta={"separators": ["<SEP> ", "<SEP> "], "record": record},
    )
    assert (kettle.source_context, kettle.target_context) == (("Maria's kettle whistled.",), ("Marias Kessel pfiff.",))
    # The possessives differ, too; it is the pronoun of the record that counts.
    assert [words for *_, words in marked(hat)] == ["it", "er", "sie", "es"]


def test_the_text_decides_and_the_record_stays(synthetic_data: Path) -> None:
    boat, iron = BY_NAME["contracat/synonyms"].open(synthetic_data)
    assert (boat.label, boat.reference) == ("er", "Der Kahn leckt, weil er alt ist.")
    # By its pronoun: the published tag is that of another.
    assert [candidate.features["gender"] for candidate in boat.candidates] == ["m", "n", "f"]
    assert (iron.label, iron.source_context) == ("es", ('"the iron smoked.',))
    assert ("antecedent", "source_context", 0, "the iron") in marked(iron)


def test_records_alone_have_no_context(synthetic_data: Path) -> None:
    items = list(BY_NAME["contrapro"].open(synthetic_data))
    assert not any(item.source_context or item.target_context for item in items)
    assert [item.distance for item in items] == [1, 1, 0, 1, 1, 2]
    assert [item.label for item in items] == ["er", "sie", "es", "er", "er", "ihn"]
    # An antecedent is marked where its sentence is there.
    assert [[words for role, *_, words in marked(item) if role == "antecedent"] for item in items] == [
        *([], []),
        ["The boat"],
        *([], [], []),
    ]


def write(data: Path, records: object) -> None:
    (data / "contrapro").mkdir()
    (data / "contrapro/contrapro.json").write_bytes(msgspec.json.encode(records))


def test_a_record_becomes_an_item(tmp_path: Path) -> None:
    write(tmp_path, [RECORD])
    (item,) = BY_NAME["contrapro"].open(tmp_path)
    assert item == Item(
        id="contrapro-0",
        task="translate",
        source_lang="en",
        target_lang="de",
        source="It broke.",
        candidates=(
            Candidate("Sie brach.", {"pronoun": "Sie", "gender": "f"}),
            Candidate("Er brach.", {"pronoun": "Er", "gender": "m"}),
            Candidate("Es brach.", {"pronoun": "Es", "gender": "n"}),
        ),
        gold=0,
        reference="Sie brach.",
        label="sie",
        distance=1,
        spans=(
            Span("pronoun", "source", 0, 2),
            Span("pronoun", "candidate", 0, 3, 0),
            Span("pronoun", "candidate", 0, 2, 1),
            Span("pronoun", "candidate", 0, 2, 2),
        ),
        meta={"record": RECORD},
    )


def test_a_pronoun_of_no_gender_has_none(tmp_path: Path) -> None:
    record = {"ref pronoun": "Ihr", "ref segment": "Ihr Henkel brach."}
    write(tmp_path, [RECORD | record])
    (item,) = BY_NAME["contrapro"].open(tmp_path)
    assert (item.candidates[0].features, item.label) == ({"pronoun": "Ihr"}, "ihr")


def test_a_distance_beyond_the_context_marks_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "contracat/adversarial_ContraPro/synonyms"
    folder.mkdir(parents=True)
    (folder / "modified_contrapro_subset.json").write_bytes(msgspec.json.encode([RECORD | {"ante distance": 2}]))
    (folder / "en.txt").write_text("The cup fell. <SEP> It broke.\n" * 3)
    (folder / "de.txt").write_text("".join(f"Die Tasse fiel. <SEP> {p} brach.\n" for p in ("Sie", "Er", "Es")))
    (item,) = BY_NAME["contracat/synonyms"].open(tmp_path)
    assert item.distance == 2
    assert not any(span.role == "antecedent" for span in item.spans)


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
        ({"errors": 3}, "contrapro.json, record 1: field 'errors': expected array, got int"),
        ({"extra": 3}, "contrapro.json, record 1: field 'extra': is not a known field"),
        ({"errors": []}, "contrapro.json, record 1: field 'candidates': has 1 candidate"),
        ({"ante distance": "1"}, "contrapro.json, record 1: field 'ante distance': expected int, got str"),
    ],
)
def test_bad_records_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write(tmp_path, [RECORD | change])
    assert message in refusal(BY_NAME["contrapro"], tmp_path)


def test_text_must_have_a_line_for_every_alternative(tmp_path: Path) -> None:
    folder = tmp_path / "contracat/adversarial_ContraPro/synonyms"
    folder.mkdir(parents=True)
    (folder / "modified_contrapro_subset.json").write_bytes(msgspec.json.encode([RECORD]))
    (folder / "en.txt").write_text("The cup fell. <SEP> It broke.\n" * 4)
    (folder / "de.txt").write_text("Die Tasse fiel. <SEP> Sie brach.\n" * 4)
    with pytest.raises(InputError, match=r"de\.txt: expected 3 lines, as many as its items have, but found 4"):
        list(BY_NAME["contracat/synonyms"].open(tmp_path))


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
