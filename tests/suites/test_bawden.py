from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from referee.items import Candidate, Item
from referee.suites.bawden import ANAPHORA, LEXICAL_CHOICE, SUITES
from tests.support.published import (
    assert_names_its_command,
    in_both,
    marked,
    named,
    published_text,
    read_items,
    refusal,
    span_of,
    write,
)

FILES = {"anaphora": ANAPHORA, "lexical-choice": LEXICAL_CHOICE}


def contrast(item: Item, correct: str) -> dict[str, Any]:
    (previous,) = item.target_context
    assert item.gold is not None
    texts = [candidate.text for candidate in item.candidates]
    return {correct: [previous, texts[item.gold]], "incorrect": [previous, texts[1 - item.gold]]}


def blocks(items: list[Item], name: str) -> dict[str, Any]:
    """The published blocks that the items come from."""
    found: dict[str, Any] = {}
    for item in items:
        key = str(item.group).rpartition(".")[2]
        source = [*item.source_context, item.source]
        if name == "anaphora":
            block = found.setdefault(key, {"inspired by": item.meta["inspired by"], "src": source, "trg": []})
            assert block["src"] == source
            block["trg"].append(contrast(item, item.features["context"]) | {"type": item.features["type"]})
        else:
            start = {"inspired by": item.meta["inspired by"], "type": item.label, "examples": []}
            found.setdefault(key, start)["examples"].append({"src": source, "trg": contrast(item, "correct")})
    return found


@pytest.mark.parametrize(
    ("data", "name", "size"),
    in_both({"anaphora": 12, "lexical-choice": 6}, {"anaphora": 200, "lexical-choice": 200}),
)
def test_every_published_block_comes_back(data: Path, name: str, size: int) -> None:
    items = read_items(named(SUITES, f"bawden-en-fr/{name}"), data)
    assert len(items) == size
    published = json.loads(published_text(data / FILES[name]))
    assert blocks(items, name) == published
    assert list(blocks(items, name)) == list(published)


@pytest.mark.parametrize("name", FILES)
def test_a_block_is_a_group_in_which_a_fixed_choice_is_right_half_of_the_time(name: str, published_data: Path) -> None:
    right: dict[str, Counter[int | None]] = defaultdict(Counter)
    for item in named(SUITES, f"bawden-en-fr/{name}").open(published_data):
        right[str(item.group)][item.gold] += 1
        # The order of the candidates does not give the answer away.
        assert [candidate.text for candidate in item.candidates] == sorted(c.text for c in item.candidates)
    assert all(counts[0] == counts[1] for counts in right.values())


def test_an_item_field_by_field(synthetic_data: Path) -> None:
    first = next(iter(named(SUITES, "bawden-en-fr/anaphora").open(synthetic_data)))
    assert first == Item(
        id="bawden.anaphora.1.0",
        group="bawden.anaphora.1",
        task="translate",
        source_lang="en",
        target_lang="fr",
        source_context=("The lamps are new.",),
        source="They are bright.",
        target_context=("Les lampes sont neuves.",),
        candidates=(
            Candidate("Elles sont claires.", {"gender": "f", "pronoun": "Elles"}),
            Candidate("Ils sont clairs.", {"gender": "m", "pronoun": "Ils"}),
        ),
        gold=0,
        reference="Elles sont claires.",
        label="correct",
        distance=1,
        features={"type": "f.pl", "number": "plur", "context": "correct"},
        spans=(
            span_of("Elles", "Elles sont claires.", "pronoun", "candidate"),
            span_of("Ils", "Ils sont clairs.", "pronoun", "candidate", 1),
        ),
        meta={"inspired by": ["A line.", "Another line."]},
    )


def test_a_pronoun_is_marked_where_it_shows_the_gender(synthetic_data: Path) -> None:
    items = list(named(SUITES, "bawden-en-fr/anaphora").open(synthetic_data))
    assert [marked(item) for item in items[4:6]] == [[], []]
    assert marked(items[8]) == [("pronoun", "candidate", 0, "la"), ("pronoun", "candidate", 1, "le")]
    assert [item.feature("gender") for item in items[::2]] == ["f", "m", "m", "f", "m", "f"]
    assert [item.label for item in items[:4]] == ["correct", "correct", "semi-correct", "semi-correct"]


def test_types_of_lexical_choice(synthetic_data: Path, shared_data: Path) -> None:
    suite = named(SUITES, "bawden-en-fr/lexical-choice")
    assert [item.features["type"] for item in suite.open(synthetic_data)][::2] == [
        "disambig",
        "repet",
        "repet, disambig",
    ]
    assert Counter(item.label for item in suite.open(shared_data)) == {
        "disambig": 172,
        "repet": 22,
        "repet, disambig": 6,
    }


def test_published_types_are_balanced(shared_data: Path) -> None:
    items = list(named(SUITES, "bawden-en-fr/anaphora").open(shared_data))
    assert Counter(item.features["type"] for item in items) == dict.fromkeys(("m.sg", "m.pl", "f.sg", "f.pl"), 50)
    assert Counter(item.label for item in items) == {"correct": 100, "semi-correct": 100}


PAIR = {"correct": ["Un.", "Il dort."], "incorrect": ["Un.", "Elle dort."]}
TARGET = PAIR | {"type": "m.sg"}


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (TARGET | {"type": "n.sg"}, "invalid enum value 'n.sg'"),
        (TARGET | {"semi-correct": ["Un.", "Il dort."]}, "expected one of 'correct' and 'semi-correct'"),
        ({"incorrect": ["Un.", "Elle dort."], "type": "m.sg"}, "expected one of 'correct' and 'semi-correct'"),
        (TARGET | {"incorrect": ["Deux.", "Elle dort."]}, "differ in the previous sentence"),
        (TARGET | {"incorrect": ["Elle dort."]}, "length 2"),
        (TARGET | {"other": 1}, "is not a known field"),
    ],
)
def test_invalid_targets_are_refused_with_their_block(target: dict[str, Any], message: str, tmp_path: Path) -> None:
    block = {"inspired by": ["x"], "src": ["One.", "It sleeps."], "trg": [TARGET]}
    write(tmp_path, ANAPHORA, json.dumps({"1": block, "2": block | {"trg": [target]}}))
    refused = refusal(named(SUITES, "bawden-en-fr/anaphora"), tmp_path)
    assert message in refused
    assert f"{ANAPHORA}:2: " in refused


def test_missing_files_are_named(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
