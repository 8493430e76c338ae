"""Whether trigger words are more salient than others: importance scores (Wino-X, Equation 3 and Table 5).

The published code treats all words as independent (unpaired t-test); the paper says paired. Both are here. The paired
test looks at items: the mean of an item's trigger words against that of the words they are compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from referee.analysis.salience.record import Salience, Weight
from referee.stats.chance import ALPHA
from referee.stats.effect_sizes import cohen_d, cohen_d_paired, size_of_d
from referee.stats.groups import index_groups
from referee.stats.intervals import RESAMPLES, Floats, Interval, percentiles, resampled

Effect = Literal["none", "negligible", "inconclusive", "less", "more"]


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """Trigger words against other words: `d` is Cohen's, with the pooled standard deviation, and its `interval`.

    `t` and `p` are of the unpaired test over words, `paired_t`, `paired_p` and `d_z` of the paired one over items.
    What cannot be computed, because nothing varies, is None.
    """

    trigger_mean: float
    other_mean: float
    d: float | None
    interval: Interval | None
    t: float | None
    p: float | None
    paired_t: float | None
    paired_p: float | None
    d_z: float | None


class Importance(msgspec.Struct, frozen=True, kw_only=True):
    """Of the items that have trigger words: how much more salient those are, by signed and by absolute salience.

    `absolute_d` is the figure that the paper prints: the size of the signed contrast's d without its sign. `effect` is
    that of the signed contrast; "none" where no word has any salience.
    """

    suite: str
    items: int
    groups: int
    triggers: int
    others: int
    signed: Contrast
    absolute: Contrast
    effect: Effect

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


def importance(saliences: Sequence[Salience], resamples: int = RESAMPLES) -> Importance | None:
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
    signed = _contrast(words, resamples)
    absolute = _contrast(_Values(np.abs(words.values), words.items, words.triggers, groups), resamples)
    triggers = int(words.triggers.sum())
    return Importance(
        suite=kept[0].suite,
        items=len(kept),
        groups=int(groups.max()) + 1,
        triggers=triggers,
        others=len(weights) - triggers,
        signed=signed,
        absolute=absolute,
        effect=effect_of(signed),
    )


def effect_of(contrast: Contrast) -> Effect:
    """Classify a contrast by Cohen's benchmarks and the paired test."""
    if contrast.d is None:
        return "none"
    if size_of_d(contrast.d) == "negligible":
        return "negligible"
    if contrast.paired_p is None or contrast.paired_p >= ALPHA:
        return "inconclusive"
    return "less" if contrast.d < 0 else "more"


def _compared(salience: Salience) -> list[Weight]:
    return [weight for weight in salience.weights if weight.compared]


def _contrast(words: _Values, resamples: int) -> Contrast:
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
        interval=_interval(words, resamples) if d is not None else None,
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


def _interval(words: _Values, resamples: int) -> Interval | None:
    """Of d, when whole groups are drawn again; of each group only counts, sums and sums of squares are needed."""
    # Less their mean, so that sums of squares stay exact.
    values = words.values - words.values.mean()
    group = words.groups[words.items]
    columns = [
        np.bincount(group[chosen], values[chosen] ** power, int(words.groups.max()) + 1)
        for chosen in (words.triggers, ~words.triggers)
        for power in (0, 1, 2)
    ]
    drawn = _from_moments(resampled(np.stack(columns, axis=1), resamples=resamples))
    # A draw in which nothing varies has no d.
    drawn = drawn[np.isfinite(drawn)]
    return percentiles(drawn) if len(drawn) else None


def _from_moments(moments: Floats) -> Floats:
    """Cohen's d from the counts, sums and sums of squares of trigger words and of other words."""
    counts, sums, squares = moments[:, [0, 3]], moments[:, [1, 4]], moments[:, [2, 5]]
    means = sums / counts
    within = np.maximum(0.0, squares - counts * means**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        d: Floats = (means[:, 0] - means[:, 1]) / np.sqrt(within / (counts.sum(axis=1) - 2))
    return d
