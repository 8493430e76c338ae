"""Gender and position bias: what a model chooses more often than its accuracy explains.

As published (Wino-X, Appendix A.5): the Mann-Whitney U test of chosen against rejected candidates, their values as
ranks, and the rank-biserial correlation. Next to it a measure that needs no value order, and a test of groups.
docs/diagnosis.md says why the published test finds a bias where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec
import numpy as np

from referee.analysis.bias.choice_counts import CODING, Choices, Totals, choices
from referee.analysis.bias.decisions import FEATURES, Decision
from referee.stats.chance import ALPHA
from referee.stats.effect_sizes import BENCHMARKS, Size, size_of_r, threshold
from referee.stats.hotelling import mean_is_zero
from referee.stats.intervals import Floats, Interval, percentiles
from referee.stats.rank import cramers_v, mann_whitney, rank_biserial

Unassessed = Literal["no_errors", "all_incorrect", "too_few_groups"]


class ValueBias(msgspec.Struct, frozen=True, kw_only=True):
    """One value: how many candidates have it, in how many items it is correct and was chosen.

    `expected` is how often a model without a bias, but as accurate, chooses it on these items. Shares are of items,
    `difference` is chosen less expected.
    """

    value: str
    offered: int
    right: int
    chosen: int
    expected: float
    right_share: float
    chosen_share: float
    expected_share: float
    difference: float
    interval: Interval


class PublishedBias(msgspec.Struct, frozen=True, kw_only=True):
    """The published measure: U of the chosen, two-sided `p`, and `rbc`, above zero where the chosen have higher ranks.

    `rbc_expected` is that of a model without a bias that is as accurate; zero in a balanced set. `size` is that of
    `rbc` by the `thresholds` of Equation 11.
    """

    coding: list[str]
    u: float
    p: float
    rbc: float
    interval: Interval
    rbc_expected: float
    thresholds: dict[Size, float]
    size: Size


class Bias(msgspec.Struct, frozen=True, kw_only=True):
    """A feature in which candidates differ; `items` were decided, `undecided` left out.

    `cramers_v` is the largest correlation with being chosen that any value order could give. `beyond` is the same
    against what is expected at this accuracy instead of against what was rejected; `size` is its size. `p` is the test
    to go by, None where it is `unassessed`. `biased_towards` is the value chosen most beyond expectation, if p < 0.05.
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
    p: float | None
    unassessed: Unassessed | None
    biased_towards: str | None
    values: list[ValueBias]


def biases(cases: Iterable[Decision], coding: Mapping[str, Sequence[str]] = CODING) -> list[Bias]:
    """Measure the bias in each feature; one in which nothing was decided is left out."""
    by_feature: dict[str, list[Decision]] = {}
    for case in cases:
        by_feature.setdefault(case.feature, []).append(case)
    return [
        bias
        for feature in FEATURES
        if (bias := _bias(feature, by_feature.get(feature, []), coding.get(feature, CODING.get(feature, ()))))
    ]


def _bias(feature: str, cases: Sequence[Decision], order: Sequence[str]) -> Bias | None:
    decided = [case for case in cases if case.choice is not None]
    if not decided:
        return None
    counts = choices(decided, order)
    totals, redrawn = counts.totals, counts.redrawn()
    share = float(totals.chosen.sum() / totals.offered.sum())
    beyond = cramers_v(totals.chosen, totals.offered, totals.expected)
    size = size_of_r(beyond, share)
    beyond_expected = deviations(counts)
    # A model that never errs, or always, deviates in no item; one that errs evenly does, and is without a bias.
    p = mean_is_zero(counts.by_group(beyond_expected)) if np.abs(beyond_expected).max() > 1e-9 else None
    values = _values(counts.values, totals, redrawn)
    most = max(values, key=lambda value: value.difference)
    return Bias(
        feature=feature,
        items=len(decided),
        undecided=len(cases) - len(decided),
        groups=int(counts.groups.max()) + 1,
        accuracy=counts.accuracy,
        published=_published(counts.values, totals, redrawn),
        cramers_v=cramers_v(totals.chosen, totals.offered, share * totals.offered),
        beyond=beyond,
        size=size,
        p=p,
        unassessed=_unassessed(counts) if p is None else None,
        biased_towards=most.value if p is not None and p < ALPHA else None,
        values=values,
    )


def deviations(counts: Choices) -> Floats:
    """Compute chosen less expected, item by item.

    The accuracy is that of the same items, so that a correct item also moves what is expected of all others.
    """
    moved = (counts.right - counts.wrong).mean(axis=0)
    expected = counts.accuracy * counts.right + (1 - counts.accuracy) * counts.wrong
    differences: Floats = counts.chosen - expected - np.outer(counts.hit - counts.accuracy, moved)
    return differences


def _published(values: Sequence[str], totals: Totals, redrawn: Totals) -> PublishedBias:
    u, p = mann_whitney(totals.chosen, totals.rejected)
    rbc = float(rank_biserial(totals.chosen, totals.rejected))
    share = float(totals.chosen.sum() / totals.offered.sum())
    return PublishedBias(
        coding=list(values),
        u=u,
        p=p,
        rbc=rbc,
        interval=percentiles(rank_biserial(redrawn.chosen, redrawn.rejected)),
        rbc_expected=float(rank_biserial(totals.expected, totals.offered - totals.expected)),
        thresholds={size: threshold(d, share) for d, size in BENCHMARKS},
        size=size_of_r(rbc, share),
    )


def _values(values: Sequence[str], totals: Totals, redrawn: Totals) -> list[ValueBias]:
    items = float(totals.items[0])
    differences = (redrawn.chosen - redrawn.expected) / redrawn.items
    return [
        ValueBias(
            value=value,
            offered=round(totals.offered[index]),
            right=round(totals.right[index]),
            chosen=round(totals.chosen[index]),
            expected=float(totals.expected[index]),
            right_share=float(totals.right[index]) / items,
            chosen_share=float(totals.chosen[index]) / items,
            expected_share=float(totals.expected[index]) / items,
            difference=float(totals.chosen[index] - totals.expected[index]) / items,
            interval=percentiles(differences[:, index]),
        )
        for index, value in enumerate(values)
    ]


def _unassessed(counts: Choices) -> Unassessed:
    if counts.hit.all():
        return "no_errors"
    if not counts.hit.any() and (counts.offered.sum(axis=1) == 2).all():
        return "all_incorrect"
    return "too_few_groups"
