"""The words follow from the numbers: other findings, other words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.analysis.accuracy import Findings, Row
from referee.analysis.bias.preferences import Preference
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import AttackEffect, Attacks
from referee.demo.plan import STEPS
from referee.demo.story import Line, lines, sentence, summary
from referee.stats.groups import GroupScore
from referee.stats.intervals import wilson
from referee.stats.proportions import Proportion

ITEMS = 200
CHANCE = {"de": 1 / 3, "fr": 1 / 2}


def row(key: str, accuracy: float, items: int = ITEMS) -> Row:
    hits = round(accuracy * items)
    sure = wilson(hits, items)
    return Row(key, items, hits, 0, hits / items, sure, sure)


def share(part: float) -> Proportion:
    hits = round(part * ITEMS)
    sure = wilson(hits, ITEMS)
    return Proportion(hits, part, sure, sure)


def finding(suite: str, accuracy: float | None, whole: float | None = None, **changes: Any) -> Findings:
    by = {name: [row(key, part) for key, part in parts.items()] for name, parts in changes.pop("by", {}).items()}
    group = None if whole is None else GroupScore(25, whole, (whole, whole))
    fields: dict[str, Any] = {
        "kind": "contrastive",
        "rule": None,
        "chance": CHANCE[suite[:2]],
        "overall": None if accuracy is None else row("all", accuracy),
        "by": by,
        "group": group,
        "without_gold": 0,
        "preferences": [],
    }
    return Findings(suite=suite, **(fields | changes))


def prior(suite: str, feature: str, **shares: float) -> Findings:
    kept = {value: share(part) for value, part in shares.items()}
    return finding(suite, None, preferences=[Preference(suite, feature, ITEMS, kept)])


def drop(name: str, before: float, after: float, p: float = 0.0001) -> AttackEffect:
    return AttackEffect(
        perturbation=name,
        kind="attack",
        suite=f"de/gender+{name}",
        pairs=ITEMS,
        unpaired=0,
        before=before,
        after=after,
        difference=after - before,
        interval=(after - before, after - before),
        broken=max(0, round((before - after) * ITEMS)),
        mended=max(0, round((after - before) * ITEMS)),
        p=p,
    )


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
        "bare": 1 / 3,
        "bare_genders": {"m": 0.0, "f": 0.0, "n": 1.0},
        "roles": {"subject": 0.7, "object": 0.3},
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
            finding("de/world-knowledge", 0.5, 0.3),
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


def told(phenomenon: str, **changes: Any) -> Line:
    return next(line for line in lines(found(**changes)) if line.phenomenon == phenomenon)


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
            {"overlap": 0.97, "whole": 0.9, "drops": [drop("phrase/he-said", 0.99, 0.98, p=0.6)]},
            "The pocket translator gets noun gender right (99.0%), with no significant loss under perturbation. "
            "With two candidate antecedents it picks the correct one (97.0%; group score 90.0%).",
        ),
        (
            {"gender": 0.4, "overlap": 0.8, "whole": 0.5},
            "The pocket translator often gets noun gender wrong (40.0%). "
            "With two candidate antecedents it mostly picks the correct one (80.0%; group score 50.0%).",
        ),
        (
            {"genders": {"m": 0.45, "f": 0.43}, "clauses": {"first": 0.1, "second": 0.8}},
            "its answers follow clause: 80.0% correct for antecedents in the second clause, 10.0% in the first.",
        ),
        ({"genders": {"m": 0.45, "f": 0.43}}, "at random (44.0%; group score 0.0%)."),
        ({"overlap": 0.3}, "it does worse than picking either at random (30.0%;"),
        ({"overlap": 0.62}, "it does slightly better than picking either at random (62.0%;"),
        ({"gender": 0.8}, "mostly gets noun gender right (80.0%) until the article disappears (34.0%)."),
        ({"drops": [drop("phrase/new", 0.99, 0.5)]}, "until phrase/new is applied (50.0%)."),
        # A perturbation that helps is no loss.
        ({"drops": [drop("phrase/he-said", 0.5, 0.9)]}, "(99.0%), with no significant loss under perturbation."),
    ],
)
def test_other_findings_give_another_sentence(changes: dict[str, Any], expected: str) -> None:
    assert expected in sentence(found(**changes))


@pytest.mark.parametrize(
    ("phenomenon", "changes", "interpretation"),
    [
        ("Noun gender", {}, "above chance, nearly always correct"),
        ("Noun gender", {"gender": 0.8}, "above chance, mostly correct"),
        ("Noun gender", {"gender": 0.5}, "above chance, often incorrect"),
        ("Noun gender", {"gender": 0.33}, "at chance"),
        ("Noun gender", {"gender": 0.1}, "below chance"),
        ("Antecedent choice, lexical overlap", {}, "at chance"),
        ("Antecedent choice, lexical overlap", {"overlap": 0.95}, "above chance, nearly always correct"),
        (
            "  antecedent in the second clause",
            {"clauses": {"first": 0.1, "second": 0.8}},
            "above chance, mostly correct",
        ),
        ("Prior: subject or object", {}, "biased towards subject (subject 70.0%, object 30.0%)"),
        (
            "Prior: subject or object",
            {"roles": {"object": 0.51, "subject": 0.49}},
            "not significant (object 51.0%, subject 49.0%)",
        ),
        ("Prior: gender", {}, "biased towards neuter (neuter 80.0%, masculine 20.0%)"),
        ("Noun gender, quoted context", {}, "loses 11.0 pp (22 items become incorrect)"),
        (
            "Noun gender, possessive without article (Marias Esel)",
            {},
            "loses 65.0 pp (130 items become incorrect)",
        ),
        ("Noun gender, phrase/x", {"drops": [drop("phrase/x", 0.9, 0.89, p=0.5)]}, "loss not significant"),
        (
            "Noun gender, phrase/x",
            {"drops": [drop("phrase/x", 0.5, 0.9)]},
            "gains 40.0 pp (80 items become correct)",
        ),
        ("Noun gender, generation", {}, "often differs from scoring (same pronoun 68.0%)"),
        ("Noun gender, generation", {"same": 0.8}, "mostly agrees with scoring (same pronoun 80.0%)"),
        ("Noun gender, generation", {"same": 0.95}, "agrees with scoring (same pronoun 95.0%)"),
        ("Noun gender, no context", {}, "falls to chance: context is used; always neuter"),
        ("Noun gender, no context", {"bare": 0.6, "bare_genders": {"m": 0.5, "f": 0.7}}, "falls: context is used"),
        (
            "Noun gender, no context",
            {"bare": 0.99, "bare_genders": {}},
            "loss not significant: little sign of context use",
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
    line = next(line for line in lines(steps) if line.phenomenon == "Prior: subject or object")
    assert line.interpretation == "biased towards subject (subject 70.0%, object 30.0%); neuter 90.0%"


def test_group_scores_are_compared_with_what_a_heuristic_gets() -> None:
    scores = [line for line in lines(found()) if "group score" in line.phenomenon]
    # Eight items per group: each noun is correct in turn. Where one noun is correct in all, a heuristic has half.
    assert [line.baseline for line in scores] == [
        "0.4 either noun",
        "50.0 one heuristic",
        "0.4 either noun",
        "50.0 one heuristic",
    ]
    assert scores[0].interval is not None
    assert scores[0].interval[1] > 0.1, "no group of 25 correct is no proof that none ever is"


def test_the_table() -> None:
    table = summary(lines(found()))
    assert len(table.columns) == 6
    assert all(len(cells) == 6 for cells in table.rows)
    assert table.rows[0] == (
        "Noun gender", "200", "99.0", "96.4–99.7", "33.3 chance level", "above chance, nearly always correct",
    )  # fmt: skip
    prior_row = next(cells for cells in table.rows if cells[0].startswith("Prior"))
    assert prior_row[2:5] == ("–", "", "even split")
