"""Verdicts to findings: how often a model was right, overall, by what the items are, and group by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from referee.analysis.groups import GroupScore, group_score, index_groups
from referee.analysis.intervals import Interval, bootstrap_mean, wilson
from referee.analysis.quality import Score
from referee.items import Item
from referee.verdicts import Kind, Rule, Verdict

DIMENSIONS = ("label", "gender", "distance")


class Row(msgspec.Struct, frozen=True):
    """Accuracy over some items; ties are counted among the wrong ones."""

    key: str
    items: int
    correct: int
    tied: int
    accuracy: float
    wilson: Interval
    bootstrap: Interval


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What a run found on one suite, by one matching rule where outputs were matched.

    `preferences` is for items without gold: how often an alternative with a feature was chosen. `quality` is that of
    the translations as a whole; it does not depend on the rule.
    """

    suite: str
    kind: Kind
    rule: Rule | None
    chance: float | None
    overall: Row | None
    by: dict[str, list[Row]]
    group: GroupScore | None
    without_gold: int
    preferences: dict[str, dict[str, int]]
    quality: list[Score] = []


@dataclass(frozen=True, slots=True)
class _Case:
    """The little that statistics need of an item with gold and its verdict."""

    correct: bool
    found: dict[Rule, bool]
    tied: bool
    group: str
    keys: tuple[str | None, ...]
    guess: float | None


def findings(
    suite: str,
    judged: Iterable[tuple[Item, Verdict]],
    rules: Sequence[Rule] = (),
    dimensions: tuple[str, ...] = DIMENSIONS,
) -> list[Findings]:
    """Accuracy over items with gold, preferences over those without; for outputs, one result a matching rule."""
    cases: list[_Case] = []
    preferences: dict[str, Counter[str]] = {}
    without_gold = 0
    kind: Kind = "contrastive"
    for item, verdict in judged:
        kind = verdict.kind
        if verdict.dropped is not None:
            continue
        if verdict.correct is None:
            without_gold += 1
            _count_preference(item, verdict, preferences)
            continue
        keys = tuple(dimension_of(item, dimension) for dimension in dimensions)
        guess = 1 / len(verdict.scores) if verdict.scores else None
        cases.append(_Case(verdict.correct, verdict.found, verdict.tied, item.group_id, keys, guess))
    chosen: Sequence[Rule | None] = rules if kind == "generative" else (None,)
    return [
        _summary(suite, kind, rule, cases, dimensions, without_gold, {k: dict(v) for k, v in preferences.items()})
        for rule in chosen
    ]


def _summary(
    suite: str,
    kind: Kind,
    rule: Rule | None,
    cases: list[_Case],
    dimensions: tuple[str, ...],
    without_gold: int,
    preferences: dict[str, dict[str, int]],
) -> Findings:
    if rule is not None:
        cases = [replace(case, correct=case.found[rule]) for case in cases]
    guesses = [case.guess for case in cases if case.guess is not None]
    return Findings(
        suite=suite,
        kind=kind,
        rule=rule,
        chance=float(np.mean(guesses)) if guesses else None,
        overall=_row("all", cases) if cases else None,
        by={name: rows for place, name in enumerate(dimensions) if (rows := _breakdown(cases, place))},
        group=_group(cases),
        without_gold=without_gold,
        preferences=preferences,
    )


def dimension_of(item: Item, dimension: str) -> str | None:
    """What an item is called in a breakdown: label, distance, number of candidates, or a feature of what is right."""
    if dimension == "label":
        return item.label
    if dimension == "candidates":
        return str(len(item.candidates))
    if dimension == "distance":
        return None if item.distance is None else str(item.distance)
    return item.feature(dimension)


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
    correct = np.fromiter((case.correct for case in cases), np.float64, len(cases))
    index, count = index_groups([case.group for case in cases])
    sums = np.bincount(index, correct, count).astype(np.float64)
    sizes = np.bincount(index, minlength=count).astype(np.float64)
    hits = int(correct.sum())
    return Row(
        key=key,
        items=len(cases),
        correct=hits,
        tied=sum(case.tied for case in cases),
        accuracy=hits / len(cases),
        wilson=wilson(hits, len(cases)),
        bootstrap=bootstrap_mean(sums, sizes),
    )


def _group(cases: list[_Case]) -> GroupScore | None:
    groups = [case.group for case in cases]
    if len(set(groups)) == len(groups):
        return None
    return group_score(np.fromiter((case.correct for case in cases), np.float64, len(cases)), groups)


def _count_preference(item: Item, verdict: Verdict, preferences: dict[str, Counter[str]]) -> None:
    chosen = {"choice": "tied"} if verdict.choice is None else item.candidates[verdict.choice].features
    for name, value in chosen.items():
        preferences.setdefault(name, Counter())[value] += 1
