"""The demo's rows and its two sentences."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from referee.analysis.accuracy import GroupScore
from referee.analysis.bias.priors import Prior
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import AttackEffect
from referee.analysis.scorecard import Generation
from referee.reports.wording import demo
from referee.reports.wording.demo import Heuristic
from referee.stats.levels import Against
from referee.stats.paired import paired
from referee.stats.proportions import Proportion

change = msgspec.structs.replace


def test_rows_name_the_phenomenon_first() -> None:
    assert demo.perturbed_name("possessive/maria").startswith(demo.PHENOMENA["de/gender"])
    assert demo.perturbed_name("mine") == f"{demo.PHENOMENA['de/gender']}, mine"
    assert demo.generated_name("de/gender") == f"{demo.PHENOMENA['de/gender']}, generation"
    assert demo.bare_name("de/gender").endswith(", no context")
    assert demo.clause_name("first") == "  antecedent in the first clause"


THIRD = ChanceLevel(1 / 3, "guess")
EITHER = ChanceLevel(0.5, "referents")
NEUTER = ChanceLevel(1.0, "heuristic", "gender", "n")


def test_chance_levels_and_their_reasons() -> None:
    assert demo.chance_baseline(THIRD) == "33.3 any pronoun"
    assert demo.chance_baseline(EITHER) == "50.0 either noun"
    assert demo.chance_baseline(NEUTER) == "100.0 always neuter"
    assert demo.chance_baseline(None) == ""
    group = GroupScore(groups=96, score=0.0, interval=(0.0, 0.04), singles=0, chance=0.5)
    assert demo.group_baseline(group) == "50.0 one guess per group"
    assert demo.group_baseline(change(group, chance=None)) == ""


@pytest.mark.parametrize(
    ("level", "chance", "against", "words"),
    [
        ("nearly_always", THIRD, Against("above"), "above chance, nearly always correct"),
        ("mostly", THIRD, Against("above"), "above chance, mostly correct"),
        ("above_chance", THIRD, Against("above"), "above chance"),
        ("often_incorrect", THIRD, Against("above"), "above chance, often incorrect"),
        ("at_chance", EITHER, Against("at"), "at chance"),
        ("not_above_chance", EITHER, Against("not_above"), "not above chance"),
        ("below_chance", EITHER, Against("below"), "below chance"),
        (
            "inconclusive",
            EITHER,
            Against("inconclusive", 310),
            "inconclusive against chance (needs about 310 more groups)",
        ),
        (
            "inconclusive",
            EITHER,
            Against("inconclusive", 1),
            "inconclusive against chance (needs about 1 more group)",
        ),
        ("at_chance", NEUTER, Against("at"), "no better than 'always neuter', which is always correct here"),
    ],
)
def test_what_an_accuracy_says(level: demo.Level, chance: ChanceLevel, against: Against, words: str) -> None:
    assert demo.level_words(level, chance, against) == words


def test_what_a_prior_says() -> None:
    shares = {"n": 0.783, "m": 0.217}
    prior = Prior(
        label=None,
        feature="gender",
        items=60,
        neither=0,
        undecided=0,
        value="n",
        share=0.783,
        interval=(0.65, 0.89),
        even=0.5,
        p=0.0001,
        outcome="biased",
        more_groups=None,
    )
    assert demo.prior_words(prior, shares) == "biased towards neuter: neuter 78.3%, masculine 21.7%"
    assert demo.prior_words(change(prior, outcome="none"), shares, {"f": 1.0}) == (
        "no prior: neuter 78.3%, masculine 21.7%; feminine 100.0%"
    )
    assert demo.prior_words(change(prior, outcome="inconclusive", more_groups=25), shares) == (
        "inconclusive (needs about 25 more groups): neuter 78.3%, masculine 21.7%"
    )
    assert demo.prior_words(None, {"n": 1.0}) == "not measured: neuter 100.0%"


EFFECT = AttackEffect(
    perturbation="p",
    kind="attack",
    suite="s+p",
    pairs=180,
    groups=60,
    unpaired=0,
    before=0.994,
    after=0.339,
    difference=-0.655,
    interval=(-0.73, -0.57),
    broken=119,
    gained=1,
    broken_share=None,
    p=0.0001,
)


@pytest.mark.parametrize(
    ("kind", "more_groups", "words"),
    [
        ("loses", None, "loses 65.5 pp (119 items become incorrect)"),
        ("gains", None, "gains 65.5 pp (1 item becomes correct)"),
        ("robust", None, "robust: a loss of 5.0 pp or more is ruled out"),
        ("inconclusive", 12, "inconclusive (needs about 12 more groups): a loss of up to 73.0 pp is possible"),
    ],
)
def test_what_a_perturbation_does(kind: demo.Effect, more_groups: int | None, words: str) -> None:
    assert demo.perturbation_words(kind, EFFECT, more_groups) == words


def test_what_is_generated() -> None:
    def generation(share: float, agrees: str, more_groups: int | None = None) -> Generation:
        same = Proportion(round(120 * share), share, (share - 0.1, min(1.0, share + 0.1)), 40)
        agreement = Agreement(
            items=120, same=same, kappa=None, both_right=1, only_scores=1, only_translations=1, both_wrong=1
        )
        return Generation(agreement, agrees, more_groups)  # type: ignore[arg-type]

    assert demo.generation_words(generation(0.683, "differs")) == "often differs from scoring (same pronoun 68.3%)"
    assert demo.generation_words(generation(1.0, "agrees")) == "agrees with scoring (same pronoun 100.0%)"
    assert demo.generation_words(generation(0.9, "inconclusive", 77)) == (
        "inconclusive (needs about 77 more groups): same pronoun 90.0%"
    )


def test_what_context_is_worth() -> None:
    assert demo.context_words("falls_to_chance", "n") == "falls to chance: context is used; always neuter"
    assert demo.context_words("falls") == "falls: context is used"
    assert demo.context_words("unused") == "a loss of 5.0 pp or more is ruled out: context is not used"
    # Nothing found is not nothing there: what remains possible is said, and what would decide.
    difference = paired([True] * 20, [True] * 19 + [False], np.arange(20))
    possible = -100 * difference.interval[0]
    assert demo.open_context_words(difference, 30, "n") == (
        f"inconclusive (needs about 30 more groups): a loss of up to {possible:.1f} pp is possible; always neuter"
    )


def test_the_sentence_on_gender() -> None:
    assert demo.gender_sentence("nearly_always", 0.994, ("possessive/maria", 0.339)) == (
        "The pocket translator gets noun gender right (99.4%) until the article disappears (33.9%)."
    )
    assert demo.gender_sentence("nearly_always", 0.994, None).endswith(
        "gets noun gender right (99.4%). No loss under perturbation was shown."
    )
    assert demo.gender_sentence("often_incorrect", 0.34, ("mine", 0.2)) == (
        "The pocket translator often gets noun gender wrong (34.0%)."
    )
    # An interval around three quarters shows neither.
    assert demo.gender_sentence("above_chance", 0.76, ("mine", 0.2)) == (
        "The pocket translator gets noun gender right more often than chance (76.0%) until mine is applied (20.0%)."
    )
    assert demo.gender_sentence("inconclusive", 0.5, None) == (
        "The pocket translator has not been shown to know noun gender (50.0%). No loss under perturbation was shown."
    )
    assert "until mine is applied (20.0%)" in demo.gender_sentence("mostly", 0.8, ("mine", 0.2))


def test_the_sentence_on_antecedents() -> None:
    by_gender = Heuristic("gender", ("m", 0.708), ("f", 0.198))
    assert demo.resolution_sentence("below_chance", None, 0.444, 0.0, by_gender) == (
        "With two candidate antecedents it does worse than picking either at random (44.4%; group score 0.0%), and its "
        "answers follow gender: 70.8% correct for masculine antecedents, 19.8% for feminine."
    )
    by_clause = Heuristic("clause", ("first", 0.9), ("second", 0.1))
    assert demo.resolution_sentence("at_chance", None, 0.5, None, by_clause).endswith(
        "and its answers follow clause: 90.0% correct for antecedents in the first clause, 10.0% in the second."
    )
    always = ChanceLevel(0.515, "heuristic", "position", "first")
    assert demo.resolution_sentence("below_chance", always, 0.444, None, None) == (
        "With two candidate antecedents it does worse than 'always the first noun' (44.4%)."
    )
    assert demo.resolution_sentence("mostly", None, 0.8, None, None) == (
        "With two candidate antecedents it mostly picks the correct one (80.0%)."
    )
