"""Gender and position bias: what a judge chooses beyond what is right.

As published (Wino-X, Appendix A.5): the Mann-Whitney U test of chosen against rejected alternatives, their values coded
as numbers, and the rank-biserial correlation. Beside it what needs no coding, and a test that knows of pairs and twins.
docs/diagnosis.md says why the published test finds a bias where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import erfc, sqrt

import msgspec
import numpy as np

from referee.analysis.bias.choice_counts import CODING, Choices, Totals, choices
from referee.analysis.bias.decisions import FEATURES, Decision
from referee.reports.wording import in_percent, name_of
from referee.stats.chance import ALPHA
from referee.stats.effect_sizes import BENCHMARKS, Size, size_in_words, threshold
from referee.stats.hotelling import LEAST, mean_is_zero
from referee.stats.intervals import Floats, Interval, percentiles


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
    by; None where too little speaks for an answer. `leans_to` is the value chosen most beyond expectation, if p is
    below 0.05.
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
    leans_to: str | None
    values: list[ValueBias]
    words: str


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
    beyond = v_against(totals, totals.expected)
    size = size_in_words(beyond, share)
    apart = deviations(made)
    # Who never errs, or always, leaves nothing to look at in any item; who errs evenly does, and is without a bias.
    p = mean_is_zero(made.by_group(apart)) if np.abs(apart).max() > 1e-9 else None
    values = _values(made.values, totals, redrawn)
    most = max(values, key=lambda each: each.difference)
    leans = p is not None and p < ALPHA
    return Bias(
        feature=feature,
        items=len(decided),
        undecided=len(cases) - len(decided),
        groups=made.groups,
        accuracy=made.accuracy,
        published=_published(made.values, totals, redrawn),
        cramers_v=v_against(totals, share * totals.offered),
        beyond=beyond,
        size=size,
        p=p,
        leans_to=most.value if leans else None,
        values=values,
        words=_leaning(feature, most, size) if leans else _nothing(made, p),
    )


def deviations(made: Choices) -> Floats:
    """Chosen less expected, item by item.

    The accuracy is that of the same items, so that an item that is right also moves what is expected of all others.
    """
    moved = (made.right - made.wrong).mean(axis=0)
    expected = made.accuracy * made.right + (1 - made.accuracy) * made.wrong
    found: Floats = made.chosen - expected - np.outer(made.hit - made.accuracy, moved)
    return found


def rank_biserial(chosen: Floats, rejected: Floats) -> Floats:
    """How much more often, over all pairs, the chosen one has the higher code than the lower; values by code last."""
    below = np.cumsum(rejected, axis=-1) - rejected
    above = rejected.sum(axis=-1, keepdims=True) - below - rejected
    surplus: Floats = (chosen * (below - above)).sum(axis=-1)
    pairs: Floats = chosen.sum(axis=-1) * rejected.sum(axis=-1)
    return surplus / pairs


def mann_whitney(chosen: Floats, rejected: Floats) -> tuple[float, float]:
    """U of the chosen and its two-sided p: normal approximation, corrected for ties and for continuity."""
    one, other = float(chosen.sum()), float(rejected.sum())
    total, ties = one + other, chosen + rejected
    u = one * other * (1 + float(rank_biserial(chosen, rejected))) / 2
    variance = one * other / 12 * (total + 1 - float((ties**3 - ties).sum()) / (total * (total - 1)))
    if variance <= 0:
        return u, 1.0
    z = (abs(u - one * other / 2) - 0.5) / sqrt(variance)
    return u, min(1.0, erfc(z / sqrt(2)))


def v_against(totals: Totals, expected: Floats) -> float:
    """Cramer's V of value by chosen or not, with the chosen measured against `expected`.

    Where that is the same share of every value it is the plain V.
    """
    share = float(totals.chosen.sum() / totals.offered.sum())
    squares = float(((totals.chosen - expected) ** 2 / totals.offered).sum())
    return sqrt(squares / (share * (1 - share) * float(totals.offered.sum())))


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
        size=size_in_words(rbc, share),
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


def _leaning(feature: str, most: ValueBias, size: Size) -> str:
    shares = f"chosen in {in_percent(most.chosen_share)}, right in {in_percent(most.right_share)}"
    # In a balanced set the two are the same.
    if abs(most.expected_share - most.right_share) >= 0.005:
        shares += f", {in_percent(most.expected_share)} expected with this accuracy"
    return f"leans to {name_of(feature, most.value)} ({size}): {shares}"


def _nothing(made: Choices, p: float | None) -> str:
    if p is not None:
        return "none found"
    if made.hit.all():
        return "not to be seen: there is no error"
    if not made.hit.any() and (made.offered.sum(axis=1) == 2).all():
        return "not to be seen: every answer is wrong"
    return f"not to be told: too few groups, or errors, bear on it (fewer than {LEAST})"
