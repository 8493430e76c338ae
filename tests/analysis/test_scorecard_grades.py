"""Each cell of the scorecard, made of figures set here: which interval it shows, and its grade at every limit."""

from __future__ import annotations

from typing import Any

import pytest

from referee.analysis.accuracy import Findings, GroupScore, Row
from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias, PublishedBias, ValueBias
from referee.analysis.bias.priors import Prior
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import Attack, AttackEffect, Robustness
from referee.analysis.salience.importance import Contrast, Importance
from referee.analysis.scorecard import (
    AgainstChance,
    Cell,
    Generation,
    GroupsAgainstChance,
    NotMeasured,
    merged,
    scorecard,
)
from referee.stats.levels import Against
from referee.stats.proportions import Proportion


def diagnosis(**parts: Any) -> SuiteDiagnosis:
    fields: dict[str, Any] = {"suite": "s", "kind": "contrastive", "rule": None, "items": 7}
    fields |= {"biases": [], "priors": [], "artifacts": [], "robustness": None, "groups": None}
    return SuiteDiagnosis(**(fields | parts))


def findings(**parts: Any) -> Findings:
    fields: dict[str, Any] = {"suite": "s", "kind": "contrastive", "rule": None, "chance": None, "overall": None}
    fields |= {"by": {}, "group": None, "without_gold": 0, "preferences": []}
    return Findings(**(fields | parts))


def cell(
    name: str, suite: SuiteDiagnosis | None = None, *results: Findings, importance: Importance | None = None
) -> Cell:
    """One cell of the row of one suite."""
    found = {} if importance is None else {"s": importance}
    default = findings(overall=row((0.8, 0.95)), without_gold=1)
    (line,) = scorecard([suite or diagnosis()], results or [default], found, {"s": "choose"})
    return line.cells[name]


def row(interval: tuple[float, float], tied: int = 0) -> Row:
    return Row("all", 100, 90, tied, 0.9, interval, 100)


LEVEL = ChanceLevel(0.5, "guess")


@pytest.mark.parametrize(
    ("low", "standing", "grade"),
    [
        (0.8, "above", "fair"),
        (0.81, "above", "good"),
        (0.3, "inconclusive", "open"),
        (0.3, "at", "bad"),
        (0.3, "not_above", "bad"),
        (0.3, "below", "bad"),
        (0.81, None, "unknown"),
    ],
)
def test_accuracy_and_groups_against_chance(low: float, standing: Any, grade: str) -> None:
    against = standing and Against(standing)
    group = GroupScore(groups=50, score=0.9, interval=(low, 0.95), singles=3, chance=0.5, against=against)
    found = findings(overall=row((low, 0.95)), chance=LEVEL, against=against, group=group)
    for name, outcome in (
        ("accuracy", AgainstChance(chance=LEVEL, against=against)),
        ("groups", GroupsAgainstChance(chance=0.5, independent_chance=None, singles=3, against=against)),
    ):
        shown = cell(name, None, found)
        assert (shown.outcome, shown.grade) == (outcome, grade)
        assert (shown.value, shown.interval, shown.unit) == (0.9, (low, 0.95), "%")


@pytest.mark.parametrize(("standing", "grade"), [("at", "unknown"), ("not_above", "unknown"), ("below", "bad")])
def test_nobody_is_above_a_heuristic_that_is_always_correct(standing: Any, grade: str) -> None:
    always = ChanceLevel(1.0, "heuristic", "gender", "n")
    found = findings(overall=row((0.96, 1.0)), chance=always, against=Against(standing))
    assert cell("accuracy", None, found).grade == grade


def test_all_tied_and_all_dropped_have_no_figure() -> None:
    tied = findings(overall=row((0.0, 0.04), tied=100), chance=LEVEL)
    assert cell("accuracy", None, tied) == Cell(outcome=NotMeasured("all_tied"))
    dropped = findings()
    assert cell("accuracy", None, dropped) == Cell(outcome=NotMeasured("all_dropped"))
    assert cell("accuracy", None, findings(without_gold=3)) == Cell(outcome=NotMeasured("no_gold"))


def test_a_row_names_its_rule_and_counts_the_items_that_were_evaluated() -> None:
    by_rule = {"kind": "generative", "rule": "token"}
    overall = row((0.8, 0.9))
    (shown,) = scorecard([diagnosis(**by_rule)], [findings(**by_rule, overall=overall)], {}, {})
    assert (shown.suite, shown.kind, shown.rule, shown.items) == ("s", "generative", "token", 100)
    (without_gold,) = scorecard([diagnosis()], [findings()], {}, {})
    assert (without_gold.rule, without_gold.items) == (None, 7)


def test_the_first_diagnosis_of_a_suite_is_the_one_shown() -> None:
    ways: list[dict[str, Any]] = [{"kind": "generative", "rule": rule} for rule in ("paper", "token")]
    suites = [*(diagnosis(**way) for way in ways), diagnosis(suite="t")]
    results = [*(findings(**way) for way in ways), findings(suite="t")]
    assert [(line.suite, line.rule) for line in scorecard(suites, results, {}, {})] == [("s", "paper"), ("t", None)]


def agreement(share: float, interval: tuple[float, float]) -> Agreement:
    same = Proportion(round(100 * share), share, interval, 100)
    return Agreement(items=100, same=same, kappa=None, both_right=0, only_scores=0, only_translations=0, both_wrong=0)


@pytest.mark.parametrize(
    ("interval", "agrees", "grade"),
    [
        ((0.91, 1.0), "agrees", "good"),
        ((0.9, 1.0), "inconclusive", "open"),
        ((0.8, 0.9), "inconclusive", "open"),
        ((0.71, 0.89), "differs", "fair"),
        ((0.7, 0.89), "differs", "bad"),
        ((0.2, 0.5), "differs", "bad"),
    ],
)
def test_generation_agrees_by_its_whole_interval(interval: tuple[float, float], agrees: str, grade: str) -> None:
    share = sum(interval) / 2
    both = [
        findings(kind="generative", rule="paper", agreement=agreement(share, interval)),
        findings(overall=row((0, 1))),
    ]
    # The findings on scores have none, and come last: they must not hide what the translations show.
    shown = cell("written", None, *both)
    assert (shown.value, shown.interval, shown.unit, shown.grade) == (share, interval, "%", grade)
    assert isinstance(shown.outcome, Generation)
    assert (shown.outcome.agrees, shown.outcome.agreement) == (agrees, agreement(share, interval))
    assert (shown.outcome.more_groups is not None) == (agrees == "inconclusive")


@pytest.mark.parametrize(
    ("way", "reason"), [({}, "not_generated"), ({"kind": "generative", "rule": "paper"}, "only_generated")]
)
def test_what_is_not_written(way: dict[str, Any], reason: Any) -> None:
    shown = cell("written", diagnosis(**way), findings(**way, overall=row((0, 1))))
    assert shown == Cell(outcome=NotMeasured(reason))


def prior(outcome: Any, share: float = 0.75, feature: str = "gender") -> Prior:
    rest: dict[str, Any] = {"label": None, "items": 40, "neither": 0, "undecided": 0, "p": 0.01, "more_groups": None}
    return Prior(**rest, feature=feature, value="m", share=share, interval=(0.625, 0.875), even=0.5, outcome=outcome)


@pytest.mark.parametrize(("outcome", "grade"), [("biased", "bad"), ("none", "good"), ("inconclusive", "open")])
def test_a_prior_is_shown_beyond_an_even_split(outcome: str, grade: str) -> None:
    shown = cell("bias", diagnosis(priors=[prior(outcome)]), findings(without_gold=1))
    assert (shown.value, shown.interval, shown.unit, shown.grade) == (0.25, (0.125, 0.375), "pp", grade)


def test_the_strongest_prior_is_shown_and_a_significant_one_before_all() -> None:
    sure, unsure, stronger = prior("biased"), prior("inconclusive", 1.0, "role"), prior("biased", 0.875, "position")
    for priors, shown in (([unsure, sure], sure), ([sure, stronger], stronger), ([prior("none"), unsure], unsure)):
        assert cell("bias", diagnosis(priors=priors), findings(without_gold=1)).outcome == shown
    assert cell("bias", None, findings(without_gold=1)) == Cell(outcome=NotMeasured("no_features"))


def bias(outcome: Any, size: Any = "small", beyond: float = 0.1) -> Bias:
    published = PublishedBias(coding=["f", "m"], u=0, p=1, rbc=0, rbc_expected=0, thresholds={}, size="negligible")
    counts: dict[str, Any] = {"offered": 9, "right": 5, "chosen": 5, "right_share": 0.5, "taken": 0.5, "left": 0.5}
    counts |= {"chosen_share": 0.5, "expected_share": 0.5, "p": 0.01}
    values = [
        ValueBias(value="f", difference=-0.25, interval=(-0.5, -0.125), **counts),
        ValueBias(value="m", difference=0.25, interval=(0.125, 0.5), **counts),
    ]
    whole: dict[str, Any] = {"feature": "gender", "items": 9, "undecided": 0, "groups": 9, "accuracy": 0.5, "p": 0.01}
    verdict: dict[str, Any] = {"outcome": outcome, "biased_towards": "m" if outcome == "biased" else None}
    rest: dict[str, Any] = {"more_groups": None, "cramers_v": 0}
    return Bias(**whole, **verdict, **rest, published=published, beyond=beyond, size=size, values=values)


@pytest.mark.parametrize(
    ("outcome", "size", "grade"),
    [
        ("biased", "negligible", "fair"),
        ("biased", "small", "fair"),
        ("biased", "medium", "bad"),
        ("biased", "large", "bad"),
        ("none", "large", "good"),
        ("inconclusive", "large", "open"),
    ],
)
def test_the_value_chosen_most_beyond_expectation_is_shown(outcome: str, size: str, grade: str) -> None:
    shown = cell("bias", diagnosis(biases=[bias(outcome, size)], priors=[prior("biased")]))
    assert (shown.value, shown.interval, shown.unit, shown.grade) == (0.25, (0.125, 0.5), "pp", grade)


def test_the_worst_bias_is_shown() -> None:
    sure, unsure, unassessed = bias("biased"), bias("inconclusive", beyond=0.3), bias("unassessed", beyond=0.5)
    larger, none = bias("biased", beyond=0.2), bias("none", beyond=0.4)
    for biases, worst in (
        ([unassessed, unsure, sure], sure),
        ([unassessed, unsure, none], unsure),
        ([unassessed, none], none),
        ([sure, larger], larger),
    ):
        assert cell("bias", diagnosis(biases=biases)).outcome == worst
    assert cell("bias", diagnosis(biases=[unassessed])) == Cell(outcome=unassessed)


def salient(effect: Any, d: float | None = 0.5) -> Importance:
    counts: dict[str, Any] = {"suite": "s", "items": 9, "groups": 9, "triggers": 9, "others": 9, "more_groups": None}
    rest: dict[str, Any] = {"trigger_mean": 1, "other_mean": 0, "t": None, "p": None, "paired_t": None, "d_z": None}
    signed = Contrast(**rest, d=d, paired_p=0.01)
    return Importance(**counts, signed=signed, absolute=signed, rank=0.6, interval=(0.55, 0.65), p=0.01, effect=effect)


@pytest.mark.parametrize(
    ("effect", "d", "grade"),
    [
        ("more", 0.5, "good"),
        ("more", 0.49, "fair"),
        ("more", 0.0, "fair"),
        ("more", None, "fair"),
        ("less", -0.9, "bad"),
        ("equal", 0.1, "bad"),
        ("inconclusive", 0.9, "open"),
    ],
)
def test_trigger_words_at_the_limits(effect: str, d: float | None, grade: str) -> None:
    importance = salient(effect, d)
    shown = cell("trigger", importance=importance)
    assert shown == Cell(outcome=importance, value=0.6, interval=(0.55, 0.65), unit="%", grade=grade)  # type: ignore[arg-type]


def test_where_no_word_is_salient_there_is_no_figure() -> None:
    assert cell("trigger", importance=salient("none", None)) == Cell(outcome=salient("none", None))


@pytest.mark.parametrize(
    ("low", "effect", "grade"),
    [
        (-0.049, "loses", "fair"),
        (-0.05, "loses", "bad"),
        (-0.5, "loses", "bad"),
        (-0.04, "robust", "good"),
        (-0.04, "inconclusive", "open"),
    ],
)
def test_attacks_at_the_limits(low: float, effect: Any, grade: str) -> None:
    counts: dict[str, Any] = {"pairs": 9, "groups": 9, "unpaired": 0, "before": 1, "after": 1, "broken": 0}
    counts |= {"gained": 0, "broken_share": None, "p": 0.01}
    drop = AttackEffect(perturbation="x", kind="attack", suite="s+x", difference=-0.02, interval=(low, 0.2), **counts)
    attack = Attack(drop, 0.01)
    consistent = Proportion(1, 1.0, (0, 1), 9)
    whole: dict[str, Any] = {"attacks": [attack], "worst": attack, "mean": 0, "items": 9, "consistent": consistent}
    robustness = Robustness(**whole, effect=effect, possible=-low, more_groups=None)
    expected = Cell(outcome=robustness, value=-0.02, interval=(low, 0.2), unit="pp", grade=grade)  # type: ignore[arg-type]
    assert cell("attacks", diagnosis(robustness=robustness)) == expected


def artifact(above: Any, accuracy: float = 0.75, chance: float | None = 0.5) -> Artifact:
    names = ("p", "groups", "group_score", "group_interval", "group_chance", "more_groups")
    rest: dict[str, Any] = dict.fromkeys((*names, "full", "difference", "difference_interval", "difference_p"))
    rest |= {"setup": "no-premise", "suite": "s+", "items": 9, "interval": (0.25, 0.875)}
    level = None if chance is None else ChanceLevel(chance, "guess")
    return Artifact(**rest, above_chance=above, accuracy=accuracy, chance=level)


@pytest.mark.parametrize(
    ("above", "grade"), [("items", "bad"), ("groups", "bad"), ("none", "good"), ("inconclusive", "open")]
)
def test_an_artifact_is_bad(above: str, grade: str) -> None:
    shown = cell("artifacts", diagnosis(artifacts=[artifact(above)]))
    assert (shown.value, shown.interval, shown.unit, shown.grade) == (0.75, (0.25, 0.875), "%", grade)


def test_the_worst_baseline_is_shown() -> None:
    """One with an artifact before all others, then by what is beyond its own chance level."""
    slight, high = artifact("items", 0.6), artifact("none", 0.9, 0.875)
    beyond, nowhere = artifact("none", 0.75, 0.25), artifact(None, 1.0, None)
    for artifacts, worst in (
        ([nowhere, high, slight], slight),
        ([high, beyond], beyond),
        ([beyond, artifact("inconclusive", 0.5)], artifact("inconclusive", 0.5)),
        ([slight, artifact("items", 0.9)], artifact("items", 0.9)),
    ):
        assert cell("artifacts", diagnosis(artifacts=artifacts)).outcome == worst
    assert cell("artifacts", diagnosis(artifacts=[nowhere])).outcome == NotMeasured("not_perturbed", "no-premise")


def test_merged_rows_keep_the_earlier_figure_and_every_kind() -> None:
    lines = [
        scorecard([diagnosis(**way)], [findings(**way, overall=overall)], {}, {})[0]
        for way, overall in (
            ({}, None),
            ({}, row((0.81, 0.9))),
            ({}, row((0.1, 0.2))),
            ({"kind": "generative", "rule": "paper"}, None),
        )
    ]
    scored, generated = merged(("hash", line) for line in lines)
    assert scored.cells["accuracy"] == lines[1].cells["accuracy"]
    assert generated == lines[3]
