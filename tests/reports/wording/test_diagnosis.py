"""Outcomes of a diagnosis, and the one sentence that says each."""

from __future__ import annotations

import msgspec
import pytest

from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias, PublishedBias, ValueBias
from referee.analysis.bias.priors import Prior
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.group_consistency import GroupConsistency
from referee.analysis.robustness import Attack, AttackEffect, Robustness
from referee.analysis.salience.importance import Contrast, Importance
from referee.reports import wording
from referee.stats.proportions import Proportion

change = msgspec.structs.replace


HALF = Proportion(100, 0.5, (0.42, 0.58), 100)

# --- diagnosis

MASCULINE = ValueBias(
    value="m",
    offered=300,
    right=102,
    chosen=112,
    right_share=0.34,
    chosen_share=0.373,
    expected_share=0.34,
    taken=0.55,
    left=0.45,
    difference=0.033,
    interval=(0.01, 0.05),
    p=0.01,
)
FEMININE = change(MASCULINE, value="f", taken=0.45, left=0.55, difference=-0.033, interval=(-0.05, -0.01), p=1.0)
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
        rbc_expected=0.0,
        thresholds={},
        size="negligible",
    ),
    cramers_v=0.1,
    beyond=0.05,
    size="negligible",
    p=0.01,
    outcome="biased",
    biased_towards="m",
    more_groups=None,
    values=[MASCULINE, FEMININE],
)
OPEN = change(BIAS, outcome="inconclusive", biased_towards=None, more_groups=40)
BIASES = [
    (BIAS, "Biased towards masculine (negligible effect): chosen 37.3%, correct 34.0%."),
    (
        change(BIAS, size="large", values=[change(MASCULINE, expected_share=0.36)]),
        "Biased towards masculine (large effect): chosen 37.3%, correct 34.0%, expected at these error rates 36.0%.",
    ),
    (
        change(BIAS, outcome="none", biased_towards=None),
        "No bias: more than 5.0 pp towards any value is ruled out.",
    ),
    (change(BIAS, outcome="unassessed"), "Cannot be assessed: one value is always correct."),
    (
        change(OPEN, values=[change(MASCULINE, interval=(-0.02, 0.08)), FEMININE]),
        "Inconclusive (needs about 40 more groups): a bias of up to 8.0 pp is possible.",
    ),
    # A bias against one value is one towards the others.
    (
        change(OPEN, more_groups=1, values=[change(MASCULINE, interval=(-0.09, 0.04)), FEMININE]),
        "Inconclusive (needs about 1 more group): a bias of up to 9.0 pp is possible.",
    ),
    # A value that is never correct has rates and an interval that say nothing.
    (
        change(OPEN, more_groups=None, values=[MASCULINE, change(FEMININE, left=None, interval=(-1.0, 1.0))]),
        "Inconclusive (more groups at these rates would not decide): a bias of up to 5.0 pp is possible.",
    ),
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
    outcome="biased",
    more_groups=None,
)
PRIORS = [
    (PRIOR, "Biased towards the first noun: chosen 70.0%, 50.0% in an even split."),
    (
        change(PRIOR, outcome="none"),
        "No prior: more than 5.0 pp above an even split is ruled out for every value.",
    ),
    (
        change(PRIOR, outcome="inconclusive", share=0.6, more_groups=1200),
        "Inconclusive (needs about 1,200 more groups): the first noun chosen 60.0%, 50.0% in an even split.",
    ),
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
    chance=ChanceLevel(0.5, "guess"),
    groups=100,
    group_score=0.5,
    group_interval=(0.4, 0.6),
    group_chance=0.5,
    p=0.001,
    above_chance="items",
    more_groups=None,
    full=0.9,
    difference=-0.15,
    difference_interval=(-0.2, -0.1),
    difference_p=0.001,
)
ARTIFACTS = [
    (ARTIFACT, "Above chance (50.0%) without the premise: 75.0%; 90.0% on the full items."),
    (change(ARTIFACT, full=None, difference_p=None), "Above chance (50.0%) without the premise: 75.0%."),
    (
        change(ARTIFACT, chance=ChanceLevel(0.52, "heuristic", "position", "first")),
        "Above chance (52.0%, always the first noun) without the premise: 75.0%; 90.0% on the full items.",
    ),
    (
        change(ARTIFACT, above_chance="none", accuracy=0.5),
        "50.0% without the premise, not above chance (50.0%); 90.0% on the full items.",
    ),
    (
        change(ARTIFACT, above_chance="inconclusive", accuracy=0.51, more_groups=300),
        "51.0% without the premise, inconclusive against chance (50.0%; needs about 300 more groups); "
        "90.0% on the full items.",
    ),
    (
        change(ARTIFACT, above_chance="groups", group_score=0.7),
        "Group score above chance (50.0%) without the premise: 70.0%.",
    ),
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
        groups=100,
        unpaired=0,
        before=0.9,
        after=0.65,
        difference=-0.25,
        interval=(-0.3, -0.2),
        broken=50,
        gained=0,
        broken_share=Proportion(50, 50 / 180, (0.2, 0.36), 100),
        p=0.001,
    ),
    0.002,
)
ROBUSTNESS = Robustness(
    attacks=[LOUD, LOUD],
    worst=LOUD,
    effect="loses",
    possible=0.3,
    more_groups=None,
    mean=-0.2,
    items=200,
    consistent=HALF,
)
OPEN_LOSS = change(ROBUSTNESS, effect="inconclusive", more_groups=70)
NEVER_CORRECT = change(LOUD, drop=change(LOUD.drop, before=0.0, broken=0, broken_share=None))
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
        change(ROBUSTNESS, attacks=[LOUD], effect="robust"),
        "Robust under loud: a loss of 5.0 pp or more is ruled out; 50.0% correct before and under every perturbation.",
    ),
    (
        change(ROBUSTNESS, effect="robust"),
        "Robust under any of 2 perturbations: a loss of 5.0 pp or more is ruled out; "
        "50.0% correct before and under every perturbation.",
    ),
    (
        change(OPEN_LOSS, worst=change(LOUD, p_holm=0.06)),
        "Inconclusive (needs about 70 more groups): a loss of up to 30.0 pp is possible "
        "(p = 0.0010 under loud before correction for 2 perturbations); 50 of 180 correct answers broke under loud.",
    ),
    (
        change(OPEN_LOSS, worst=change(LOUD, drop=change(LOUD.drop, p=0.3), p_holm=0.6)),
        "Inconclusive (needs about 70 more groups): a loss of up to 30.0 pp is possible; "
        "50 of 180 correct answers broke under loud.",
    ),
    (
        change(OPEN_LOSS, attacks=[NEVER_CORRECT], worst=NEVER_CORRECT, more_groups=None),
        "Inconclusive (more groups at these rates would not decide): a loss of up to 30.0 pp is possible; "
        "no answer was correct before loud.",
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
    independent_range=(0.239, 0.277),
    p=0.0002,
    errors="apart",
    more_groups=None,
)
GROUP_SCORES = [
    (
        GROUPS,
        "Group score 6.6%, while independent errors leave 25.8% (23.9–27.7): errors fall on one member per group, "
        "so members tend to get the same answer.",
    ),
    (
        change(GROUPS, score=0.4, errors="together"),
        "Group score 40.0%, while independent errors leave 25.8% (23.9–27.7): errors cluster in the same groups.",
    ),
    # What was not found is not ruled out.
    (
        change(GROUPS, score=0.26, errors="not_significant", p=0.7),
        "Group score 26.0%; independent errors leave 25.8% (23.9–27.7): "
        "no departure from independent errors found (p = 0.7000).",
    ),
    (
        change(GROUPS, score=0.2, independent_range=(0.0, 0.6), errors="inconclusive", p=1.0, more_groups=2),
        "Group score 20.0%; independent errors leave 25.8% (0.0–60.0): inconclusive (needs about 2 more groups).",
    ),
    (change(GROUPS, score=1.0, errors="none"), "Group score 100.0%: cannot be assessed, the model made no errors."),
    (change(GROUPS, score=0.0, errors="all"), "Group score 0.0%: cannot be assessed, every answer is incorrect."),
]


@pytest.mark.parametrize(("groups", "sentence"), GROUP_SCORES)
def test_group_score(groups: GroupConsistency, sentence: str) -> None:
    assert wording.group_verdict(groups) == sentence


def importance(d: float | None, effect: str, rank: float = 0.6, more_groups: int | None = None) -> Importance:
    contrast = Contrast(
        trigger_mean=0.2,
        other_mean=0.1,
        d=d,
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
        rank=rank,
        interval=(rank - 0.05, rank + 0.05),
        p=0.5,
        effect=effect,  # type: ignore[arg-type]
        more_groups=more_groups,
    )


SALIENCE = [
    (
        importance(0.9, "more"),
        "Trigger words are much more salient than other words (mean rank 60.0%, 50.0% if equal; large effect).",
    ),
    (
        importance(0.5, "more"),
        "Trigger words are more salient than other words (mean rank 60.0%, 50.0% if equal; medium effect).",
    ),
    (
        importance(0.2, "more"),
        "Trigger words are slightly more salient than other words (mean rank 60.0%, 50.0% if equal; small effect).",
    ),
    (
        importance(-0.2, "less", 0.4),
        "Trigger words are less salient than other words (mean rank 40.0%, 50.0% if equal).",
    ),
    (
        importance(0.1, "equal", 0.51),
        "Trigger words are as salient as other words (mean rank 51.0%, 50.0% if equal).",
    ),
    (
        importance(0.9, "inconclusive", more_groups=4),
        "Inconclusive (needs about 4 more groups): mean rank 60.0%, 50.0% if equal.",
    ),
    (importance(None, "none"), "Cannot be assessed: no word is salient."),
]


@pytest.mark.parametrize(("outcome", "sentence"), SALIENCE)
def test_salience(outcome: Importance, sentence: str) -> None:
    assert wording.salience_verdict(outcome) == sentence
