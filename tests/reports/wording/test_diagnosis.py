"""Outcomes of a diagnosis, and the one sentence that says each."""

from __future__ import annotations

import msgspec
import pytest

from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias, PublishedBias, ValueBias
from referee.analysis.bias.priors import Prior
from referee.analysis.group_consistency import GroupConsistency
from referee.analysis.robustness import Attack, AttackEffect, Robustness
from referee.analysis.salience.importance import Contrast, Importance
from referee.reports import wording
from referee.stats.proportions import Proportion

change = msgspec.structs.replace


HALF = Proportion(100, 0.5, (0.43, 0.57), (0.42, 0.58))

# --- diagnosis

MASCULINE = ValueBias(
    value="m",
    offered=300,
    right=102,
    chosen=112,
    expected=102.0,
    right_share=0.34,
    chosen_share=0.373,
    expected_share=0.34,
    difference=0.033,
    interval=(0.01, 0.05),
)
BIAS = Bias(
    feature="gender",
    items=300,
    undecided=0,
    groups=100,
    accuracy=0.5,
    published=PublishedBias(
        coding=["f", "m"],
        u=1.0,
        p=0.5,
        rbc=0.1,
        interval=(0.0, 0.2),
        rbc_expected=0.0,
        thresholds={},
        size="negligible",
    ),
    cramers_v=0.1,
    beyond=0.05,
    size="negligible",
    p=0.01,
    unassessed=None,
    biased_towards="m",
    values=[MASCULINE],
)
BIASES = [
    (BIAS, "Biased towards masculine (negligible effect): chosen 37.3%, correct 34.0%."),
    (
        change(BIAS, size="large", values=[change(MASCULINE, expected_share=0.36)]),
        "Biased towards masculine (large effect): chosen 37.3%, correct 34.0%, expected at this accuracy 36.0%.",
    ),
    (change(BIAS, biased_towards=None, p=0.4123), "Bias not significant (p = 0.4123)."),
    (change(BIAS, p=None, unassessed="no_errors"), "Cannot be assessed: the model made no errors."),
    (change(BIAS, p=None, unassessed="all_incorrect"), "Cannot be assessed: every answer is incorrect."),
    (change(BIAS, p=None, unassessed="too_few_groups"), "Inconclusive: fewer than 10 informative groups."),
]


@pytest.mark.parametrize(("bias", "sentence"), BIASES)
def test_bias(bias: Bias, sentence: str) -> None:
    assert wording.bias_verdict(bias) == sentence


PRIOR = Prior(
    label=None,
    feature="position",
    items=90,
    neither=0,
    undecided=0,
    value="first",
    share=0.7,
    interval=(0.6, 0.8),
    even=0.5,
    p=0.00001,
)
PRIORS = [
    (PRIOR, "Biased towards the first noun: chosen 70.0%, 50.0% in an even split."),
    (change(PRIOR, p=0.05), "Prior not significant (p = 0.0500)."),
    (change(PRIOR, p=None), "Inconclusive: fewer than 10 informative groups."),
]


@pytest.mark.parametrize(("prior", "sentence"), PRIORS)
def test_prior(prior: Prior, sentence: str) -> None:
    assert wording.prior_verdict(prior) == sentence


ARTIFACT = Artifact(
    setup="no-premise",
    suite="copa+no-premise",
    items=200,
    accuracy=0.75,
    interval=(0.7, 0.8),
    chance=0.5,
    p=0.001,
    groups=100,
    group_score=0.5,
    group_interval=(0.4, 0.6),
    group_chance=0.25,
    group_p=0.001,
    above_chance="items",
    full=0.9,
    difference=-0.15,
    difference_interval=(-0.2, -0.1),
    difference_p=0.001,
)
ARTIFACTS = [
    (ARTIFACT, "Above chance (50.0%) without the premise: 75.0%; 90.0% on the full items."),
    (change(ARTIFACT, full=None, difference_p=None), "Above chance (50.0%) without the premise: 75.0%."),
    (
        change(ARTIFACT, difference_p=0.05),
        "Above chance (50.0%) without the premise: 75.0%; 90.0% on the full items (difference not significant).",
    ),
    (
        change(ARTIFACT, above_chance="neither"),
        "75.0% without the premise, not significantly above chance (50.0%); 90.0% on the full items.",
    ),
    (change(ARTIFACT, above_chance="groups"), "Group score above chance (25.0%) without the premise: 50.0%."),
    (
        change(ARTIFACT, above_chance=None, chance=None),
        "75.0% without the premise; 90.0% on the full items; no chance level for this set.",
    ),
]


@pytest.mark.parametrize(("artifact", "sentence"), ARTIFACTS)
def test_artifact(artifact: Artifact, sentence: str) -> None:
    assert wording.artifact_verdict(artifact) == sentence


LOUD = Attack(
    AttackEffect(
        perturbation="loud",
        kind="attack",
        suite="copa+loud",
        pairs=200,
        unpaired=0,
        before=0.9,
        after=0.65,
        difference=-0.25,
        interval=(-0.3, -0.2),
        broken=50,
        mended=0,
        p=0.001,
    ),
    0.002,
)
ROBUSTNESS = Robustness(attacks=[LOUD, LOUD], worst=LOUD, loses=True, mean=-0.2, items=200, consistent=HALF)
ROBUSTNESSES = [
    (
        ROBUSTNESS,
        "Loses 25.0 pp under loud (worst of 2 perturbations); 50.0% correct before and under every perturbation.",
    ),
    (
        change(ROBUSTNESS, attacks=[LOUD]),
        "Loses 25.0 pp under loud; 50.0% correct before and under every perturbation.",
    ),
    (
        change(ROBUSTNESS, attacks=[LOUD], loses=False),
        "Loss not significant under loud; 50.0% correct before and under every perturbation.",
    ),
    (
        change(ROBUSTNESS, loses=False),
        "Loss not significant under any of 2 perturbations; 50.0% correct before and under every perturbation.",
    ),
]


@pytest.mark.parametrize(("robustness", "sentence"), ROBUSTNESSES)
def test_robustness(robustness: Robustness, sentence: str) -> None:
    assert wording.robustness_verdict(robustness) == sentence


def test_items_that_stay_correct() -> None:
    assert wording.kept_sentence(HALF, 200) == (
        "Correct before and under every perturbation: 100 of 200 items, 50.0% (95% CI 42.0–58.0)."
    )


GROUPS = GroupConsistency(
    items=200,
    groups=100,
    accuracy=0.508,
    score=0.066,
    independent=0.258,
    difference=-0.192,
    interval=(-0.2, -0.1),
    against="below",
)
GROUP_SCORES = [
    (
        GROUPS,
        "Group score 6.6%, below the 25.8% expected from independent errors: "
        "members of a group tend to get the same answer.",
    ),
    (
        change(GROUPS, against="above"),
        "Group score 6.6%, above the 25.8% expected from independent errors: errors cluster in the same groups.",
    ),
    (
        change(GROUPS, against="not_significant"),
        "Group score 6.6%, difference to the 25.8% expected from independent errors not significant.",
    ),
]


@pytest.mark.parametrize(("groups", "sentence"), GROUP_SCORES)
def test_group_score(groups: GroupConsistency, sentence: str) -> None:
    assert wording.group_verdict(groups) == sentence


def importance(d: float | None, effect: str) -> Importance:
    contrast = Contrast(
        trigger_mean=0.2,
        other_mean=0.1,
        d=d,
        interval=None,
        t=None,
        p=None,
        paired_t=None,
        paired_p=None,
        d_z=None,
    )
    return Importance(
        suite="s",
        items=60,
        groups=30,
        triggers=60,
        others=300,
        signed=contrast,
        absolute=contrast,
        effect=effect,  # type: ignore[arg-type]
    )


SALIENCE = [
    (importance(0.9, "more"), "Trigger words are much more salient than other words (large effect)."),
    (importance(0.5, "more"), "Trigger words are more salient than other words (medium effect)."),
    (importance(0.2, "more"), "Trigger words are slightly more salient than other words (small effect)."),
    (importance(-0.2, "less"), "Trigger words are less salient than other words (small effect)."),
    (importance(0.1, "negligible"), "Trigger words are not more salient than other words (negligible effect)."),
    (importance(0.9, "inconclusive"), "Inconclusive: too few items to tell whether trigger words are more salient."),
    (importance(None, "none"), "Cannot be assessed: no word is salient."),
]


@pytest.mark.parametrize(("outcome", "sentence"), SALIENCE)
def test_salience(outcome: Importance, sentence: str) -> None:
    assert wording.salience_verdict(outcome) == sentence


# --- scorecard
