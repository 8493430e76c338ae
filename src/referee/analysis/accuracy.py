"""Verdicts to findings: how often a model was right, overall, by what the items are, and group by group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from referee.analysis.bias.decisions import Decision, FeatureRates, decisions, tendencies
from referee.analysis.bias.preferences import Chosen, Preference, chosen, preferences
from referee.analysis.cross_lingual import CrossLingual
from referee.analysis.generation_agreement import Agreement
from referee.analysis.quality import Score
from referee.analysis.robustness import Attacks
from referee.items import Item, SetOrigin
from referee.stats.chance import chance_test, group_chances
from referee.stats.groups import GroupScore, group_score, index_groups
from referee.stats.intervals import Interval, wilson
from referee.stats.proportions import mean_interval
from referee.verdicts import Kind, Rule, Verdict

DIMENSIONS = ("label", "clause", "gender", "distance")
ANTECEDENT = "antecedent noun"
"""A breakdown of translations with their context: whether the noun that the pronoun stands for is in them."""


class Row(msgspec.Struct, frozen=True):
    """Accuracy over some items; ties, and outputs that hold none of the alternatives, are among the wrong ones."""

    key: str
    items: int
    correct: int
    tied: int
    accuracy: float
    wilson: Interval
    bootstrap: Interval
    other: int = 0


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What a run found on one suite, by one matching rule where outputs were matched.

    `p` is how likely guessing is right as often, or more. `preferences` is for items without gold: how often an
    alternative with a feature was chosen; `tendencies` for those with gold: how often against how often it is right.
    `quality` is that of the translations as a whole; it does not depend on the rule. `attacks` is what became of this
    suite's items under attack, `agreement` how these translations agree with the scores of the same run, `english` how
    the suite fares beside its English side; all where a run has them. `origin` names the suite it was made of.
    """

    suite: str
    kind: Kind
    rule: Rule | None
    chance: float | None
    overall: Row | None
    by: dict[str, list[Row]]
    group: GroupScore | None
    without_gold: int
    preferences: list[Preference]
    quality: list[Score] = []
    attacks: Attacks | None = None
    agreement: Agreement | None = None
    p: float | None = None
    tendencies: list[FeatureRates] = []
    english: CrossLingual | None = None
    origin: SetOrigin | None = None


@dataclass(frozen=True, slots=True)
class _Case:
    """The little that statistics need of an item with gold and its verdict."""

    correct: bool
    found: dict[Rule, bool]
    tied: bool
    other: bool
    group: str
    keys: tuple[str | None, ...]
    guess: float | None
    decisions: list[Decision]


def findings(
    suite: str,
    judged: Iterable[tuple[Item, Verdict]],
    rules: Sequence[Rule] = (),
    dimensions: tuple[str, ...] = DIMENSIONS,
) -> list[Findings]:
    """Accuracy over items with gold, preferences over those without; where forms were looked for, one a rule."""
    cases: list[_Case] = []
    without_gold: list[Chosen] = []
    kind: Kind = "contrastive"
    for item, verdict in judged:
        kind = verdict.kind
        if verdict.dropped is not None:
            continue
        if verdict.correct is None:
            without_gold.append(chosen(item, verdict))
            continue
        cases.append(_case(item, verdict, dimensions))
    # Where all was decided by alternatives there is no rule; where nothing was judged the rules show that.
    by_rule = kind == "generative" and (not (cases or without_gold) or any(case.found for case in cases))
    found = Findings(
        suite=suite,
        kind=kind,
        rule=None,
        chance=None,
        overall=None,
        by={},
        group=None,
        without_gold=len(without_gold),
        preferences=preferences(without_gold),
        tendencies=tendencies(decision for case in cases for decision in case.decisions),
    )
    names = (*dimensions, ANTECEDENT)
    return [_summary(found, rule, cases, names) for rule in (rules if by_rule else (None,))]


def _case(item: Item, verdict: Verdict, dimensions: tuple[str, ...]) -> _Case:
    used = None if verdict.antecedent is None else "used" if verdict.antecedent else "not used"
    return _Case(
        correct=bool(verdict.correct),
        found=verdict.found,
        tied=verdict.tied,
        other=not verdict.found and verdict.choice is None and not verdict.tied,
        group=item.group_id,
        keys=(*(dimension_of(item, dimension) for dimension in dimensions), used),
        guess=1 / len(verdict.scores) if verdict.scores else None,
        decisions=decisions(item, verdict),
    )


def _summary(found: Findings, rule: Rule | None, cases: list[_Case], names: tuple[str, ...]) -> Findings:
    if rule is not None:
        # An item that names no form was judged by its alternatives, whatever the rule.
        cases = [replace(case, correct=case.found.get(rule, case.correct)) for case in cases]
    guesses = _guesses(cases)
    known = chance_test(sum(case.correct for case in cases), guesses) if guesses else None
    return msgspec.structs.replace(
        found,
        rule=rule,
        chance=known.chance if known else None,
        p=known.p if known else None,
        overall=_row("all", cases) if cases else None,
        by={name: rows for place, name in enumerate(names) if (rows := _breakdown(cases, place))},
        group=_group(cases),
    )


def _guesses(cases: list[_Case]) -> list[float]:
    """How likely a guess is right, case by case; none where that is not known of all."""
    known = [case.guess for case in cases if case.guess is not None]
    return known if len(known) == len(cases) else []


def dimension_of(item: Item, dimension: str) -> str | None:
    """What an item is called in a breakdown: label, distance, number of candidates, or a feature of what is right."""
    if dimension == "label":
        return item.label
    if dimension == "perturbation":
        return None if item.origin is None else item.origin.change
    if dimension == "candidates":
        return str(len(item.candidates))
    if dimension == "distance":
        return None if item.distance is None else str(item.distance)
    feature = item.feature(dimension)
    # A pronoun at the start of a sentence is the same pronoun.
    return feature.lower() if feature is not None and dimension == "pronoun" else feature


def _breakdown(cases: list[_Case], place: int) -> list[Row]:
    parts: dict[str, list[_Case]] = {}
    for case in cases:
        if (key := case.keys[place]) is not None:
            parts.setdefault(key, []).append(case)
    return [_row(key, parts[key]) for key in sorted(parts, key=natural_order)]


def natural_order(key: str) -> tuple[int, str]:
    """Sorts words by letters and, after them, numbers by size."""
    return (int(key), "") if key.isdecimal() else (-1, key)


def _row(key: str, cases: list[_Case]) -> Row:
    hits = sum(case.correct for case in cases)
    return Row(
        key=key,
        items=len(cases),
        correct=hits,
        tied=sum(case.tied for case in cases),
        accuracy=hits / len(cases),
        wilson=wilson(hits, len(cases)),
        bootstrap=mean_interval([case.correct for case in cases], index_groups([case.group for case in cases])),
        other=sum(case.other for case in cases),
    )


def _group(cases: list[_Case]) -> GroupScore | None:
    groups = index_groups([case.group for case in cases])
    if len(set(groups.tolist())) == len(groups):
        return None
    score = group_score(np.fromiter((case.correct for case in cases), np.float64, len(cases)), groups)
    guesses = _guesses(cases)
    if not guesses:
        return score
    known = chance_test(round(score.score * score.groups), group_chances(guesses, groups))
    return msgspec.structs.replace(score, chance=known.chance, p=known.p)
