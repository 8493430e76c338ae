from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.items import Candidate, Item
from referee.suites.fwsc import FILE, SUITES
from tests.support.published import (
    assert_names_its_command,
    in_both,
    named,
    published_list,
    published_text,
    read_items,
    refusal,
    write,
    write_list,
)

SENTENCES = {"xs": 320, "s": 1280, "m": 5116, "l": 20468, "dev": 2534}
SAME = {"xs": 81, "s": 322, "m": 1287, "l": 5150, "dev": 630}
DEV = "winograd-multilingual/fwsc285/winogrande_fr/winogrande_dev_with_ids.txt"
EMPTY = (
    "local_context_masked whole_context_masked correct_answer_masked wrong_answer_masked pair_correct pair_wrong "
    "switched_text ambiguous negated_text tense number gender_switch english_text english_question french_question"
)
RECORD: dict[str, Any] = dict.fromkeys(EMPTY.split(), "") | {
    "version": "v9",
    "english_id": 7,
    "french_id": 2,
    "french_text": "La tasse a cassé le verre car [elle] était dure.",
    "french_text_ready_to_be_replaced": "La tasse a cassé le verre car [elle] était dure.",
    "correct_answer": "la tasse",
    "wrong_answer": "La cuiller",
    "pmi_able": "",
    "associative": 2,
    "switchable": 1,
    "propnoun_changeable": 0,
    "negatable": 0,
}


def published(item: Item) -> dict[str, Any]:
    assert item.gold is not None
    features = dict(item.features)
    return item.meta | {
        "french_text_ready_to_be_replaced": item.source.replace("_", f"[{features.pop('pronoun')}]"),
        "correct_answer": item.candidates[item.gold].text,
        "wrong_answer": item.candidates[1 - item.gold].text,
        **{name: int(value) for name, value in features.items()},
    }


def published_blocks(item: Item) -> str:
    pairs = zip(item.candidates, item.meta["labels"], strict=True)
    return "".join(f"{candidate.text}\n{label}\n{item.id}\n\n" for candidate, label in pairs)


LABELS = {"non-associative": 245, "associative": 37, "negatively associative": 3}


@pytest.mark.parametrize(
    ("data", "name", "labels"), in_both({"fwsc285": dict.fromkeys(LABELS, 1)}, {"fwsc285": LABELS})
)
def test_every_published_schema_comes_back(data: Path, name: str, labels: dict[str, int]) -> None:
    items = read_items(named(SUITES, name), data)
    assert [published(item) for item in items] == published_list(data / FILE)
    assert Counter(item.label for item in items) == labels
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("fill", "fr", "fr")}


def test_the_right_answer_of_a_published_schema_is_not_always_the_first(shared_data: Path) -> None:
    items = read_items(named(SUITES, "fwsc285"), shared_data)
    assert 130 < sum(item.gold == 0 for item in items) < 155


def test_a_synthetic_schema_field_by_field(synthetic_data: Path) -> None:
    items = read_items(named(SUITES, "fwsc285"), synthetic_data)
    record = published_list(synthetic_data / FILE)[1]
    answers = ("french_text_ready_to_be_replaced", "correct_answer", "wrong_answer")
    elsewhere = (*answers, "associative", "switchable", "negatable")
    assert items[1] == Item(
        id="fwsc285.4",
        task="fill",
        source_lang="fr",
        target_lang="fr",
        source="La corde tient la barque, car _ est petite.",
        candidates=(Candidate("la barque"), Candidate("la corde")),
        gold=0,
        group="fwsc-1",
        label="associative",
        features={"associative": "1", "switchable": "1", "negatable": "0", "pronoun": "elle"},
        meta={name: value for name, value in record.items() if name not in elsewhere},
    )
    assert (items[0].group, items[0].candidates, items[0].gold) == ("fwsc-1", items[1].candidates, 1)
    assert (items[2].group, items[2].features["pronoun"]) == (None, "il")


PAIRS = {f"winogrande-fr/{split}": (size // 2, SAME[split]) for split, size in SENTENCES.items()}
SMALL_PAIRS = {"winogrande-fr/xs": (1, 0), "winogrande-fr/dev": (2, 1)}


@pytest.mark.parametrize(("data", "name", "sizes"), in_both(SMALL_PAIRS, PAIRS))
def test_every_published_sentence_comes_back(data: Path, name: str, sizes: tuple[int, int]) -> None:
    suite = named(SUITES, name)
    items = read_items(suite, data)
    assert (len(items), sum(item.gold is None for item in items)) == sizes
    assert "".join(map(published_blocks, items)) == published_text(data / suite.files[0])


def test_synthetic_sentences_field_by_field(synthetic_data: Path) -> None:
    same, differ = read_items(named(SUITES, "winogrande-fr/dev"), synthetic_data)
    texts = ("l'écharpe est déchirée.", "le gant est déchiré.")
    assert differ == Item(
        id="7XSCARF-1",
        task="fill",
        source_lang="fr",
        target_lang="fr",
        source="_",
        candidates=tuple(Candidate(f"Inès préfère l'écharpe au gant, car {text}") for text in texts),
        gold=1,
        group="7XSCARF",
        meta={"labels": ["0", "1"]},
    )
    assert (same.group, same.features, same.meta) == ("7XSCARF", {"repeated": "candidates"}, {"labels": ["1", "0"]})


def test_every_size_of_french_winogrande_is_a_suite() -> None:
    folder = "winograd-multilingual/fwsc285/winogrande_fr"
    files = {f"winogrande-fr/{n}": (f"{folder}/winogrande_{n}_with_ids.txt",) for n in ("xs", "s", "m", "l", "dev")}
    assert {suite.name: suite.files for suite in SUITES} == files | {"fwsc285": (FILE,)}


def test_candidates_are_in_alphabetical_order(tmp_path: Path) -> None:
    write_list(tmp_path, FILE, [RECORD, RECORD | {"english_id": 8, "french_id": "", "wrong_answer": "le verre"}])
    first, second = read_items(named(SUITES, "fwsc285"), tmp_path)
    assert [candidate.text for candidate in first.candidates] == ["La cuiller", "la tasse"]
    assert (first.gold, first.group, first.label) == (1, "fwsc-2", "negatively associative")
    assert (second.gold, second.group) == (0, None)
    assert first.source == "La tasse a cassé le verre car _ était dure."
    assert published(first) == RECORD


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"associative": 3}, "field 'associative': invalid enum value 3"),
        ({"french_id": "x"}, "field 'french_id': invalid enum value 'x'"),
        (
            {"french_text_ready_to_be_replaced": "elle"},
            "field 'french_text_ready_to_be_replaced': expected exactly one",
        ),
        (
            {"french_text_ready_to_be_replaced": "[a] [b]"},
            "field 'french_text_ready_to_be_replaced': expected exactly one",
        ),
        ({"english_id": None}, "field 'english_id': expected int, got null"),
        ({"hint": ""}, "field 'hint': is not a known field"),
    ],
)
def test_bad_schemas_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_list(tmp_path, FILE, [RECORD, RECORD | {"english_id": 8} | change])
    assert f"wsc_285_v3.json, record 2: {message}" in refusal(named(SUITES, "fwsc285"), tmp_path)


def test_two_sentences_are_the_candidates(tmp_path: Path) -> None:
    text = "Ève dort.\n0\nQ-1\n\nIl dort.\n1\nQ-1\n\nIl lit.\n1\nQ-2\n\nIl lit.\n0\nQ-2\n\n"
    write(tmp_path, DEV, text)
    first, second = read_items(named(SUITES, "winogrande-fr/dev"), tmp_path)
    assert (first.gold, first.group, first.filled(first.candidates[1])) == (1, "Q", "Il dort.")
    assert (second.gold, second.features) == (None, {"repeated": "candidates"})
    assert published_blocks(first) + published_blocks(second) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n1\nQ-1\n\nb\n2\nQ-1\n\n", ":8: expected a sentence, 0 or 1, an id and a blank line"),
        ("a\n1\nQ-1\n\nb\n0\nQ-1\nc\n", ":8: expected a sentence, 0 or 1, an id and a blank line"),
        ("a\n1\nQ-1\n\nb\n0\nQ-2\n\n", ":8: expected two sentences of 'Q-1', but found one"),
        ("a\n1\nQ-1\n\n", ":4: ends in the middle of an item"),
        ("a\n1\nQ-1\n\nb\n0\n", ":6: ends in the middle of an item"),
        ("a\n1\nQ-1\n\nb\n1\nQ-1\n\n", ":8: expected one correct and one incorrect sentence of 'Q-1'"),
        ("a\n1\nQ\n\nb\n0\nQ\n\n", ":8: the id 'Q' does not end in -1 or -2"),
    ],
)
def test_bad_sentences_are_refused(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, DEV, text)
    assert f"winogrande_dev_with_ids.txt{message}" in refusal(named(SUITES, "winogrande-fr/dev"), tmp_path)


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
