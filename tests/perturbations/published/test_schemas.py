"""Changes of Winograd schemas as published, on sentences made up here."""

from __future__ import annotations

from typing import Any

import pytest

from referee.items import Candidate, Item, Origin
from referee.perturbations.base import Dropped
from referee.perturbations.published.schemas import masked, no_cands, part_sent


def schema(source: str, *options: str, **changes: Any) -> Item:
    fields: dict[str, Any] = {"id": "a", "task": "fill", "source_lang": "en", "target_lang": "en", "source": source}
    return Item(**(fields | {"candidates": tuple(map(Candidate, options)), "gold": 0} | changes))


def text(result: Item | Dropped) -> str:
    return result.reason if isinstance(result, Dropped) else result.source


@pytest.mark.parametrize(
    ("source", "options", "expected"),
    [
        ("Ann saw Bea, so _ ran.", ("Ann", "Bea"), " saw , so _ ran."),
        ("The jug hit the mug, so _ broke.", ("the jug", "the mug"), " hit , so _ broke."),
        ("A jug hit a mug, so _ broke.", ("The jug", "the mug"), "A hit a , so _ broke."),
        ("Ann saw Ann and Bea as _ ran.", ("Ann", "Bea"), "a candidate does not occur exactly once"),
        ("Ann saw Cy as _ ran.", ("Ann", "Bea"), "a candidate does not occur exactly once"),
        ("Ann saw Bea.  Then _ ran.", ("Ann", "Bea"), " saw . Then _ ran."),
        ("Ann saw _ run.", ("Ann", "Bea", "Cy"), "has no gap, or not two candidates"),
    ],
)
def test_no_cands(source: str, options: tuple[str, ...], expected: str) -> None:
    assert text(no_cands(schema(source, *options), "bare")) == expected


def test_no_cands_needs_a_gap() -> None:
    assert text(no_cands(schema("Ann saw Bea.", "Ann", "Bea", task="choose"), "bare")).startswith("has no gap")


def test_the_origin_names_the_change() -> None:
    result = no_cands(schema("Ann saw Bea, so _ ran.", "Ann", "Bea"), "bare")
    assert isinstance(result, Item)
    assert result.origin == Origin("a", "bare", "baseline")
    cut = part_sent(schema("Ann saw Bea, so _ ran.", "Ann", "Bea"), "part")
    assert isinstance(cut, Item)
    assert cut.origin == Origin("a", "part", "baseline")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Ann saw Bea, so _ ran.", "_ ran."),
        ("Ann saw Bea and Dr. Cy when _ ran, but fell.", "Dr. Cy when _ ran, but fell."),
        ("Ann saw Bea. Then _ ran.", "Then _ ran."),
        ("Ann saw Bea when _ ran, so she fell.", "no marker before the gap"),
        ("Also Ann saw 3.5 of Bea; _ ran.", "_ ran."),
        ("Ann saw sandy Bea as _ ran.", "no marker before the gap"),
        # One space goes with the marker, a second one stays.
        ("Ann saw Bea.  Then _ ran.", " Then _ ran."),
        ("Ann saw Bea because  _ ran.", " _ ran."),
        # The published tokenizer cuts between a small and a capital letter, and at a comma between letters.
        ("Ann saw Bea in red.The cup fell as _ ran.", "The cup fell as _ ran."),
        ("Ann saw Bea,for _ ran.", "for _ ran."),
        ("Ann saw Bea ,for _ ran.", "for _ ran."),
        ("Ann saw Bea at web.site when _ ran.", "no marker before the gap"),
        ("Ann saw 3,5 of Bea as _ ran.", "no marker before the gap"),
        ("Ann saw Bea... when _ ran.", "no marker before the gap"),
        ("Ann saw the so-called Bea as _ ran.", "-called Bea as _ ran."),
    ],
)
def test_part_sent(source: str, expected: str) -> None:
    assert text(part_sent(schema(source, "Ann", "Bea"), "part")) == expected


def test_part_sent_needs_a_gap() -> None:
    assert text(part_sent(schema("Ann, so Bea.", "Ann", "Bea", task="choose"), "part")) == "has no gap"


def twins(one: str, other: str) -> list[Item]:
    sources = enumerate((one, other))
    return [schema(source, "Ann", "Bea", id=f"t-{gold}", group="t", gold=gold) for gold, source in sources]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (
            "Ann saw Bea as _ was in.",
            "Ann saw Bea as _ was out.",
            ["Ann saw Bea as Ann was _.", "Ann saw Bea as Bea was _."],
        ),
        (
            "Ann sang to Bea as _ sat an hour.",
            "Ann sang to Bea as _ sat all hour.",
            ["the word does not occur exactly once"] * 2,
        ),
        (
            "Ann saw Bea as _ is by it.",
            "Ann saw Bea as _ is at it.",
            ["Ann saw Bea as Ann is _ it.", "Ann saw Bea as Bea is _ it."],
        ),
        (
            "Ann saw Bea as _ sat by it",
            "Ann saw Bea as _ sat on it",
            ["Ann saw Bea as Ann sat _ it.", "Ann saw Bea as Bea sat _ it."],
        ),
        ("Ann met Bea as _ ran.", "Ann saw Bea as _ sat.", ["the twins do not differ in exactly one word"] * 2),
        ("Ann met Bea as _ ran.", "Ann met Bea as _ ran.", ["the twins do not differ in exactly one word"] * 2),
        ("Ann met Bea as _ ran.", "Ann met Bea as so ran _.", ["the twins do not differ in exactly one word"] * 2),
    ],
)
def test_masked(one: str, other: str, expected: list[str]) -> None:
    assert [text(result) for result in masked(twins(one, other))] == expected


def test_words_are_ordered_by_the_answer() -> None:
    pair = twins("Ann saw Bea as _ was in.", "Ann saw Bea as _ was out.")
    for members in (pair, pair[::-1]):
        results = [result for result in masked(members) if isinstance(result, Item)]
        assert [[each.text for each in result.candidates] for result in results] == [["in", "out"]] * 2
        assert [result.gold for result in results] == [member.gold for member in members]
    assert [text(result) for result in masked(pair[:1])] == ["has no twin"]
