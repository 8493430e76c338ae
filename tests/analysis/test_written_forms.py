"""What translations wrote where something else was expected."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.analysis.accuracy import Findings
from referee.analysis.bias.bias import Bias
from referee.analysis.diagnosis import diagnose_suites
from referee.analysis.findings import findings_on
from referee.analysis.scorecard import scorecard
from referee.analysis.written_forms import WrittenForm, expected_value, written_form, written_forms
from referee.items import Candidate, Item
from referee.scoring.decision import matched
from referee.verdicts import Verdict
from tests.support.addressed import addressed, mostly, translated


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


def test_what_is_correct_by_other_means_is_another_form() -> None:
    candidates = tuple(Candidate(text, {"gender": gender}) for text, gender in (("Er.", "m"), ("Es.", "n")))
    rain = item(source="It rains.", candidates=candidates, gold=1)
    form = written_form(rain, Verdict(item="1", kind="generative", correct=True, output="Regen.", means="other"))
    assert form is not None and (form.written, form.undecided) == (None, "other")


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


def test_the_bias_is_tested_on_what_shows_a_value() -> None:
    (formal,) = findings_on([translated("t", addressed(210), mostly("formal"))])[0].written
    (informal,) = findings_on([translated("t", addressed(210), mostly("informal"))])[0].written
    assert formal.bias is not None and informal.bias is not None
    assert (formal.items, formal.decided, formal.bias.undecided) == (210, 180, 30)
    assert (formal.bias.outcome, formal.bias.biased_towards) == ("biased", "formal")
    taken, left = ((value.taken, value.left) for value in formal.bias.values)
    assert taken == (0.5, 0.0) and left == (0.0, 0.5)
    assert (informal.bias.outcome, informal.bias.biased_towards) == ("biased", "informal")


def test_an_item_whose_reference_contradicts_its_label_is_left_out() -> None:
    fields: dict[str, Any] = {"target_lang": "es", "expected": ("lo",), "features": {"formality": "formal"}}
    mistaken = item(reference="Te lo dije.", **fields)
    form = written_form(mistaken, matched(mistaken, "Se lo dije a usted."))
    assert form is not None and (form.written, form.undecided) == (None, "contradicted")
    (forms,) = written_forms([form, case("formal", "formal"), case("informal", "formal")])
    assert (forms.items, forms.contradicted, forms.bias is not None) == (2, 1, True)
    good = item(reference="Se lo dije a usted.", **fields)
    form = written_form(good, matched(good, "Te lo dije."))
    assert form is not None and form.written == "informal"


def test_one_value_alone_cannot_be_biased() -> None:
    always = [case("m", "f", "gender"), case("m", "m", "gender")] * 20
    (forms,) = written_forms(always)
    assert forms.bias is not None and forms.bias.outcome == "unassessed"
    (same,) = written_forms([case("formal", "formal")] * 20)
    assert same.bias is None


def test_findings_and_scorecard_have_it() -> None:
    judged = translated("t", addressed(210), mostly("formal"))
    findings = findings_on([judged])
    assert [(result.rule, len(result.written)) for result in findings] == [("paper", 1), ("token", 1)]
    assert msgspec.json.decode(msgspec.json.encode(findings), type=list[Findings]) == findings
    suites = diagnose_suites([judged], findings)
    assert [bias.feature for bias in suites[0].biases] == ["formality"]
    assert suites[0].written == findings[0].written
    (row,) = scorecard(suites, findings, {}, {"t": "translate"})
    cell = row.cells["bias"]
    assert isinstance(cell.outcome, Bias) and cell.outcome.biased_towards == "formal"
    assert cell.value is not None and cell.value > 0
    # Always informal is right twice of three times.
    assert findings[0].chance is not None
    assert (findings[0].chance.feature, findings[0].chance.value) == ("address", "informal")
