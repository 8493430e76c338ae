from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.analysis.robustness import attacks, outcomes
from referee.items import Candidate, Item, Origin, SetOrigin, Span
from referee.scoring.decision import contrastive
from referee.suites.enhanced_wsc import NAME, SUITES, TABLE, VERSIONS
from tests.support.published import (
    assert_names_its_command,
    in_both,
    named,
    published_lines,
    published_text,
    read_items,
    refusal,
    write,
)

CONTROLS = ("scrambled", "freqnoun")
PUBLIC = {
    "original": 285,
    "voice": 220,
    "tense": 281,
    "number": 253,
    "gender": 155,
    "rel_clause": 283,
    "syn": 283,
    "adverb": 283,
    "random_context": 285,
    "scrambled": 285,
    "freqnoun": 285,
}
SMALL = dict.fromkeys(PUBLIC, 2) | dict.fromkeys(("original", "tense", "random_context", *CONTROLS), 4)


def record(item: Item) -> dict[str, Any]:
    """The line in WinoGrande's format."""
    options = {
        f"option{n}": item.meta.get(f"option{n}", candidate.text) for n, candidate in enumerate(item.candidates, 1)
    }
    labels = {name: int(item.features.get(name, "0")) for name in ("associative", "switchable")}
    fixed = {"sentence": item.source, "answer": str((item.gold or 0) + 1), "pair_number": item.meta["pair_number"]}
    return fixed | options | labels | {"qID": item.meta["qID"]}


@pytest.mark.parametrize(("data", "name", "size"), in_both(SMALL, PUBLIC))
def test_every_published_line_comes_back(data: Path, name: str, size: int) -> None:
    suite = named(SUITES, f"{NAME}/{name}")
    items = read_items(suite, data)
    assert len(items) == size
    version = next(version for version in VERSIONS if version.name == name)
    if version.file is not None:
        assert [record(item) for item in items] == published_lines(data / version.file)
    header, *rows = (line.split("\t") for line in published_text(data / TABLE).split("\n"))
    if name == "original":
        assert [item.meta["row"] for item in items] == [dict(zip(header, row, strict=True)) for row in rows]
    cells = [row[header.index(version.column)] for row in rows]
    present = [number for number, cell in enumerate(cells) if cell != "-"]
    assert [int(item.id.partition("+")[0].rpartition(".")[2]) for item in items] == present
    if version.file is None:
        assert [item.meta["text"] for item in items] == [cells[number] for number in present]
        for item in items:
            assert item.source.replace("_", item.features["pronoun"].lower()) == item.meta["text"].lower()


def test_items_field_by_field(synthetic_data: Path) -> None:
    original = next(iter(named(SUITES, f"{NAME}/original").open(synthetic_data)))
    source = "the baker called the farmer because  _ needed eggs ."
    row = dict(original.meta["row"])
    assert (row["text_tense"], row["correct_answer"]) == (
        "The baker is calling the farmer because he needed eggs .",
        "A",
    )
    assert original == Item(
        id="enhanced-wsc.0",
        group="pair-0",
        task="fill",
        source_lang="en",
        target_lang="en",
        source=source,
        candidates=(Candidate("the baker"), Candidate("the farmer")),
        gold=0,
        label="non-associative",
        features={"associative": "0", "switchable": "1", "pronoun": "he"},
        spans=(Span("trigger", "source", source.index("needed"), source.index("needed") + 6),),
        meta={"qID": "q00", "pair_number": 0, "row": row},
    )
    plural = next(iter(named(SUITES, f"{NAME}/number").open(synthetic_data)))
    assert (plural.id, plural.group) == ("enhanced-wsc.0+number", "pair-0")
    assert plural.origin == Origin("enhanced-wsc.0", "number", "attack")
    # A published option ends in a space; what fills the gap does not.
    assert plural.candidates[0].text == "the bakers"
    assert plural.meta["option1"] == "the bakers "
    assert plural.features["pronoun"] == "they"


def test_the_gap_is_found_in_texts_that_were_published_without(synthetic_data: Path) -> None:
    sources = {
        name: [item.source for item in named(SUITES, f"{NAME}/{name}").open(synthetic_data)]
        for name in ("random_context", *CONTROLS)
    }
    assert sources["random_context"][0] == (
        "it was early .the baker called the farmer because _ needed eggs . then he rested ."
    )
    assert sources["random_context"][2] == 'she was late . "wait" , ann told bea before _ opened the gate . she ran .'
    assert sources["scrambled"][1] == "the bkaer cllead the framer because _ sold egsg ."
    assert sources["freqnoun"][3] == 'brick "wait" , ann told bea before _ cup reached the gate .'


def test_one_set_has_the_originals_and_all_that_was_made_of_them(published_data: Path) -> None:
    items = read_items(named(SUITES, NAME), published_data)
    sizes = Counter("original" if item.origin is None else item.origin.change for item in items)
    assert sizes == (PUBLIC if len(items) > 100 else SMALL)
    originals = {item.id: item for item in items if item.origin is None}
    for item in items:
        if item.origin is not None:
            original = originals[item.origin.item]
            assert (item.group, item.gold) == (original.group, original.gold)
            assert item.origin.kind == ("probe" if item.origin.change in CONTROLS else "attack")


def test_each_perturbation_is_a_set_of_its_own() -> None:
    for suite in SUITES[2:]:
        change = suite.name.rpartition("/")[2]
        assert suite.origin == SetOrigin(f"{NAME}/original", change, "probe" if change in CONTROLS else "attack")
    assert SUITES[0].origin is SUITES[1].origin is None


def test_robustness_pairs_every_item_with_its_original(synthetic_data: Path) -> None:
    items = list(named(SUITES, NAME).open(synthetic_data))
    verdicts = [contrastive(item.id, (-1.0, -2.0), item.gold, higher=True) for item in items]
    effects = attacks({NAME: outcomes(zip(items, verdicts, strict=True))})[NAME]
    assert {drop.perturbation: drop.pairs for drop in effects.drops} == {
        name: size for name, size in SMALL.items() if name != "original"
    }
    assert all(drop.unpaired == 0 for drop in effects.drops)


def test_published_labels(shared_data: Path) -> None:
    items = list(named(SUITES, f"{NAME}/original").open(shared_data))
    assert Counter(item.label for item in items) == {"non-associative": 236, "associative": 37, None: 12}
    sizes = Counter(Counter(item.group for item in items).values())
    assert sizes == {2: 141, 3: 1}


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (TABLE, "\ttext_tense\t", "\ttext_tenses\t", "expected 38 columns, one of them text_tense"),
        (TABLE, "\tA\t0\t1", "\tC\t0\t1", "'C' is neither 'A' nor 'B'"),
        (TABLE, "\tA\t0\t1", "\tB\t0\t1", "the answer or the pair differs from row 0"),
        (TABLE, ".The baker called", ".The butcher called", "does not contain the original"),
        (TABLE, "because he window", "because window", "is not in the perturbed text as often as in the original"),
        ("enhanced-wsc/jsonl/text_voice.jsonl", '"q11"', '"q12"', "row 2 of enhanced_wsc.tsv has no text_voice"),
        ("enhanced-wsc/jsonl/text_voice.jsonl", '"q11"', '"x1"', "is not 'q1' and a row number"),
        ("enhanced-wsc/jsonl/text_voice.jsonl", '"answer": "2"', '"answer": "3"', "invalid enum value '3'"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    file: str, old: str, new: str, message: str, tmp_path: Path, synthetic_data: Path
) -> None:
    suite = named(SUITES, NAME)
    for name in suite.files:
        text = published_text(synthetic_data / name)
        assert name != file or old in text
        write(tmp_path, name, text.replace(old, new, 1) if name == file else text)
    assert message in refusal(suite, tmp_path)


def test_an_original_that_is_missing_is_named(tmp_path: Path, synthetic_data: Path) -> None:
    suite = named(SUITES, f"{NAME}/freqnoun")
    for name in suite.files:
        text = published_text(synthetic_data / name)
        write(tmp_path, name, text if name == TABLE else "\n".join(text.split("\n")[:3]) + "\n")
    assert "row 3 has no original in text_original.jsonl" in refusal(suite, tmp_path)


def test_missing_files_are_named(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
