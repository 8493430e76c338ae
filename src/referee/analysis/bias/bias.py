"""Gender and position bias: what a judge chooses beyond what is right.

As published (Wino-X, Appendix A.5): the Mann-Whitney U test of chosen against rejected alternatives, their values coded
as numbers, and the rank-biserial correlation. Beside it what needs no coding, and a test that knows of pairs and twins.
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
    """One value: how many alternatives have it, in how many items it is right and was chosen.

    `expected` is how often a judge without a bias, but as often right, chooses it on these items. Shares are of items,
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
    """The published measure: U of the chosen, two-sided `p`, and `rbc`, above zero where the chosen have higher codes.

    `rbc_expected` is that of a judge without a bias that is as often right; zero in a balanced set. `size` is that of
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
    """A feature in which alternatives differ; `items` were decided, `undecided` left out.

    `cramers_v` is the largest correlation with being chosen that any coding could give. `beyond` is the same against
    what is expected of this accuracy instead of against what was rejected; `size` is its size. `p` is the test to go
    by, None where it is `unassessed`. `biased_towards` is the value chosen most beyond expectation, if p is below 0.05.
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
    """Feature by feature; one in which nothing was decided is left out."""
    by_feature: dict[str, list[Decision]] = {}
    for case in cases:
        by_feature.setdefault(case.feature, []).append(case)
    return [
        found
        for feature in FEATURES
        if (found := _bias(feature, by_feature.get(feature, []), coding.get(feature, CODING.get(feature, ()))))
    ]


def _bias(feature: str, cases: Sequence[Decision], order: Sequence[str]) -> Bias | None:
    decided = [case for case in cases if case.choice is not None]
    if not decided:
        return None
    made = choices(decided, order)
    totals, redrawn = made.totals, made.redrawn()
    share = float(totals.chosen.sum() / totals.offered.sum())
    beyond = cramers_v(totals.chosen, totals.offered, totals.expected)
    size = size_of_r(beyond, share)
    apart = deviations(made)
    # Who never errs, or always, leaves nothing to look at in any item; who errs evenly does, and is without a bias.
    p = mean_is_zero(made.by_group(apart)) if np.abs(apart).max() > 1e-9 else None
    values = _values(made.values, totals, redrawn)
    most = max(values, key=lambda each: each.difference)
    return Bias(
        feature=feature,
        items=len(decided),
        undecided=len(cases) - len(decided),
        groups=int(made.groups.max()) + 1,
        accuracy=made.accuracy,
        published=_published(made.values, totals, redrawn),
        cramers_v=cramers_v(totals.chosen, totals.offered, share * totals.offered),
        beyond=beyond,
        size=size,
        p=p,
        unassessed=_unassessed(made) if p is None else None,
        biased_towards=most.value if p is not None and p < ALPHA else None,
        values=values,
    )


def deviations(made: Choices) -> Floats:
    """Chosen less expected, item by item.

    The accuracy is that of the same items, so that an item that is right also moves what is expected of all others.
    """
    moved = (made.right - made.wrong).mean(axis=0)
    expected = made.accuracy * made.right + (1 - made.accuracy) * made.wrong
    found: Floats = made.chosen - expected - np.outer(made.hit - made.accuracy, moved)
    return found


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
            offered=round(totals.offered[place]),
            right=round(totals.right[place]),
            chosen=round(totals.chosen[place]),
            expected=float(totals.expected[place]),
            right_share=float(totals.right[place]) / items,
            chosen_share=float(totals.chosen[place]) / items,
            expected_share=float(totals.expected[place]) / items,
            difference=float(totals.chosen[place] - totals.expected[place]) / items,
            interval=percentiles(differences[:, place]),
        )
        for place, value in enumerate(values)
    ]


def _unassessed(made: Choices) -> Unassessed:
    if made.hit.all():
        return "no_errors"
    if not made.hit.any() and (made.offered.sum(axis=1) == 2).all():
        return "all_incorrect"
    return "too_few_groups"
