"""Every outcome has one sentence: a table of outcomes and what is said of them."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest

import referee
from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias, PublishedBias, ValueBias
from referee.analysis.bias.priors import Prior
from referee.analysis.comparison.pairing import Unpaired
from referee.analysis.corpus.frequencies import CountComparison, Order
from referee.analysis.generation_agreement import Agreement
from referee.analysis.group_consistency import GroupConsistency
from referee.analysis.robustness import Attack, AttackEffect, Robustness
from referee.analysis.salience.importance import Contrast, Importance
from referee.analysis.scorecard import COLUMNS, AgainstChance, Cell, NotMeasured, ScorecardRow
from referee.reports import wording
from referee.reports.wording import vocabulary as words
from referee.runs.store import Inputs, RunInfo, SuiteInput
from referee.stats.paired import MacroDifference, PairedDifference
from referee.stats.proportions import Proportion
from tests.support.priors_sample import priors

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

AGREEMENT = Agreement(items=200, same=HALF, kappa=0.254, both_right=1, only_scores=1, only_translations=1, both_wrong=1)
CELLS = [
    (Cell(outcome=AgainstChance(1 / 3, above=True)), "Above chance (33.3%)."),
    (Cell(outcome=AgainstChance(1 / 3, above=False)), "Not significantly above chance (33.3%)."),
    (Cell(outcome=AgainstChance(None, None)), "No chance level for this set."),
    (Cell(outcome=AGREEMENT, grade="good"), "Generation agrees with scoring (kappa 0.25)."),
    (Cell(outcome=AGREEMENT, grade="fair"), "Generation often differs from scoring (kappa 0.25)."),
    (Cell(outcome=change(AGREEMENT, kappa=None), grade="good"), "Generation agrees with scoring."),
    (Cell(outcome=NotMeasured("no_gold")), "No correct answer (prior probe)."),
    (Cell(outcome=NotMeasured("no_groups")), "Not measured: items are not grouped."),
    (Cell(outcome=NotMeasured("no_baseline")), "Not measured: no artifact baseline for translation."),
    (Cell(outcome=NotMeasured("not_perturbed", "phrase")), "Not measured: run `eval --perturb phrase`."),
    (
        Cell(outcome=NotMeasured("no_features")),
        "Not measured: candidates differ neither in gender nor in position.",
    ),
    (Cell(outcome=NotMeasured("no_salience")), "Not measured: run `diagnose RUN --salience`."),
    (Cell(outcome=NotMeasured("not_generated")), "Not measured: run `eval --how both`."),
    (Cell(outcome=NotMeasured("only_generated")), "Not measured: items were not scored."),
    (Cell(outcome=BIAS), f"Gender. {BIASES[0][1]}"),
    (Cell(outcome=PRIOR), f"Position. {PRIORS[0][1]}"),
    (Cell(outcome=ARTIFACT), ARTIFACTS[0][1]),
    (Cell(outcome=ROBUSTNESS), ROBUSTNESSES[0][1]),
    (Cell(outcome=SALIENCE[0][0]), SALIENCE[0][1]),
]


@pytest.mark.parametrize(("cell", "sentence"), CELLS)
def test_cell(cell: Cell, sentence: str) -> None:
    assert wording.cell_verdict(cell) == sentence


def test_every_column_has_a_head() -> None:
    assert tuple(wording.HEADS) == COLUMNS


def row(**cells: Cell) -> ScorecardRow:
    missing = {name: Cell(outcome=NotMeasured("no_gold")) for name in COLUMNS}
    return ScorecardRow(suite="s", kind="contrastive", items=1, cells=missing | cells)


def test_headline() -> None:
    known = {name: Cell(outcome=AgainstChance(0.5, above=True), grade="fair") for name in COLUMNS}
    assert wording.headline([row(**known)]) == (
        "Above chance on 1 of 1 suites. Group score above chance on 1 of 1. "
        "Not above chance without the evidence on 1 of 1. Robust to perturbation on 1 of 1. "
        "No more than a small bias on 1 of 1. Trigger words more salient on 1 of 1. "
        "Generation agrees with scoring on 1 of 1."
    )
    poor = Cell(outcome=ROBUSTNESS, grade="bad")
    accurate = known["accuracy"]
    assert wording.headline([row(accuracy=accurate, attacks=poor), row(accuracy=accurate), row()]) == (
        "Above chance on 2 of 2 suites. Robust to perturbation on 0 of 1."
    )
    assert wording.headline([]) == ""


def test_the_headline_leaves_out_what_has_no_chance_level() -> None:
    """A grade without a chance level says nothing of chance."""
    unknown = Cell(outcome=AgainstChance(None, None), grade="good")
    assert wording.headline([row(accuracy=unknown, groups=unknown)]) == ""


# --- comparison

LINE = PairedDifference(
    items=400,
    groups=200,
    base=0.75,
    other=0.782,
    difference=0.032,
    interval=(0.01, 0.054),
    both_right=290,
    only_base=10,
    only_other=23,
    both_wrong=77,
    p=0.0012,
    mcnemar=0.0351,
    cohen_g=0.197,
    odds_ratio=2.3,
    cohen_h=0.076,
    detectable=0.0411,
    holm=0.0024,
)
MEAN = MacroDifference(
    suites=2, groups=9, base=0.5, other=0.5, difference=0.0, interval=(-0.1, 0.1), p=1.0, detectable=0.2
)
DIFFERENCES = [
    (LINE, "B is better by 3.2 pp (95% CI 1.0 to 5.4)."),
    (
        change(LINE, difference=-0.032, interval=(-0.054, -0.01), holm=None),
        "A is better by 3.2 pp (95% CI 1.0 to 5.4).",
    ),
    (
        change(LINE, holm=0.06),
        "Not significant (p = 0.0012 before correction); minimum detectable difference 4.1 pp.",
    ),
    (change(LINE, p=0.3, holm=0.6), "Not significant; minimum detectable difference 4.1 pp."),
    (
        change(LINE, p=1.0, holm=1.0, only_base=0, only_other=0),
        "The same items are correct in both; minimum detectable difference 4.1 pp.",
    ),
    (
        change(LINE, p=1.0, holm=1.0, detectable=None),
        "Inconclusive: a significant difference needs at least 6 groups.",
    ),
    (MEAN, "Not significant; minimum detectable difference 20.0 pp."),
]


@pytest.mark.parametrize(("line", "sentence"), DIFFERENCES)
def test_difference(line: PairedDifference | MacroDifference, sentence: str) -> None:
    assert wording.difference_verdict(line, "A", "B") == sentence


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (LINE, "400 items (200 groups): minimum detectable difference (80% power) 4.1 pp."),
        (change(LINE, items=1400, groups=1400), "1,400 items: minimum detectable difference (80% power) 4.1 pp."),
        (
            change(LINE, items=4, groups=2, detectable=None),
            "4 items (2 groups): a significant difference needs at least 6 groups.",
        ),
    ],
)
def test_what_these_items_can_show(line: PairedDifference, sentence: str) -> None:
    assert wording.detectable_sentence(line) == sentence


def test_what_was_not_compared() -> None:
    unpaired = Unpaired(other_content=1, only_base=2, only_other=3, not_judged=4)
    assert wording.unpaired_sentence("x", unpaired, "A", "B") == (
        "Not compared of x: 1 with other content, 2 only in A, 3 only in B, 4 not evaluated by both."
    )
    assert wording.unpaired_sentence("x", Unpaired(), "A", "B") == ""


def info(model: str = "hf:a", digest: str = "1", content: str = "a" * 64, **settings: str) -> RunInfo:
    return RunInfo(
        status="done",
        inputs=Inputs(model, digest * 64, settings, [SuiteInput("x", 4, content), SuiteInput("y", 2, "c" * 64)]),
        seed=1,
        resamples=1,
        signature="",
        command=[],
        versions={},
        started="",
    )


def test_conditions() -> None:
    assert wording.conditions(info(norm="ppl"), info("hf:renamed", norm="ppl")) == []
    base = info(norm="ppl", separator=" ", part="whole")
    other = info("hf:b", "2", "b" * 64, norm="sum", separator="|", part="whole", beam="4")
    assert wording.conditions(base, other) == [
        "model differs (hf:a, hf:b)",
        "beam differs (not set, 4)",
        "norm differs (ppl, sum)",
        "separator differs (' ', |)",
        "content of x differs (4 items #aaaaaaaa, 4 items #bbbbbbbb)",
    ]


# --- corpus

COUNTED = CountComparison("same", "n", "n", [Order("translations", 1.0, 1 / 6), Order("absolute", None, None)])


@pytest.mark.parametrize(
    ("comparison", "sentences"),
    [
        (
            COUNTED,
            [
                "Biased towards neuter, which is also the most frequent translation of 'it' in the corpus.",
                "Rank correlation of bias and counts in translations of 'it': rho = +1.00, as high by chance in 16.7%.",
            ],
        ),
        (
            change(COUNTED, verdict="different", preferred="m", orders=[Order("absolute", -0.5, 5 / 6)]),
            [
                "Biased towards masculine, while neuter is the most frequent translation of 'it' in the corpus.",
                "Rank correlation of bias and counts in the whole text: rho = -0.50, as high by chance in 83.3%.",
            ],
        ),
        (
            change(COUNTED, verdict="no_preference"),
            ["Gender bias not significant, so there is no preference to compare with the corpus."],
        ),
        (change(COUNTED, verdict="no_choices"), ["Not measured: no evaluated candidates differ in gender."]),
    ],
)
def test_counts(comparison: CountComparison, sentences: list[str]) -> None:
    assert wording.count_verdict(comparison, priors("de")) == sentences


# --- names


@pytest.mark.parametrize(
    ("kind", "rule", "name"),
    [
        (None, None, "s"),
        ("contrastive", None, "s (scores)"),
        ("generative", "paper", "s (generation, rule paper)"),
        (None, "token", "s (rule token)"),
    ],
)
def test_suites_are_named_by_how_they_were_evaluated(kind: str | None, rule: str | None, name: str) -> None:
    assert wording.suite_name("s", kind, rule) == name  # type: ignore[arg-type]


def test_values_have_names() -> None:
    assert wording.name_of("gender", "f") == "feminine"
    assert wording.name_of("colour", "f") == "f"


def test_every_sentence_is_said_of_one_outcome() -> None:
    """Among the outcomes of a kind; and each is a sentence without a space before the percent sign."""
    for table in (BIASES, PRIORS, ARTIFACTS, ROBUSTNESSES, GROUP_SCORES, SALIENCE, CELLS):
        sentences = [sentence for _, sentence in table]
        assert len(set(sentences)) == len(sentences)
        for sentence in sentences:
            assert sentence.endswith(".")
            assert not sentence[0].islower()
            assert " %" not in sentence


def test_verdict_words_are_nowhere_else() -> None:
    """Strings of the code outside of the wording package, without docstrings and the names of typed outcomes."""
    vocabulary = [words.ABOVE_CHANCE, words.AT_CHANCE, words.BELOW_CHANCE, words.NOT_SIGNIFICANT, words.INCONCLUSIVE]
    vocabulary += [words.NOT_MEASURED, words.CANNOT_BE_ASSESSED, words.BIASED_TOWARDS]
    package = Path(referee.__file__).parent
    elsewhere = [
        (path.relative_to(package).as_posix(), text)
        for path in package.rglob("*.py")
        if "wording" not in path.parts
        for text in strings(path)
        if " " in text and any(phrase in text.lower() for phrase in vocabulary)
    ]
    assert elsewhere == []
    assert any(words.NOT_MEASURED in text for text in strings(package / "reports/wording/vocabulary.py"))


def strings(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs)
    return [node.value for node in constants if isinstance(node.value, str)]
