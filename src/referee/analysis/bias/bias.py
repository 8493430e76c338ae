"""Gender and position bias: what a model chooses more often than its accuracy explains.

As published (Wino-X, Appendix A.5): the Mann-Whitney U test of chosen against rejected candidates, their values as
ranks, and the rank-biserial correlation. Next to it a measure that needs no value order, and a test that keeps its
error rate. docs/diagnosis.md says why the published test reports biases of unbiased models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec
import numpy as np

from referee.analysis.bias.choice_counts import CODING, Choices, Totals, choices
from referee.analysis.bias.decisions import FEATURES, Decision
from referee.stats.effect_sizes import BENCHMARKS, Size, size_of_r, threshold
from referee.stats.intervals import Interval
from referee.stats.lean import Errors, Lean, lean
from referee.stats.rank import cramers_v, mann_whitney, rank_biserial

BiasOutcome = Literal["biased", "none", "inconclusive", "unassessed"]
"""A bias was shown; more than the margin was ruled out; neither. `unassessed`: one value is always correct."""


class ValueBias(msgspec.Struct, frozen=True, kw_only=True):
    """One value: how many candidates have it, in how many items it is correct and was chosen.

    `taken` is how often it is chosen where it is offered and incorrect, `left` how often it is not chosen where it is
    correct; an unbiased model has the same rate of both. `difference` is how much more often it is chosen than by an
    unbiased model, as a share of all items; `expected_share` is what such a model has. The interval and the one-sided
    `p` are corrected for the number of values and features that are tested.
    """

    value: str
    offered: int
    right: int
    chosen: int
    right_share: float
    chosen_share: float
    expected_share: float
    taken: float | None
    left: float | None
    difference: float
    interval: Interval
    p: float


class PublishedBias(msgspec.Struct, frozen=True, kw_only=True):
    """The published measure: U of the chosen, two-sided `p`, and `rbc`, above zero where the chosen have higher ranks.

    `rbc_expected` is that of a model without a bias that is as accurate; zero in a balanced set. `size` is that of
    `rbc` by the `thresholds` of Equation 11.
    """

    coding: list[str]
    u: float
    p: float
    rbc: float
    rbc_expected: float
    thresholds: dict[Size, float]
    size: Size


class Bias(msgspec.Struct, frozen=True, kw_only=True):
    """A feature in which candidates differ; `items` were decided, `undecided` left out.

    `cramers_v` is the largest correlation with being chosen that any value order could give. `beyond` is the same
    against what is expected at this accuracy instead of against what was rejected; `size` is its size. `outcome` is
    decided by the values' intervals; `biased_towards` is the value chosen most beyond expectation, if it is shown, and
    `more_groups` about how many more groups would decide.
    """

    feature: str
    items: int
    undecided: int
    groups: int
    accuracy: float
    published: PublishedBias
    cramers_v: float
    beyond: float
    size: Size
    p: float
    outcome: BiasOutcome
    biased_towards: str | None
    more_groups: int | None
    values: list[ValueBias]


def biases(cases: Iterable[Decision], coding: Mapping[str, Sequence[str]] = CODING) -> list[Bias]:
    """Measure the bias in each feature; one in which nothing was decided is left out."""
    by_feature: dict[str, list[Decision]] = {}
    for case in cases:
        by_feature.setdefault(case.feature, []).append(case)
    decided = {
        feature: having
        for feature in FEATURES
        if (having := [case for case in by_feature.get(feature, []) if case.choice is not None])
    }
    return [
        _bias(
            feature,
            choices(having, coding.get(feature, CODING.get(feature, ()))),
            cases=len(by_feature[feature]),
            features=len(decided),
        )
        for feature, having in decided.items()
    ]


def _bias(feature: str, counts: Choices, *, cases: int, features: int) -> Bias:
    totals = counts.totals
    share = float(totals.chosen.sum() / totals.offered.sum())
    beyond = cramers_v(totals.chosen, totals.offered, totals.expected)
    leans = value_leans(counts, features)
    most = max(leans, key=lambda value: (leans[value].is_found, leans[value].difference))
    outcome = outcome_of(list(leans.values()))
    return Bias(
        feature=feature,
        items=len(counts.hit),
        undecided=cases - len(counts.hit),
        groups=int(counts.groups.max()) + 1,
        accuracy=counts.accuracy,
        published=_published(counts.values, totals),
        cramers_v=cramers_v(totals.chosen, totals.offered, share * totals.offered),
        beyond=beyond,
        size=size_of_r(beyond, share),
        p=min(result.p for result in leans.values()),
        outcome=outcome,
        biased_towards=most if outcome == "biased" else None,
        more_groups=leans[most].more_groups if outcome == "inconclusive" else None,
        values=[_value(value, leans[value], index, totals) for index, value in enumerate(counts.values)],
    )


def value_leans(counts: Choices, features: int = 1) -> dict[str, Lean]:
    """Test each value for being chosen too often; `features` of the set are tested."""
    others = counts.offered.sum(axis=1, keepdims=True) - 1
    wrong = ((counts.offered > 0) & (counts.right == 0)).astype(np.float64)
    # A value that several incorrect candidates have is chosen by an error more often.
    taken = counts.chosen * wrong * others / np.maximum(counts.offered, 1)
    left = counts.right * (1 - counts.hit[:, None])
    columns = [counts.by_group(rows) for rows in (taken, wrong, left, counts.right)]
    most, tests = round(float(others.max())), features * len(counts.values)
    return {
        value: lean(Errors(*(column[:, index] for column in columns), most=most), len(counts.hit), tests)
        for index, value in enumerate(counts.values)
    }


def outcome_of(leans: Sequence[Lean]) -> BiasOutcome:
    """Decide by the tests of all values."""
    known = [result for result in leans if result.taken is not None and result.left is not None]
    if not known:
        return "unassessed"
    if any(result.is_found for result in known):
        return "biased"
    return "none" if all(result.is_excluded for result in known) else "inconclusive"


def _published(values: Sequence[str], totals: Totals) -> PublishedBias:
    u, p = mann_whitney(totals.chosen, totals.rejected)
    rbc = float(rank_biserial(totals.chosen, totals.rejected))
    share = float(totals.chosen.sum() / totals.offered.sum())
    return PublishedBias(
        coding=list(values),
        u=u,
        p=p,
        rbc=rbc,
        rbc_expected=float(rank_biserial(totals.expected, totals.offered - totals.expected)),
        thresholds={size: threshold(d, share) for d, size in BENCHMARKS},
        size=size_of_r(rbc, share),
    )


def _value(value: str, result: Lean, index: int, totals: Totals) -> ValueBias:
    items = float(totals.items[0])
    chosen = float(totals.chosen[index]) / items
    return ValueBias(
        value=value,
        offered=round(totals.offered[index]),
        right=round(totals.right[index]),
        chosen=round(totals.chosen[index]),
        right_share=float(totals.right[index]) / items,
        chosen_share=chosen,
        expected_share=chosen - result.difference,
        taken=result.taken,
        left=result.left,
        difference=result.difference,
        interval=result.interval,
        p=result.p,
    )
