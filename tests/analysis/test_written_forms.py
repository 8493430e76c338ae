"""What translations wrote where something else was expected."""

from __future__ import annotations

from typing import Any

import pytest

from referee.analysis.written_forms import WrittenForm, expected_value, written_form, written_forms
from referee.items import Candidate, Item
from referee.scoring.decision import matched
from referee.verdicts import Verdict


def item(**fields: Any) -> Item:
    given: dict[str, Any] = {"source_lang": "en", "target_lang": "de", "source": "Hey you."} | fields
    return Item(id="1", task="translate", **given)


def written(output: str, **fields: Any) -> str | None:
    """The value that was written, or in brackets why there is none."""
    case_item = item(**fields)
    case = written_form(case_item, matched(case_item, output))
    assert case is not None and (case.written is None) is (case.undecided is not None)
    return case.written or f"({case.undecided})"


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ("Haben Sie Zeit?", "formal"),
        ("Hast du Zeit?", "informal"),
        ("Man hat Zeit.", "(other)"),
        ("Zeit?", "(none)"),
        ("Haben Sie dein Buch?", "(ambiguous)"),
    ],
)
def test_formality(output: str, value: str) -> None:
    assert written(output, expected=("du",), features={"formality": "informal"}) == value


def test_a_form_with_two_readings_takes_a_source_with_one() -> None:
    fields: dict[str, Any] = {"expected": ("Sie",), "features": {"formality": "formal"}}
    assert written("Sie gehen.", source="You go.", **fields) == "formal"
    assert written("Sie gehen.", source="You and they go.", **fields) == "(ambiguous)"
    assert written("Da gehen Sie.", source="There you and they go.", **fields) == "formal"


def test_animacy_leaves_out_what_the_reference_says_of_others() -> None:
    fields: dict[str, Any] = {
        "target_lang": "en", "source_lang": "es", "source": "Él la tiene.", "reference": "He has it.",
        "expected": ("it",), "features": {"animacy": "inanimate", "gender": "f"},
    }  # fmt: skip
    assert [written(output, **fields) for output in ("He has it.", "He has her.", "He has that.", "He has.")] == [
        "inanimate",
        "animate",
        "(other)",
        "(none)",
    ]


def test_a_verb_shows_the_tense_of_its_place() -> None:
    fields: dict[str, Any] = {"source": "Yes, I did.", "expected": ("rief",), "features": {"tense": "past"}}
    assert [written(output, **fields) for output in ("Ja, ich rief an.", "Ja, das tue ich.", "Ja, doch.")] == [
        "past",
        "present",
        "(none)",
    ]


def test_a_noun_shows_its_case() -> None:
    fields: dict[str, Any] = {"target_lang": "ru", "expected": ("машину",), "features": {"case": "acc"}}
    assert [written(output, **fields) for output in ("Машину.", "С машиной.", "В машине.", "Да.")] == [
        "acc",
        "ins",
        "(ambiguous)",
        "(none)",
    ]


def test_where_there_are_candidates_the_one_that_was_used_tells() -> None:
    candidates = tuple(
        Candidate(f"{pronoun} ist kalt.", {"gender": gender, "pronoun": pronoun.lower()})
        for pronoun, gender in (("Er", "m"), ("Sie", "f"), ("Es", "n"))
    )
    fields: dict[str, Any] = {"source": "It is cold.", "candidates": candidates, "gold": 1}
    assert expected_value(item(**fields)) == ("gender", "f")
    assert [written(output, **fields) for output in ("Er ist kalt.", "Sie ist kalt.", "Kalt.")] == ["m", "f", "(none)"]


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict(item="1", kind="contrastive", correct=True, choice=0, scores=(1.0, 0.0)),
        Verdict(item="1", kind="generative", dropped="no expected form"),
    ],
)
def test_nothing_was_written(verdict: Verdict) -> None:
    assert written_form(item(expected=("du",), features={"formality": "informal"}), verdict) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"expected": ("du",)},
        {"expected": ("du",), "features": {"formality": "mixed"}},
        {"expected": ("x",), "target_lang": "th", "features": {"gender": "f"}},
    ],
)
def test_values_that_are_not_known_are_left_out(fields: dict[str, Any]) -> None:
    unknown = item(**fields)
    assert written_form(unknown, matched(unknown, "Hast du?")) is None


def case(expected: str, outcome: str, feature: str = "formality") -> WrittenForm:
    values = ("formal", "informal") if feature == "formality" else ("m", "f", "n")
    if outcome in values:
        return WrittenForm(feature, values, expected, outcome, None, "g")
    return WrittenForm(feature, values, expected, None, outcome, "g")  # type: ignore[arg-type]


def test_the_confusion_table() -> None:
    cases = [
        *(case("formal", "formal"), case("formal", "informal"), case("formal", "none")),
        *(case("informal", "formal"), case("informal", "other"), case("informal", "ambiguous")),
        case("m", "f", "gender"),
    ]
    formality, gender = written_forms(cases)
    assert (formality.feature, formality.values, formality.items, formality.decided) == (
        "formality",
        ["formal", "informal"],
        6,
        3,
    )
    first, second = formality.rows
    assert (first.expected, first.items, first.written) == ("formal", 3, {"formal": 1, "informal": 1})
    assert (first.other, first.none_found, first.ambiguous) == (0, 1, 0)
    assert (second.expected, second.written, second.other, second.none_found, second.ambiguous) == (
        "informal",
        {"formal": 1, "informal": 0},
        1,
        0,
        1,
    )
    # A value that is neither expected nor written has no column, one that is never expected no row.
    assert (gender.values, [row.expected for row in gender.rows]) == (["m", "f"], ["m"])
    assert formality.illegal_lemmas is None
    assert written_forms([]) == []
