from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.data.sources import all_sources
from referee.items import Item, SetOrigin
from referee.perturbations import perturb
from referee.suites.square_one import SUITES
from referee.suites.suite import Suite, is_there
from tests.suites.test_winograd import published
from tests.support.published import SYNTHETIC as SYNTHETIC_FOLDER
from tests.support.published import (
    assert_names_its_command,
    in_both,
    named,
    published_lines,
    read_items,
    refusal,
    write_lines,
)

SCHEMAS = {
    "square-one/pairs/wsc": 272,
    "square-one/pairs/wsc_non_associative": 220,
    "square-one/pairs/dev": 568,
    "square-one/pairs/train_xs": 160,
    "square-one/pairs/train_s": 636,
    "square-one/no-cands/wsc": 228,
    "square-one/part-sent/wsc": 242,
    "square-one/new-splits/dev": 288,
    "square-one/new-splits/test": 1938,
    "square-one/new-splits/train_0": 100,
    "square-one/new-splits/train_1": 500,
    "square-one/new-splits/train_2": 1000,
    "square-one/new-splits/train_3": 2000,
    "square-one/new-splits/train_4": 4000,
}
ZERO_SHOT = {"square-one/zero-shot/wsc": 113, "square-one/zero-shot/wsc_lms": 92}
_SETS = ("wsc", "wsc_non_associative", "dev", "train_xs", "train_s", "train_m", "train_l")
# Published, but not in the public folder here.
ABSENT = {
    **{f"square-one/pairs/{name}": None for name in ("train_m", "train_l", "train_xl")},
    **{f"square-one/{change}/{name}": None for change in ("no-cands", "part-sent") for name in _SETS[1:]},
    **{f"square-one/new-splits/train_{number}": None for number in range(5, 11)},
    **{f"square-one/transformed/{form}/{name}": None for form in ("original", "special-word") for name in _SETS},
    **{f"square-one/zero-shot/{name}{tokens}": None for name in (*_SETS[1:], "train_xl") for tokens in ("", "_lms")},
}
SYNTHETIC = {
    "square-one/pairs/wsc": 6,
    "square-one/pairs/wsc_non_associative": 4,
    "square-one/pairs/dev": 4,
    "square-one/no-cands/wsc": 6,
    "square-one/part-sent/wsc": 6,
    "square-one/new-splits/dev": 2,
    "square-one/new-splits/train_0": 1,
    "square-one/no-cands/wsc_non_associative": 4,
    "square-one/no-cands/dev": 2,
    "square-one/part-sent/wsc_non_associative": 4,
    "square-one/part-sent/dev": 4,
    "square-one/transformed/original/wsc_non_associative": 2,
    "square-one/transformed/special-word/wsc_non_associative": 2,
}
OVERLAP = "square-one/zero-shot/wsc-na_lms"
PAIRS = "winograd/winohard/pairs/wsc.jsonl"
TWINS = "winograd/winohard/transformed/zero_shot/wsc.jsonl"


def published_twins(first: Item, second: Item) -> dict[str, str]:
    assert first.candidates == second.candidates
    assert first.group == second.group
    assert (first.gold, second.gold) == (0, 1)
    return {
        "s1": first.source.replace("_", "[MASK]"),
        "s2": second.source.replace("_", "[MASK]"),
        "ans1": first.candidates[0].text,
        "ans2": first.candidates[1].text,
    }


def test_every_suite_is_counted() -> None:
    assert {suite.name for suite in SUITES} == {*SCHEMAS, *ZERO_SHOT, *ABSENT, OVERLAP}


@pytest.mark.parametrize(("data", "name", "size"), in_both(SYNTHETIC, SCHEMAS))
def test_every_published_schema_comes_back(data: Path, name: str, size: int) -> None:
    suite = named(SUITES, name)
    items = read_items(suite, data)
    assert len(items) == size
    assert [published(item) for item in items] == published_lines(data / suite.files[0])
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("fill", "en", "en")}
    assert all(item.group == f"pair-{item.meta['pair_id']}" for item in items)
    if "train_" not in name or "pairs" in name:
        assert set(Counter(item.group for item in items).values()) == {2}


SENTENCES = {
    "square-one/zero-shot/wsc": 2,
    "square-one/zero-shot/wsc_lms": 2,
    "square-one/zero-shot/wsc_non_associative_lms": 1,
    "square-one/zero-shot/dev": 1,
}


@pytest.mark.parametrize(("data", "name", "size"), in_both(SENTENCES, ZERO_SHOT))
def test_every_published_pair_of_sentences_comes_back(data: Path, name: str, size: int) -> None:
    suite = named(SUITES, name)
    items = read_items(suite, data)
    assert len(items) == 2 * size
    twins = [published_twins(*pair) for pair in zip(items[::2], items[1::2], strict=True)]
    assert twins == published_lines(data / suite.files[0])
    stem = name.removeprefix("square-one/").replace("/", ".")
    assert [item.id for item in items] == [f"{stem}.{row}.{side}" for row in range(size) for side in (1, 2)]
    assert {(item.task, item.source_lang, item.target_lang) for item in items} == {("fill", "en", "en")}


def test_files_lie_where_they_are_published() -> None:
    folders = {
        "pairs": "pairs",
        "no-cands": "no_cands",
        "part-sent": "truncated",
        "new-splits": "new_splits",
        "zero-shot": "transformed/zero_shot",
        "transformed/original": "transformed/original",
        "transformed/special-word": "transformed/transformation",
    }
    for suite in SUITES:
        folder, _, name = suite.name.removeprefix("square-one/").rpartition("/")
        if suite.name != OVERLAP:
            assert suite.files == (f"winograd/winohard/{folders[folder]}/{name}.jsonl",)
            assert suite.files[0] in all_sources()


def test_baselines_and_probes_name_the_pairs_they_were_made_of() -> None:
    for suite in SUITES:
        folder, _, name = suite.name.removeprefix("square-one/").rpartition("/")
        if folder in ("no-cands", "part-sent"):
            assert suite.origin == SetOrigin(f"square-one/pairs/{name}", folder, "baseline")
        elif folder == "zero-shot" and suite.name != OVERLAP:
            change = "zero-shot/single-token" if name.endswith("_lms") else "zero-shot"
            assert suite.origin == SetOrigin(f"square-one/pairs/{name.removesuffix('_lms')}", change, "probe")


@pytest.mark.parametrize(("data", "name", "pairs"), in_both({OVERLAP: 1}, {OVERLAP: 73}))
def test_non_associative_single_tokens_are_pairs_of_both_published_sets(data: Path, name: str, pairs: int) -> None:
    items = read_items(named(SUITES, name), data)
    assert Counter(Counter(item.group for item in items).values()) == {2: pairs}
    single_token = read_items(named(SUITES, "square-one/zero-shot/wsc_lms"), data)
    schemas = named(SUITES, "square-one/pairs/wsc_non_associative").open(data)
    transformed = {item.source for item in perturb(schemas, "mask-special-word", paper=True)}
    assert items == [item for item in single_token if item.source in transformed]


@pytest.mark.parametrize(
    "suite",
    [suite for suite in SUITES if all(is_there(SYNTHETIC_FOLDER / file) for file in suite.files)],
    ids=lambda suite: suite.name,
)
def test_items_whose_gap_is_the_special_word_ask_for_one_masked_position(suite: Suite) -> None:
    parts = {item.features.get("part") for item in read_items(suite, SYNTHETIC_FOLDER)}
    masked = any(form in suite.name for form in ("new-splits", "zero-shot", "special-word"))
    assert parts == ({"mask"} if masked else {None})


def test_two_sentences_are_two_items_of_a_group(tmp_path: Path) -> None:
    record = {"s1": "Ada ran as Ada was [MASK].", "s2": "Ada ran as Bo was [MASK].", "ans1": "late", "ans2": "slow"}
    write_lines(tmp_path, TWINS, [record, record])
    items = read_items(named(SUITES, "square-one/zero-shot/wsc"), tmp_path)
    assert [item.group for item in items] == ["zero-shot.wsc.0"] * 2 + ["zero-shot.wsc.1"] * 2
    assert items[1].filled(items[1].candidates[1]) == "Ada ran as Bo was slow."
    assert published_twins(*items[2:]) == record


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"s1": "No mask.", "s2": "[MASK]", "ans1": "a", "ans2": "b"}, "wsc.jsonl:1: field 'source': has 0 gaps"),
        ({"s1": "[MASK]", "s2": "[MASK]", "ans1": "a"}, "wsc.jsonl:1: field 'ans2': is missing"),
        ({"s1": "_", "s2": "_", "ans1": "a", "ans2": "b", "x": 0}, "wsc.jsonl:1: field 'x': is not a known field"),
        ({"s1": 1, "s2": "[MASK]", "ans1": "a", "ans2": "b"}, "wsc.jsonl:1: field 's1': expected str, got int"),
    ],
)
def test_bad_sentences_are_refused(tmp_path: Path, record: dict[str, Any], message: str) -> None:
    write_lines(tmp_path, TWINS, [record])
    assert message in refusal(named(SUITES, "square-one/zero-shot/wsc"), tmp_path)


def test_a_schema_without_pair_is_refused(tmp_path: Path) -> None:
    schema = {"qID": "wsc0", "sentence": "_ ran.", "option1": "Ada", "option2": "Bo", "answer": "1"}
    write_lines(tmp_path, PAIRS, [schema | {"pair_id": 7}, schema])
    suite = named(SUITES, "square-one/pairs/wsc")
    assert "wsc.jsonl:2: field 'pair_id': is missing" in refusal(suite, tmp_path)
    write_lines(tmp_path, PAIRS, [schema | {"pair_id": 7}])
    assert read_items(suite, tmp_path)[0].group == "pair-7"


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
