from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.analysis.corpus.frequencies import (
    CountComparison,
    compare_with_counts,
    gender_values,
    orders,
    read_priors,
    write_priors,
)
from referee.errors import InputError, MissingError
from tests.support.priors_sample import PREFERRED, priors, tendency


def evenly(language: str) -> dict[str, int]:
    """What is right if every gender is as often."""
    total = sum(PREFERRED[language].values())
    return {gender: total // len(PREFERRED[language]) for gender in PREFERRED[language]}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    for language in ("de", "fr", "ru"):
        write_priors(priors(language), tmp_path / "p.json")
        assert read_priors(tmp_path / "p.json") == priors(language)


def test_the_file_is_indented_for_people(tmp_path: Path) -> None:
    write_priors(priors("ru"), tmp_path / "p.json")
    text = (tmp_path / "p.json").read_text(encoding="utf-8")
    assert text.startswith('{\n  "schema": 1,\n  "source_lang": "en",\n')
    assert text.endswith("\n}\n")


def changed(**fields: Any) -> bytes:
    return json.dumps(msgspec.to_builtins(priors("ru")) | fields).encode()


BAD = {
    "no json": (b"it 12\n", r"p\.json: is not valid JSON"),
    "cut": (changed()[:80], r"p\.json: is not valid JSON"),
    "a list": (b"[]", r"p\.json: expected object, got array. Create it with `referee estimate priors --out FILE`"),
    "another version": (changed(schema=2), r"p\.json: has version 2, but this referee reads version 1"),
    "no version number": (changed(schema="new"), r"field 'schema'"),
    "a field too many": (changed(colour="red"), r"field 'colour': is not a known field"),
    "a count below zero": (changed(lines=-1), r"field 'lines'"),
    "text for a number": (changed(lines="many"), r"field 'lines': expected int, got str"),
    "one gender": (
        changed(genders=msgspec.to_builtins(priors("ru").genders[:1])),
        r"field 'genders': expected two or more",
    ),
    "a sum that is wrong": (changed(occurrences=5), r"field 'occurrences': differs from the sum"),
    "something else": (b'{"findings": []}', r"field '\w+': is (missing|not a known field)"),
    "not UTF-8": (b'{"word": "\xff"}', r"p\.json: "),
    "empty": (b"", r"p\.json: is empty"),
}


@pytest.mark.parametrize(("content", "problem"), BAD.values(), ids=BAD)
def test_a_file_that_is_wrong(content: bytes, problem: str, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_bytes(content)
    with pytest.raises(InputError, match=problem):
        read_priors(tmp_path / "p.json")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="does not exist"):
        read_priors(tmp_path / "p.json")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        # German: n > f > m in both; 982 and 985 are chosen, so by a hair.
        ("de", [("translations", 1.0, 1 / 6)]),
        ("fr", [("translations", 1.0, 1 / 2), ("absolute", 1.0, 1 / 2)]),
        ("ru", [("translations", 1.0, 1 / 6), ("absolute", 1.0, 1 / 6)]),
    ],
)
def test_the_papers_preferences_have_the_order_of_its_counts(
    language: str, expected: list[tuple[str, float, float]]
) -> None:
    found = orders(tendency(PREFERRED[language], evenly(language)), priors(language))
    assert [order.of for order in found] == [of for of, _, _ in expected]
    assert [order.rho for order in found] == pytest.approx([rho for _, rho, _ in expected])
    assert [order.by_chance for order in found] == pytest.approx([chance for _, _, chance in expected])


def test_an_opposite_order() -> None:
    chosen = {"m": 10, "f": 20, "n": 30}
    found = orders(tendency(chosen, {"m": 20, "f": 20, "n": 20}), priors("ru"))
    assert [order.rho for order in found] == pytest.approx([-1, -1])
    assert [order.by_chance for order in found] == [1.0, 1.0]


def test_an_order_is_undefined_where_all_are_alike_or_nothing_was_judged() -> None:
    even = {"m": 20, "f": 20, "n": 20}
    assert [order.rho for order in orders(tendency(even, even), priors("ru"))] == [None, None]
    assert [order.rho for order in orders([], priors("ru"))] == [None, None]
    assert gender_values([]) == {}


EVEN = {"m": 20, "f": 20, "n": 20}


@pytest.mark.parametrize(
    ("language", "chosen", "width", "verdict", "preferred"),
    [
        # In Russian m translates most often, in German n.
        ("ru", {"m": 40, "f": 15, "n": 5}, 0.02, "same", "m"),
        ("ru", {"m": 30, "f": 27, "n": 3}, 0.02, "same", "m"),  # of two that are preferred, the one preferred more
        ("ru", {"m": 27, "f": 30, "n": 3}, 0.02, "different", "f"),
        ("de", {"m": 40, "f": 15, "n": 5}, 0.02, "different", "m"),
        ("de", {"m": 5, "f": 15, "n": 40}, 0.02, "same", "n"),
        ("ru", {"m": 40, "f": 15, "n": 5}, 0.4, "no_preference", None),  # the interval holds zero
        ("ru", {"m": 30, "f": 15, "n": 15}, 10 / 60, "no_preference", None),  # and here begins at it
        ("ru", EVEN, 0.02, "no_preference", None),
    ],
)
def test_what_is_preferred_against_the_counts(
    language: str, chosen: dict[str, int], width: float, verdict: str, preferred: str | None
) -> None:
    biases = tendency(chosen, EVEN, width)
    comparison = compare_with_counts(biases, priors(language))
    assert (comparison.verdict, comparison.preferred) == (verdict, preferred)
    assert comparison.most_frequent == {"ru": "m", "de": "n"}[language]
    assert comparison.orders == (orders(biases, priors(language)) if preferred else [])


def test_without_choices_between_genders_there_is_nothing_to_compare() -> None:
    by_position = [msgspec.structs.replace(tendency(EVEN, EVEN)[0], feature="position")]
    for biases in ([], by_position):
        assert gender_values(biases) == {}
        assert compare_with_counts(biases, priors("fr")) == CountComparison("no_choices", None, "m", [])
