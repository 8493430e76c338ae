"""How often a candidate with a feature was chosen against how often it was correct.

The counts behind Wino-X's Tables 4 and 14: an unbiased model that errs chooses each gender, and the noun that comes
first, as often as they are correct.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from referee.items import Item
from referee.stats.groups import index_groups
from referee.stats.intervals import Interval
from referee.stats.proportions import difference_interval
from referee.verdicts import Verdict

FEATURES = ("gender", "position", "formality", "animacy", "tense", "case")


class ChoiceRate(msgspec.Struct, frozen=True):
    """One value of a feature: of the items with a choice, in how many it was offered, correct and chosen.

    `difference` is the share chosen less the share correct.
    """

    value: str
    offered: int
    right: int
    chosen: int
    difference: float
    interval: Interval


class FeatureRates(msgspec.Struct, frozen=True):
    """A feature in which the candidates differ; `items` have it and were decided, `undecided` had no one choice."""

    feature: str
    items: int
    undecided: int
    values: list[ChoiceRate]


@dataclass(frozen=True, slots=True)
class Decision:
    """What is needed of an item with gold and its verdict: the values of a feature, by candidate."""

    feature: str
    values: tuple[str, ...]
    gold: int
    choice: int | None
    group: str


def decisions(item: Item, verdict: Verdict) -> list[Decision]:
    """List the features that all candidates have and that tell some of them apart, with the choice."""
    if item.gold is None:
        return []
    by_feature = []
    for feature in FEATURES:
        values = _shared(tuple([candidate.features.get(feature, "") for candidate in item.candidates]))
        if all(values) and len(set(values)) > 1:
            by_feature.append(Decision(feature, values, item.gold, verdict.choice, item.group_id))
    return by_feature


@lru_cache(maxsize=1024)
def _shared(values: tuple[str, ...]) -> tuple[str, ...]:
    """The same values of many items, kept once."""
    return values


def tendencies(cases: Iterable[Decision]) -> list[FeatureRates]:
    """Count choices feature by feature, value by value."""
    by_feature: dict[str, list[Decision]] = {}
    for case in cases:
        by_feature.setdefault(case.feature, []).append(case)
    return [_rates(feature, by_feature[feature]) for feature in FEATURES if feature in by_feature]


def _rates(feature: str, cases: Sequence[Decision]) -> FeatureRates:
    decided = [case for case in cases if case.choice is not None]
    offered = Counter(value for case in decided for value in set(case.values))
    values = [_rate(value, count, decided) for value, count in sorted(offered.items())]
    return FeatureRates(feature, len(decided), len(cases) - len(decided), values)


def _rate(value: str, offered: int, cases: Sequence[Decision]) -> ChoiceRate:
    right = [case.values[case.gold] == value for case in cases]
    chosen = [case.choice is not None and case.values[case.choice] == value for case in cases]
    differences = [float(took) - float(was) for took, was in zip(chosen, right, strict=True)]
    return ChoiceRate(
        value,
        offered,
        sum(right),
        sum(chosen),
        (sum(chosen) - sum(right)) / len(cases),
        difference_interval(differences, index_groups([case.group for case in cases])),
    )
