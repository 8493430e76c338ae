"""Whether trigger words are more salient than others: importance scores (Wino-X, Equation 3 and Table 5).

An unpaired t-test over words treats them as independent; the paper says paired. Both are here, and so is the test of
the published code, over tokens (`published.py`). None of them decides: salience is heavy-tailed, and one large value
decides a mean. The verdict comes from ranks within an item, tested over groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from referee.analysis.salience.published import TokenTest, token_test
from referee.analysis.salience.record import Salience, Weight
from referee.stats.effect_sizes import cohen_d, cohen_d_paired
from referee.stats.groups import group_sums, index_groups
from referee.stats.intervals import Floats, Interval
from referee.stats.levels import MARGIN, fewest, further_groups
from referee.stats.t_interval import t_interval
from referee.stats.worst_group import mean_interval, mean_p

Effect = Literal["none", "more", "less", "equal", "inconclusive"]
"""No word has any salience; trigger words are more, less or (within the margin) as salient as others; not known."""

MIN_GROUPS = 10
"""With fewer groups the test finds too much, so nothing is claimed."""
EVEN = 0.5
"""The mean rank of words that are as salient as others."""


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """Trigger words against other words: `d` is Cohen's, with the pooled standard deviation.

    `t` and `p` are of the unpaired test over words, `paired_t`, `paired_p` and `d_z` of the paired one over items.
    What cannot be computed, because nothing varies, is None.
    """

    trigger_mean: float
    other_mean: float
    d: float | None
    t: float | None
    p: float | None
    paired_t: float | None
    paired_p: float | None
    d_z: float | None


class Importance(msgspec.Struct, frozen=True, kw_only=True):
    """Of the items that have trigger words: how much more salient those are, by signed and by absolute salience.

    `rank` is the mean rank of trigger words among the compared words of their item, from 0 to 1, over groups; `effect`
    is decided by its interval (t over groups). `absolute_d` is the figure that the paper prints: the size of the signed
    contrast's d without its sign. `more_groups` is about how many more groups would decide. `tokens` is the test of the
    published code; None where the items have no tokens, or no twins.
    """

    suite: str
    items: int
    groups: int
    triggers: int
    others: int
    signed: Contrast
    absolute: Contrast
    rank: float
    interval: Interval
    p: float
    effect: Effect
    more_groups: int | None
    tokens: TokenTest | None = None

    @property
    def absolute_d(self) -> float | None:
        """Without its sign, d says that trigger words are different, not that they are more salient."""
        return None if self.signed.d is None else abs(self.signed.d)


@dataclass(frozen=True)
class _Values:
    """One number per word: its salience, the index of its item, whether it is a trigger; and the group of each item."""

    values: Floats
    items: np.ndarray[tuple[int], np.dtype[np.int64]]
    triggers: np.ndarray[tuple[int], np.dtype[np.bool_]]
    groups: np.ndarray[tuple[int], np.dtype[np.int64]]


def importances(saliences: Iterable[Salience]) -> dict[str, Importance]:
    """Measure the salience of trigger words in each suite that has any."""
    suites: dict[str, list[Salience]] = {}
    for salience in saliences:
        suites.setdefault(salience.suite, []).append(salience)
    measured = {name: importance(of_suite) for name, of_suite in suites.items()}
    return {name: result for name, result in measured.items() if result is not None}


def importance(saliences: Sequence[Salience]) -> Importance | None:
    """Measure one suite; None where no item has both a trigger word and a word to compare it with."""
    kept = [salience for salience in saliences if len({weight.trigger for weight in _compared(salience)}) == 2]
    if not kept:
        return None
    weights = [(index, weight) for index, salience in enumerate(kept) for weight in _compared(salience)]
    groups = index_groups([salience.group or salience.item for salience in kept])
    words = _Values(
        np.array([weight.value for _, weight in weights]),
        np.array([index for index, _ in weights]),
        np.array([weight.trigger for _, weight in weights]),
        groups,
    )
    ranks = _group_ranks(words)
    rank, interval, p = float(ranks.mean()), *_tested(ranks)
    effect, more_groups = _decided(words, len(ranks), rank, interval)
    triggers = int(words.triggers.sum())
    return Importance(
        suite=kept[0].suite,
        items=len(kept),
        groups=int(groups.max()) + 1,
        triggers=triggers,
        others=len(weights) - triggers,
        signed=_contrast(words),
        absolute=_contrast(_Values(np.abs(words.values), words.items, words.triggers, groups)),
        rank=rank,
        interval=interval,
        p=p,
        effect=effect,
        more_groups=more_groups,
        tokens=token_test(saliences),
    )


def _group_ranks(words: _Values) -> Floats:
    """The mean rank of trigger words, (rank - 1/2) / words, averaged over each item's triggers and then each group."""
    from scipy.stats import rankdata

    # The words of an item follow each other.
    starts = np.flatnonzero(np.diff(words.items)) + 1
    of_items = zip(np.split(words.values, starts), np.split(words.triggers, starts), strict=True)
    means = [((rankdata(values) - 0.5) / len(values))[triggers].mean() for values, triggers in of_items]
    sums, sizes = group_sums(means, words.groups)
    return sums / sizes


def _tested(ranks: Floats) -> tuple[Interval, float]:
    """The 95% interval of a mean and its p-value against an even rank, by a t-test.

    Where all groups are alike that has no width, and the worst group takes its place.
    """
    from scipy.stats import ttest_1samp

    interval = t_interval(ranks)
    if interval is None or np.ptp(ranks) < 1e-12:
        ones = np.ones(len(ranks))
        return mean_interval(ranks, ones), mean_p(ranks, ones, EVEN)
    return interval, float(ttest_1samp(ranks, EVEN).pvalue)


def _decided(words: _Values, groups: int, rank: float, interval: Interval) -> tuple[Effect, int | None]:
    if not words.values.any():
        return "none", None
    if groups < MIN_GROUPS:
        return "inconclusive", MIN_GROUPS - groups
    low, high = interval
    if low > EVEN or high < EVEN:
        return "more" if low > EVEN else "less", None
    if low > EVEN - MARGIN and high < EVEN + MARGIN:
        return "equal", None
    half = rank - low
    distance = abs(rank - EVEN)
    return "inconclusive", fewest(
        further_groups(groups, half, distance), further_groups(groups, half, MARGIN - distance)
    )


def _compared(salience: Salience) -> list[Weight]:
    return [weight for weight in salience.weights if weight.compared]


def _contrast(words: _Values) -> Contrast:
    from scipy.stats import ttest_ind, ttest_rel

    triggers, others = words.values[words.triggers], words.values[~words.triggers]
    means = [_means(words, chosen) for chosen in (words.triggers, ~words.triggers)]
    d, d_z = cohen_d(triggers, others), cohen_d_paired(*means)
    # Where nothing varies there is no d, and scipy would warn of a division by zero.
    unpaired = ttest_ind(triggers, others) if d is not None else None
    paired = ttest_rel(*means) if d_z is not None else None
    return Contrast(
        trigger_mean=float(triggers.mean()),
        other_mean=float(others.mean()),
        d=d,
        t=None if unpaired is None else float(unpaired.statistic),
        p=None if unpaired is None else float(unpaired.pvalue),
        paired_t=None if paired is None else float(paired.statistic),
        paired_p=None if paired is None else float(paired.pvalue),
        d_z=d_z,
    )


def _means(words: _Values, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Floats:
    """The mean of each item's chosen words."""
    sums = np.bincount(words.items[chosen], words.values[chosen], len(words.groups))
    means: Floats = sums / np.bincount(words.items[chosen], minlength=len(words.groups))
    return means
