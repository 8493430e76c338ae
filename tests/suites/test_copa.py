from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.items import Candidate, Item
from referee.suites.copa import ALL, SPLITS, SUBSETS, SUITES
from tests.support.published import (
    assert_names_its_command,
    in_both,
    named,
    published_lines,
    read_items,
    refusal,
    write,
)

COUNTS = {"all": 1000, "dev": 500, "test": 500, "train": 400, "val": 100}
SYNTHETIC = {"all": 10, "dev": 6, "test": 4, "train": 3, "val": 3}
ITEM = re.compile(
    r'<item id="(\d+)" asks-for="(\w+)" most-plausible-alternative="(\d)">\s*'
    r"<p>(.*?)</p>\s*<a1>(.*?)</a1>\s*<a2>(.*?)</a2>\s*</item>"
)


def element(id: object, *, asks: str = "cause", answer: str = "2", inner: str | None = None) -> str:
    inner = f"<p>P {id}.</p>\n<a1> A &lt; B.</a1><a2>C.</a2>" if inner is None else inner
    return f'<item id="{id}" asks-for="{asks}" most-plausible-alternative="{answer}">{inner}</item>\n'


def corpus(*elements: str, doctype: str = '<!DOCTYPE copa-corpus SYSTEM "copa.dtd">') -> str:
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}\n<copa-corpus version="1.0">\n'
    return f"{head}{''.join(elements)}</copa-corpus>\n"


def published(item: Item) -> tuple[Any, ...]:
    assert item.gold is not None
    texts = (item.source, *(candidate.text for candidate in item.candidates))
    return (item.id.split(".")[1], item.question, str(item.gold + 1), *texts)


def unescaped(groups: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(html.unescape, groups))


@pytest.mark.parametrize(("data", "name", "size"), in_both({"all": 10, "balanced": 4}, {"all": 1000, "balanced": 1000}))
def test_every_published_item_comes_back(data: Path, name: str, size: int) -> None:
    items = read_items(named(SUITES, f"copa/{name}"), data)
    assert len(items) == size
    file = {"all": "copa/copa-all.xml", "balanced": "copa/balanced/balacopa-dev-all.xml"}[name]
    assert [published(item) for item in items] == list(map(unescaped, ITEM.findall((data / file).read_text())))
    prefix = {"all": "copa", "balanced": "balacopa"}[name]
    assert {item.id.split(".")[0] for item in items} == {prefix}


def test_a_synthetic_item_field_by_field(synthetic_data: Path) -> None:
    assert read_items(named(SUITES, "copa/dev"), synthetic_data)[1] == Item(
        id="copa.2",
        task="choose",
        source_lang="en",
        target_lang="en",
        source="The cook burnt the soup.",
        question="effect",
        candidates=(Candidate("The guests ordered salad."), Candidate("The guests cheered & sang.")),
        gold=0,
        group="copa-2",
        label="effect",
    )


def test_splits_are_ranges_of_ids(synthetic_data: Path) -> None:
    assert {split: (ids.start, ids.stop) for split, ids in SPLITS.items()} == {
        "all": (1, 1001),
        "train": (1, 401),
        "val": (401, 501),
        "dev": (1, 501),
        "test": (501, 1001),
    }
    ids = {name: [item.id for item in named(SUITES, f"copa/{name}").open(synthetic_data)] for name in SYNTHETIC}
    assert (ids["train"][-1], ids["val"][0], ids["val"][-1]) == ("copa.400", "copa.401", "copa.500")
    assert (ids["test"][0], ids["test"][-1]) == ("copa.501", "copa.1000")


def test_synthetic_mirrors(synthetic_data: Path) -> None:
    items = read_items(named(SUITES, "copa/balanced"), synthetic_data)
    assert [(item.group, item.features) for item in items] == [
        ("copa-1", {"mirrored": "0"}),
        ("copa-2", {"mirrored": "0"}),
        ("copa-1", {"mirrored": "1"}),
        ("copa-2", {"mirrored": "1"}),
    ]
    # Balanced COPA exchanged the alternatives of the first.
    original = next(iter(named(SUITES, "copa/all").open(synthetic_data)))
    assert (original.gold, items[0].gold) == (1, 0)
    assert original.candidates == items[0].candidates[::-1]


def test_synthetic_difficulties(synthetic_data: Path) -> None:
    items = read_items(named(SUITES, "copa/test/difficulty"), synthetic_data)
    assert [item.features for item in items] == [
        {"difficulty": "easy"},
        {"difficulty": "hard"},
        {},
        {"difficulty": "easy"},
    ]
    plain = read_items(named(SUITES, "copa/test"), synthetic_data)
    assert [msgspec.structs.replace(item, features={}) for item in items] == plain


CONVERTED = ("train", "val", "test")


@pytest.mark.parametrize(
    ("data", "name", "size"), in_both({n: SYNTHETIC[n] for n in CONVERTED}, {n: COUNTS[n] for n in CONVERTED})
)
def test_splits_agree_with_the_plain_conversion(data: Path, name: str, size: int) -> None:
    items = read_items(named(SUITES, f"copa/{name}"), data)
    assert len(items) == size
    for item, line in zip(items, published_lines(data / f"copa/{name}.en.jsonl"), strict=True):
        assert item.id == f"copa.{line['copa_id']}"
        assert (item.source, item.question, item.label) == (line["premise"], line["question"], line["question"])
        assert [candidate.text for candidate in item.candidates] == [line["choice1"], line["choice2"]]
        assert item.gold == line["label"]


@pytest.mark.parametrize("name", ["all", "dev", "test"])
def test_splits_agree_with_the_gold_files(published_data: Path, name: str) -> None:
    items = read_items(named(SUITES, f"copa/{name}"), published_data)
    gold = [line.split() for line in (published_data / f"copa/gold.{name}").read_text().splitlines()]
    assert [[item.id, item.gold] for item in items] == [[f"copa.{row[0]}", int(row[2])] for row in gold]


def test_test_items_have_a_difficulty(shared_data: Path) -> None:
    test = read_items(named(SUITES, "copa/test/difficulty"), shared_data)
    assert Counter(item.features["difficulty"] for item in test) == {"easy": 190, "hard": 310}
    plain = read_items(named(SUITES, "copa/test"), shared_data)
    assert [msgspec.structs.replace(item, features={}) for item in test] == plain


def test_mirrors_share_a_group(shared_data: Path) -> None:
    items = read_items(named(SUITES, "copa/balanced"), shared_data)
    groups = Counter(item.group for item in items)
    assert set(groups.values()) == {2}
    assert len(groups) == 500
    assert sum(item.features["mirrored"] == "1" for item in items) == 500


def test_a_small_corpus(tmp_path: Path) -> None:
    write(tmp_path, ALL, corpus(element(1), element(401, asks="effect", answer="1"), element(501)))
    write(tmp_path, SUBSETS, '{"easy": [501], "hard": []}')
    items = read_items(named(SUITES, "copa/all"), tmp_path)
    assert [published(item) for item in items] == [
        ("1", "cause", "2", "P 1.", " A < B.", "C."),
        ("401", "effect", "1", "P 401.", " A < B.", "C."),
        ("501", "cause", "2", "P 501.", " A < B.", "C."),
    ]
    graded = read_items(named(SUITES, "copa/test/difficulty"), tmp_path)
    assert [item.features for item in graded] == [{"difficulty": "easy"}]
    assert [item.id for item in read_items(named(SUITES, "copa/val"), tmp_path)] == ["copa.401"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (corpus(element(1), element(2, answer="3")), ":6: field 'most-plausible-alternative': invalid enum value '3'"),
        (corpus(element(1, asks="why")), ":4: field 'asks-for': invalid enum value 'why'"),
        (corpus(element("x")), ":4: field 'id': expected int, got str"),
        (corpus(element(1, inner="<p>P.</p><a1>A.</a1>")), ":4: field 'a2': is missing"),
        (corpus(element(1, inner="<p>P.</p><a1>A.</a1><a2>B.</a2><a3/>")), ":4: field 'a3': is not a known field"),
        (corpus(element(1), element(1)), ":6: field 'id': 'copa.1' occurs twice"),
        (corpus("<note>P.</note>", element(1, answer="0")), ":4: field 'most-plausible-alternative': invalid"),
        (corpus("<item>"), ":4: is not valid XML (mismatched tag)"),
        (corpus(element(1)).removesuffix("</copa-corpus>\n"), ":5: is not valid XML (no element found)"),
        (corpus(element(1), doctype='<!DOCTYPE c [<!ENTITY e "ee">]>'), ":2: uses an XML entity"),
        (corpus(element(1, inner="<p>&e;</p><a1/><a2/>")), ":4: uses an XML entity"),
    ],
)
def test_bad_corpora_are_refused(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, ALL, text)
    assert f"copa-all.xml{message}" in refusal(named(SUITES, "copa/train"), tmp_path)


def test_bad_subsets_are_refused(tmp_path: Path) -> None:
    write(tmp_path, ALL, corpus(element(501)))
    write(tmp_path, SUBSETS, '{"easy": ["x"], "hard": []}')
    assert "easy_hard_subsets.json: field 'easy[0]': expected int" in refusal(
        named(SUITES, "copa/test/difficulty"), tmp_path
    )


def test_unknown_subsets_are_refused(tmp_path: Path) -> None:
    write(tmp_path, ALL, corpus(element(501)))
    write(tmp_path, SUBSETS, '{"easy": [501], "hard": [], "odd": []}')
    assert "easy_hard_subsets.json: field 'odd': is not a known field" in refusal(
        named(SUITES, "copa/test/difficulty"), tmp_path
    )


def test_what_is_not_there_names_its_command(tmp_path: Path) -> None:
    assert_names_its_command(SUITES, tmp_path)
