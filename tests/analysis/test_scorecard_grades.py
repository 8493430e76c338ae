"""Each cell of the scorecard, made of figures set here: which interval it shows, and its grade at every limit."""

from __future__ import annotations

from typing import Any

import pytest

from referee.analysis.accuracy import Findings, Row
from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias, PublishedBias, ValueBias
from referee.analysis.bias.priors import Prior
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import Attack, AttackEffect, Robustness
from referee.analysis.salience.importance import Contrast, Importance
from referee.analysis.scorecard import AgainstChance, Cell, NotMeasured, merged, scorecard
from referee.stats.groups import GroupScore
from referee.stats.proportions import Proportion


def diagnosis(**parts: Any) -> SuiteDiagnosis:
    fields: dict[str, Any] = {"suite": "s", "kind": "contrastive", "rule": None, "items": 7}
    fields |= {"biases": [], "priors": [], "artifacts": [], "robustness": None, "groups": None}
    return SuiteDiagnosis(**(fields | parts))


def findings(**parts: Any) -> Findings:
    fields: dict[str, Any] = {"suite": "s", "kind": "contrastive", "rule": None, "chance": None, "overall": None}
    fields |= {"by": {}, "group": None, "without_gold": 0, "preferences": []}
    return Findings(**(fields | parts))


def cell(name: str, suite: SuiteDiagnosis | None = None, *results: Findings, signed: Contrast | None = None) -> Cell:
    """One cell of the row of one suite."""
    importance = {} if signed is None else {"s": salient(signed)}
    (row,) = scorecard([suite or diagnosis()], results or [findings()], importance, {"s": "choose"})
    return row.cells[name]


def row(wilson: tuple[float, float], bootstrap: tuple[float, float]) -> Row:
    return Row("all", 100, 90, 0, 0.9, wilson, bootstrap)


def test_accuracy_has_the_bootstrap_interval_where_items_are_in_groups() -> None:
    overall = row(wilson=(0.79, 0.95), bootstrap=(0.81, 0.97))
    alone = cell("accuracy", None, findings(overall=overall))
    assert (alone.value, alone.interval, alone.grade) == (0.9, (0.79, 0.95), "fair")
    grouped = cell("accuracy", None, findings(overall=overall, group=GroupScore(50, 0.85, (0.7, 0.9))))
    assert (grouped.value, grouped.interval, grouped.grade) == (0.9, (0.81, 0.97), "good")


@pytest.mark.parametrize(
    ("low", "chance", "p", "above", "grade"),
    [
        (0.8, None, None, None, "fair"),
        (0.81, None, None, None, "good"),
        (0.81, 0.5, None, None, "good"),
        (0.81, None, 0.2, None, "good"),
        (0.81, 0.5, 0.049, True, "good"),
        (0.3, 0.5, 0.049, True, "fair"),
        (0.81, 0.5, 0.05, False, "bad"),
    ],
)
def test_accuracy_and_groups_against_chance(
    low: float, chance: float | None, p: float | None, above: bool | None, grade: str
) -> None:
    group = GroupScore(50, 0.9, (low, 0.95), chance, p)
    by_items = findings(overall=row((low, 0.95), (0.0, 1.0)), chance=chance, p=p)
    for shown in (cell("accuracy", None, by_items), cell("groups", None, findings(group=group))):
        assert (shown.outcome, shown.grade) == (AgainstChance(chance, above), grade)
        assert (shown.value, shown.interval, shown.unit) == (0.9, (low, 0.95), "%")


def test_a_row_names_its_rule_and_counts_the_items_that_were_evaluated() -> None:
    by_rule = {"kind": "generative", "rule": "token"}
    overall = row((0.8, 0.9), (0.8, 0.9))
    (shown,) = scorecard([diagnosis(**by_rule)], [findings(**by_rule, overall=overall)], {}, {})
    assert (shown.suite, shown.kind, shown.rule, shown.items) == ("s", "generative", "token", 100)
    (without_gold,) = scorecard([diagnosis()], [findings()], {}, {})
    assert (without_gold.rule, without_gold.items) == (None, 7)


def test_the_first_diagnosis_of_a_suite_is_the_one_shown() -> None:
    ways: list[dict[str, Any]] = [{"kind": "generative", "rule": rule} for rule in ("paper", "token")]
    suites = [*(diagnosis(**way) for way in ways), diagnosis(suite="t")]
    results = [*(findings(**way) for way in ways), findings(suite="t")]
    assert [(line.suite, line.rule) for line in scorecard(suites, results, {}, {})] == [("s", "paper"), ("t", None)]


def agreement(share: float) -> Agreement:
    same = Proportion(round(100 * share), share, wilson=(0.25, 0.5), bootstrap=(0.25, 0.75))
    return Agreement(items=100, same=same, kappa=None, both_right=0, only_scores=0, only_translations=0, both_wrong=0)


@pytest.mark.parametrize(
    ("share", "grade"), [(1.0, "good"), (0.9, "good"), (0.89, "fair"), (0.7, "fair"), (0.69, "bad")]
)
def test_what_is_written_has_the_wider_interval(share: float, grade: str) -> None:
    # The findings on scores have none, and come last: they must not hide what the translations show.
    both = [findings(kind="generative", rule="paper", agreement=agreement(share)), findings()]
    shown = cell("written", None, *both)
    assert (shown.value, shown.interval, shown.unit, shown.grade) == (share, (0.25, 0.75), "%", grade)
    assert shown.outcome == agreement(share)


@pytest.mark.parametrize(
    ("way", "reason"), [({}, "not_generated"), ({"kind": "generative", "rule": "paper"}, "only_generated")]
)
def test_what_is_not_written(way: dict[str, Any], reason: Any) -> None:
    shown = cell("written", diagnosis(**way), findings(**way))
    assert shown == Cell(outcome=NotMeasured(reason))


def prior(p: float | None, share: float = 0.75, feature: str = "gender") -> Prior:
    counts: dict[str, Any] = {"label": None, "items": 40, "neither": 0, "undecided": 0}
    return Prior(**counts, feature=feature, value="m", share=share, interval=(0.625, 0.875), even=0.5, p=p)


@pytest.mark.parametrize(("p", "grade"), [(0.049, "bad"), (0.05, "good"), (0.5, "good")])
def test_a_prior_is_shown_beyond_an_even_split(p: float, grade: str) -> None:
    shown = cell("bias", diagnosis(priors=[prior(p)]))
    assert (shown.value, shown.interval, shown.unit, shown.grade) == (0.25, (0.125, 0.375), "pp", grade)


def test_the_strongest_prior_is_shown_and_a_significant_one_before_all() -> None:
    sure, unsure, stronger = prior(0.01), prior(0.05, 1.0, "role"), prior(0.01, 0.875, "position")
    for priors, shown in (([unsure, sure], sure), ([sure, stronger], stronger), ([prior(None), unsure], unsure)):
        assert cell("bias", diagnosis(priors=priors)).outcome == shown
    assert cell("bias", diagnosis(priors=[prior(None)])) == Cell(outcome=prior(None))
    assert cell("bias") == Cell(outcome=NotMeasured("no_features"))


def bias(p: float | None, size: Any = "small", towards: str | None = "m", beyond: float = 0.1) -> Bias:
    published = PublishedBias(
        coding=["f", "m"], u=0, p=1, rbc=0, interval=(0, 0), rbc_expected=0, thresholds={}, size="negligible"
    )
    counts: dict[str, Any] = {"offered": 9, "right": 5, "chosen": 5, "expected": 5, "right_share": 0.5}
    counts |= {"chosen_share": 0.5, "expected_share": 0.5}
    values = [
        ValueBias(value="f", difference=-0.25, interval=(-0.5, -0.125), **counts),
        ValueBias(value="m", difference=0.25, interval=(0.125, 0.5), **counts),
    ]
    whole: dict[str, Any] = {"feature": "gender", "items": 9, "undecided": 0, "groups": 9, "accuracy": 0.5}
    verdict: dict[str, Any] = {"p": p, "unassessed": None, "biased_towards": towards}
    return Bias(**whole, **verdict, published=published, cramers_v=0, beyond=beyond, size=size, values=values)


@pytest.mark.parametrize(
    ("towards", "size", "grade"),
    [
        ("m", "negligible", "fair"),
        ("m", "small", "fair"),
        ("m", "medium", "bad"),
        ("m", "large", "bad"),
        (None, "large", "good"),
    ],
)
def test_the_value_chosen_most_beyond_expectation_is_shown(towards: str | None, size: str, grade: str) -> None:
    shown = cell("bias", diagnosis(biases=[bias(0.01, size, towards)], priors=[prior(0.01)]))
    assert (shown.value, shown.interval, shown.unit, shown.grade) == (0.25, (0.125, 0.5), "pp", grade)


def test_the_worst_bias_is_shown() -> None:
    sure, unsure, unassessed = bias(0.01), bias(0.2, towards=None, beyond=0.3), bias(None, towards=None, beyond=0.5)
    larger = bias(0.01, beyond=0.2)
    for biases, worst in (([unassessed, unsure, sure], sure), ([unassessed, unsure], unsure), ([sure, larger], larger)):
        assert cell("bias", diagnosis(biases=biases)).outcome == worst
    assert cell("bias", diagnosis(biases=[unassessed])) == Cell(outcome=unassessed)


def salient(signed: Contrast) -> Importance:
    counts: dict[str, Any] = {"suite": "s", "items": 9, "groups": 9, "triggers": 9, "others": 9}
    return Importance(**counts, signed=signed, absolute=signed, effect="none")


def contrast(d: float | None, paired_p: float | None, interval: tuple[float, float] | None = (0.1, 0.9)) -> Contrast:
    rest: dict[str, Any] = {"trigger_mean": 1, "other_mean": 0, "t": None, "p": None, "paired_t": None, "d_z": None}
    return Contrast(**rest, d=d, paired_p=paired_p, interval=interval)


@pytest.mark.parametrize(
    ("d", "paired_p", "grade"),
    [
        (0.5, 0.049, "good"),
        (0.49, 0.049, "fair"),
        (0.2, 0.049, "fair"),
        (0.19, 0.049, "bad"),
        (0.9, 0.05, "bad"),
        (0.3, 0.05, "bad"),
        (0.9, None, "bad"),
        (-0.9, 0.001, "bad"),
    ],
)
def test_trigger_words_at_the_limits(d: float, paired_p: float | None, grade: str) -> None:
    signed = contrast(d, paired_p)
    expected = Cell(outcome=salient(signed), value=d, interval=(0.1, 0.9), unit="d", grade=grade)  # type: ignore[arg-type]
    assert cell("trigger", signed=signed) == expected


@pytest.mark.parametrize("signed", [contrast(None, 0.01), contrast(0.5, 0.01, None)])
def test_trigger_words_that_nothing_tells_apart_have_no_figure(signed: Contrast) -> None:
    assert cell("trigger", signed=signed) == Cell(outcome=salient(signed))


@pytest.mark.parametrize(
    ("difference", "loses", "grade"),
    [(-0.04, True, "fair"), (-0.05, True, "bad"), (-0.5, True, "bad"), (-0.5, False, "good"), (0.1, False, "good")],
)
def test_attacks_at_the_limits(difference: float, loses: bool, grade: str) -> None:
    counts: dict[str, Any] = {"pairs": 9, "unpaired": 0, "before": 1, "after": 1, "broken": 0, "mended": 0, "p": 0.01}
    drop = AttackEffect(
        perturbation="x", kind="attack", suite="s+x", difference=difference, interval=(-0.9, 0.2), **counts
    )
    attack = Attack(drop, 0.01)
    consistent = Proportion(1, 1.0, (0, 1), (0, 1))
    robustness = Robustness(attacks=[attack], worst=attack, loses=loses, mean=0, items=9, consistent=consistent)
    expected = Cell(outcome=robustness, value=difference, interval=(-0.9, 0.2), unit="pp", grade=grade)  # type: ignore[arg-type]
    assert cell("attacks", diagnosis(robustness=robustness)) == expected


def artifact(above: Any, accuracy: float = 0.75, chance: float | None = 0.5) -> Artifact:
    names = ("p", "groups", "group_score", "group_interval", "group_chance", "group_p")
    rest: dict[str, Any] = dict.fromkeys((*names, "full", "difference", "difference_interval", "difference_p"))
    rest |= {"setup": "no-premise", "suite": "s+", "items": 9, "interval": (0.25, 0.875)}
    return Artifact(**rest, above_chance=above, accuracy=accuracy, chance=chance)


@pytest.mark.parametrize(("above", "grade"), [("items", "bad"), ("groups", "bad"), ("neither", "good")])
def test_an_artifact_is_bad(above: str, grade: str) -> None:
    shown = cell("artifacts", diagnosis(artifacts=[artifact(above)]))
    assert (shown.value, shown.interval, shown.unit, shown.grade) == (0.75, (0.25, 0.875), "%", grade)


def test_the_worst_baseline_is_shown() -> None:
    """One with an artifact before all others, then by what is beyond its own chance level."""
    slight, high = artifact("items", 0.6), artifact("neither", 0.9, 0.875)
    beyond, nowhere = artifact("neither", 0.75, 0.25), artifact(None, 1.0, None)
    for artifacts, worst in (
        ([nowhere, high, slight], slight),
        ([high, beyond], beyond),
        ([slight, artifact("items", 0.9)], artifact("items", 0.9)),
    ):
        assert cell("artifacts", diagnosis(artifacts=artifacts)).outcome == worst
    assert cell("artifacts", diagnosis(artifacts=[nowhere])).outcome == NotMeasured("not_perturbed", "no-premise")


def test_merged_rows_keep_the_earlier_figure_and_every_kind() -> None:
    lines = [
        scorecard([diagnosis(**way)], [findings(**way, overall=overall)], {}, {})[0]
        for way, overall in (
            ({}, None),
            ({}, row((0.81, 0.9), (0, 1))),
            ({}, row((0.1, 0.2), (0, 1))),
            ({"kind": "generative", "rule": "paper"}, None),
        )
    ]
    scored, generated = merged(("hash", line) for line in lines)
    assert scored.cells["accuracy"] == lines[1].cells["accuracy"]
    assert generated == lines[3]
