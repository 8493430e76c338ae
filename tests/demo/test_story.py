"""The words follow from the numbers: other findings, other words."""

from __future__ import annotations

from functools import cache
from math import ceil, inf
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy.stats import binomtest

from referee.analysis.accuracy import Findings, GroupScore, Row
from referee.analysis.bias.preferences import Preference
from referee.analysis.bias.priors import Prior
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import AttackEffect, Attacks
from referee.demo.plan import STEPS
from referee.demo.story import Line, lines, sentence, summary
from referee.stats.levels import against
from referee.stats.paired import PairedDifference, paired
from referee.stats.proportions import Proportion, proportion

ITEMS = 200
GROUPS = 25
GUESS, EITHER = ChanceLevel(1 / 3, "guess"), ChanceLevel(0.5, "referents")


def exact(hits: int, total: int) -> tuple[float, float]:
    """Every item is a group of its own."""
    bounds = binomtest(hits, total).proportion_ci(0.95, "exact")
    return float(bounds.low), float(bounds.high)


def row(key: str, accuracy: float, items: int = ITEMS) -> Row:
    hits = round(accuracy * items)
    return Row(key, items, hits, 0, hits / items, exact(hits, items), items)


def share(part: float) -> Proportion:
    hits = round(part * ITEMS)
    return Proportion(hits, part, exact(hits, ITEMS), ITEMS)


def group_score(whole: float) -> GroupScore:
    hits = round(whole * GROUPS)
    bounds = exact(hits, GROUPS)
    return GroupScore(
        groups=GROUPS,
        score=hits / GROUPS,
        interval=bounds,
        singles=0,
        chance=0.5,
        independent_chance=0.5**8,
        against=against(hits / GROUPS, bounds, 0.5, GROUPS),
    )


def finding(suite: str, accuracy: float | None, whole: float | None = None, **changes: Any) -> Findings:
    by = {name: [row(key, part) for key, part in parts.items()] for name, parts in changes.pop("by", {}).items()}
    overall = None if accuracy is None else row("all", accuracy, changes.pop("items", ITEMS))
    chance = GUESS if whole is None else EITHER
    standing = overall and against(overall.accuracy, overall.interval, chance.level, overall.groups)
    fields: dict[str, Any] = {
        "kind": "contrastive",
        "rule": None,
        "chance": chance,
        "against": standing,
        "overall": overall,
        "by": by,
        "group": None if whole is None else group_score(whole),
        "without_gold": 0,
        "preferences": [],
    }
    return Findings(suite=suite, **(fields | changes))


def prior(suite: str, feature: str, **shares: float) -> Findings:
    """The first value is the one that is chosen most."""
    kept = {value: share(part) for value, part in shares.items()}
    value, part = next(iter(shares.items()))
    even = 1 / len(shares)
    tested = Prior(
        label=suite,
        feature=feature,
        items=ITEMS,
        neither=0,
        undecided=0,
        value=value,
        share=part,
        interval=kept[value].interval,
        even=even,
        p=0.5,
        outcome="biased" if kept[value].interval[0] > even else "inconclusive",
        more_groups=None if kept[value].interval[0] > even else 60,
    )
    return finding(suite, None, preferences=[Preference(suite, feature, ITEMS, kept)], priors=[tested])


@cache
def drop(name: str, before: float, after: float, gained: float = 0.0) -> AttackEffect:
    """Every item is a group of its own; correct answers break, and `gained` incorrect ones become correct."""
    was = np.arange(ITEMS) < round(before * ITEMS)
    broken = round((before - after + gained) * ITEMS)
    now = was.copy()
    now[:broken] = False
    now[round(before * ITEMS) :][: round(gained * ITEMS)] = True
    difference = paired(was.tolist(), now.tolist(), np.arange(ITEMS))
    lost = was & ~now
    return AttackEffect(
        perturbation=name,
        kind="attack",
        suite=f"de/gender+{name}",
        pairs=ITEMS,
        groups=ITEMS,
        unpaired=0,
        before=difference.base,
        after=difference.other,
        difference=difference.difference,
        interval=difference.interval,
        broken=difference.only_base,
        gained=difference.only_other,
        broken_share=proportion(lost[was], np.arange(int(was.sum()))),
        p=difference.mcnemar,
    )


@cache
def without_context(before: float, after: float) -> PairedDifference:
    """What is correct without the context is so with it."""
    index = np.arange(ITEMS)
    return paired((index < round(before * ITEMS)).tolist(), (index < round(after * ITEMS)).tolist(), index)


def needs(accuracy: float, level: float = 1 / 3, groups: int = ITEMS) -> int:
    """By the note's rule of thumb: fewest groups for an interval above the level, or below the level plus 5 pp."""
    low, high = exact(round(accuracy * groups), groups)
    at_most = groups * ((high - accuracy) / (level + 0.05 - accuracy)) ** 2
    above = groups * ((accuracy - low) / (accuracy - level)) ** 2 if accuracy > level else inf
    return ceil(min(at_most, above)) - groups


def to_show(part: float, level: float) -> int:
    low, _ = exact(round(part * ITEMS), ITEMS)
    return ceil(ITEMS * ((part - low) / (part - level)) ** 2) - ITEMS


def found(**changes: Any) -> dict[str, list[Findings]]:
    """What a translator like ours would be found to do; `changes` make it another."""
    numbers: dict[str, Any] = {
        "gender": 0.99,
        "overlap": 0.44,
        "whole": 0.0,
        "clauses": {"first": 0.44, "second": 0.45},
        "genders": {"m": 0.7, "f": 0.2, "n": 0.4},
        "drops": [drop("phrase/he-said", 0.99, 0.88), drop("possessive/maria", 0.99, 0.34)],
        "same": 0.68,
        "bare": 0.3,
        "bare_genders": {"m": 0.0, "f": 0.0, "n": 1.0},
        "roles": {"subject": 0.7, "object": 0.3},
        "knowledge": 0.3,
    } | changes
    overlap = {"clause": numbers["clauses"], "gender": numbers["genders"]}
    attacked = [finding(each.suite, each.after) for each in numbers["drops"]]
    same = share(numbers["same"])
    agreement = Agreement(
        items=ITEMS, same=same, kappa=0.5, both_right=0, only_scores=0, only_translations=0, both_wrong=0
    )
    return {
        "de-gender": [finding("de/gender", numbers["gender"])],
        "de-pronouns": [
            finding("de/overlap", numbers["overlap"], numbers["whole"], by=overlap),
            finding("de/world-knowledge", 0.5, numbers["knowledge"]),
            *(finding(f"de/{name}", 0.6) for name in ("markable", "event", "pleonastic")),
        ],
        "de-priors": [
            prior("de/role-prior", "referent", **numbers["roles"]),
            prior("de/position-prior", "referent", first=0.4, second=0.35, neither=0.25),
            prior("de/verb-prior", "gender", n=0.8, m=0.2),
        ],
        "de-attacks": [
            finding("de/gender", numbers["gender"], attacks=Attacks(numbers["drops"], ITEMS, share(0.3))),
            *attacked,
        ],
        "fr": [finding("fr/gender", 1.0), finding("fr/overlap", 0.5, 0.0), finding("fr/world-knowledge", 0.5, 0.3)],
        "de-both": [
            finding("de/gender", numbers["gender"]),
            finding("de/gender", 0.65, kind="generative", chance=None, agreement=agreement),
        ],
        "de-sentence": [
            finding("de/gender", numbers["bare"], by={"gender": numbers["bare_genders"]}),
            finding("de/overlap", 0.33),
        ],
    }


def told_lines(steps: dict[str, list[Findings]]) -> list[Line]:
    with_context = {findings.suite: findings for name in ("de-gender", "de-pronouns") for findings in steps[name]}
    losses = {
        bare.suite: without_context(with_context[bare.suite].overall.accuracy, bare.overall.accuracy)  # type: ignore[union-attr]
        for bare in steps["de-sentence"]
    }
    return lines(steps, losses)


def told(phenomenon: str, **changes: Any) -> Line:
    return next(line for line in told_lines(found(**changes)) if line.phenomenon == phenomenon)


def test_the_findings_have_the_shape_of_the_plan() -> None:
    assert list(found()) == list(STEPS)


def test_the_sentence_about_a_translator_like_ours() -> None:
    assert sentence(found()) == (
        "The pocket translator gets noun gender right (99.0%) until the article disappears (34.0%). "
        "With two candidate antecedents it does no better than picking either at random (44.0%; group score 0.0%), "
        "and its answers follow gender: 70.0% correct for masculine antecedents, 20.0% for feminine."
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"overlap": 0.97, "whole": 0.92, "drops": [drop("phrase/he-said", 0.99, 0.98)]},
            "The pocket translator gets noun gender right (99.0%). No loss under perturbation was shown. "
            "With two candidate antecedents it picks the correct one (97.0%; group score 92.0%).",
        ),
        (
            {"gender": 0.42, "overlap": 0.83, "whole": 0.52},
            "The pocket translator often gets noun gender wrong (42.0%). "
            "With two candidate antecedents it mostly picks the correct one (83.0%; group score 52.0%).",
        ),
        (
            {"genders": {"m": 0.45, "f": 0.43}, "clauses": {"first": 0.1, "second": 0.8}},
            "its answers follow clause: 80.0% correct for antecedents in the second clause, 10.0% in the first.",
        ),
        ({"genders": {"m": 0.45, "f": 0.43}}, "at random (44.0%; group score 0.0%)."),
        # What the interval leaves open is not said: neither way of picking, nor how often.
        ({"overlap": 0.5}, "it cannot be told apart from picking either at random (50.0%;"),
        ({"overlap": 0.8}, "it does better than picking either at random (80.0%;"),
        ({"gender": 0.35}, "has not been shown to know noun gender (35.0%)."),
        ({"gender": 0.78}, "gets noun gender right more often than chance (78.0%) until the article disappears"),
        ({"gender": 0.2}, "does not know noun gender (20.0%)."),
        # Two rows of twenty items that overlap follow nothing.
        ({"genders": {"m": 0.48, "f": 0.4}}, "at random (44.0%; group score 0.0%)."),
        ({"overlap": 0.3}, "it does worse than picking either at random (30.0%;"),
        ({"overlap": 0.62}, "it does slightly better than picking either at random (62.0%;"),
        ({"gender": 0.83}, "mostly gets noun gender right (83.0%) until the article disappears (34.0%)."),
        ({"drops": [drop("phrase/new", 0.99, 0.5)]}, "until phrase/new is applied (50.0%)."),
        # A perturbation that helps is no loss.
        (
            {"drops": [drop("phrase/he-said", 0.5, 0.9, gained=0.4)]},
            "gets noun gender right (99.0%). No loss under perturbation was shown.",
        ),
    ],
)
def test_other_findings_give_another_sentence(changes: dict[str, Any], expected: str) -> None:
    assert expected in sentence(found(**changes))


@pytest.mark.parametrize(
    ("phenomenon", "changes", "interpretation"),
    [
        ("Noun gender", {}, "above chance, nearly always correct"),
        ("Noun gender", {"gender": 0.83}, "above chance, mostly correct"),
        # From 71.6 to 83.5: mostly correct is not shown, nor is often incorrect.
        ("Noun gender", {"gender": 0.78}, "above chance"),
        ("Noun gender", {"gender": 0.5}, "above chance, often incorrect"),
        ("Noun gender", {"gender": 0.33}, f"inconclusive against chance (needs about {needs(0.33)} more groups)"),
        ("Noun gender", {"gender": 0.3}, "not above chance"),
        ("Noun gender", {"gender": 0.1}, "below chance"),
        # 44.0% of 200, against one of two: up to 51.2%, so 5 pp more than chance are ruled out.
        ("Antecedent choice, lexical overlap", {}, "not above chance"),
        ("Antecedent choice, lexical overlap", {"overlap": 0.4}, "below chance"),
        ("Antecedent choice, lexical overlap", {"overlap": 0.95}, "above chance, nearly always correct"),
        (
            "  antecedent in the second clause",
            {"clauses": {"first": 0.1, "second": 0.83}},
            "above chance, mostly correct",
        ),
        ("  group score (all forms and orders)", {}, "below chance"),
        ("  group score (all forms and orders)", {"whole": 0.92}, "above chance"),
        ("  group score (all forms and orders)", {"whole": 1.0}, "above chance, mostly correct"),
        (
            "  group score (all forms and orders)",
            {"whole": 0.48},
            f"inconclusive against chance (needs about {needs(0.48, 0.5, GROUPS)} more groups)",
        ),
        ("Prior: subject or object", {}, "biased towards subject: subject 70.0%, object 30.0%"),
        (
            "Prior: subject or object",
            {"roles": {"object": 0.51, "subject": 0.49}},
            "inconclusive (needs about 60 more groups): object 51.0%, subject 49.0%",
        ),
        ("Prior: gender", {}, "biased towards neuter: neuter 80.0%, masculine 20.0%"),
        ("Noun gender, quoted context", {}, "loses 11.0 pp (22 items become incorrect)"),
        (
            "Noun gender, possessive without article (Marias Esel)",
            {},
            "loses 65.0 pp (130 items become incorrect)",
        ),
        (
            "Noun gender, phrase/x",
            {"drops": [drop("phrase/x", 0.9, 0.9)]},
            "robust: a loss of 5.0 pp or more is ruled out",
        ),
        (
            "Noun gender, phrase/x",
            {"drops": [drop("phrase/x", 0.5, 0.9, gained=0.4)]},
            "gains 40.0 pp (80 items become correct)",
        ),
        ("Noun gender, generation", {}, "often differs from scoring (same pronoun 68.0%)"),
        ("Noun gender, generation", {"same": 0.8}, "often differs from scoring (same pronoun 80.0%)"),
        ("Noun gender, generation", {"same": 0.96}, "agrees with scoring (same pronoun 96.0%)"),
        (
            "Noun gender, generation",
            {"same": 0.94},
            f"inconclusive (needs about {to_show(0.94, 0.9)} more groups): same pronoun 94.0%",
        ),
        ("Noun gender, no context", {}, "falls to chance: context is used; always neuter"),
        # A third of 200 may be more than chance: falling that far was not shown.
        ("Noun gender, no context", {"bare": 1 / 3}, "falls: context is used; always neuter"),
        ("Noun gender, no context", {"bare": 0.6, "bare_genders": {"m": 0.5, "f": 0.7}}, "falls: context is used"),
        (
            "Noun gender, no context",
            {"bare": 0.99, "bare_genders": {}},
            "a loss of 5.0 pp or more is ruled out: context is not used",
        ),
    ],
)
def test_interpretations(phenomenon: str, changes: dict[str, Any], interpretation: str) -> None:
    assert told(phenomenon, **changes).interpretation == interpretation


def test_a_gender_that_is_chosen_nearly_always_is_said_next_to_the_role() -> None:
    steps = found()
    (role, *_) = steps["de-priors"]
    gender = Preference("de/role-prior", "gender", ITEMS, {"n": share(0.9), "m": share(0.1)})
    steps["de-priors"][0] = msgspec.structs.replace(role, preferences=[*role.preferences, gender])
    line = next(line for line in told_lines(steps) if line.phenomenon == "Prior: subject or object")
    assert line.interpretation == "biased towards subject: subject 70.0%, object 30.0%; neuter 90.0%"


def test_a_perturbation_that_breaks_as_many_as_it_gains_is_not_robust() -> None:
    """Thirty of a hundred correct answers break while as many become correct: the accuracy stays, answers do not."""
    effect = drop("phrase/x", 0.5, 0.5, gained=0.15)
    assert (effect.broken, effect.gained, effect.difference) == (30, 30, 0.0)
    interpretation = told("Noun gender, phrase/x", drops=[effect]).interpretation
    possible = -100 * effect.interval[0]
    assert interpretation == (
        f"inconclusive (more groups at these rates would not decide): a loss of up to {possible:.1f} pp is possible"
    )


def test_a_loss_that_may_be_there_says_how_large_and_what_would_decide() -> None:
    """Four of 180 broke: by McNemar's exact test that is no loss (p = 0.125), and up to 5 pp are not ruled out."""
    effect = drop("phrase/x", 0.9, 0.88)
    assert effect.p == pytest.approx(binomtest(4, 4).pvalue)
    low, high = effect.interval
    assert low < -0.05
    shown = ceil(ITEMS * ((high + 0.02) / 0.02) ** 2) - ITEMS
    ruled_out = ceil(ITEMS * ((-0.02 - low) / 0.03) ** 2) - ITEMS
    assert told("Noun gender, phrase/x", drops=[effect]).interpretation == (
        f"inconclusive (needs about {min(shown, ruled_out)} more groups): "
        f"a loss of up to {-100 * low:.1f} pp is possible"
    )


def test_a_context_whose_use_is_open() -> None:
    difference = without_context(0.99, 0.97)
    low, high = difference.interval
    assert high > 0 > -0.05 > low
    shown = ceil(ITEMS * ((high + 0.02) / 0.02) ** 2) - ITEMS
    ruled_out = ceil(ITEMS * (max(-0.02 - low, high + 0.02) / 0.03) ** 2) - ITEMS
    line = told("Noun gender, no context", bare=0.97, bare_genders={})
    assert line.interpretation == (
        f"inconclusive (needs about {min(shown, ruled_out)} more groups): "
        f"a loss of up to {-100 * low:.1f} pp is possible"
    )


def test_the_loss_under_several_perturbations_is_corrected_for_all_of_them() -> None:
    """Six broken answers are a loss alone (p = 0.031), but not among two."""
    effect, other = drop("phrase/x", 0.9, 0.87), drop("phrase/y", 0.9, 0.9)
    assert effect.p == pytest.approx(binomtest(6, 6).pvalue)
    assert effect.p < 0.05 < 2 * effect.p
    assert told("Noun gender, phrase/x", drops=[effect]).interpretation == "loses 3.0 pp (6 items become incorrect)"
    assert told("Noun gender, phrase/x", drops=[effect, other]).interpretation.startswith("inconclusive (needs about ")


def test_group_scores_are_compared_with_one_guess_per_group() -> None:
    """Whoever answers group by group without understanding has half of them: guesses of each item are not the level."""
    scores = [line for line in told_lines(found()) if "group score" in line.phenomenon]
    assert [line.baseline for line in scores] == ["50.0 one guess per group"] * 4
    assert [line.items for line in scores] == [GROUPS] * 4
    assert scores[0].interval == exact(0, GROUPS)
    assert scores[0].interval[1] > 0.1, "no group of 25 correct is no proof that none ever is"


def test_the_table() -> None:
    table = summary(told_lines(found()))
    assert len(table.columns) == 6
    assert all(len(cells) == 6 for cells in table.rows)
    assert table.rows[0] == (
        "Noun gender", "200", "99.0", "96.4–99.9", "33.3 any pronoun", "above chance, nearly always correct",
    )  # fmt: skip
    prior_row = next(cells for cells in table.rows if cells[0].startswith("Prior"))
    assert prior_row[2:5] == ("–", "", "even split")
