"""Two judges on the same items: their difference, how sure it is, and how small a one could have been seen.

Items of one group stand or fall together, so groups are what is tested, drawn again and counted. Where every item is
a group of its own, the test is McNemar's.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import asin, sqrt
from statistics import NormalDist

import msgspec
import numpy as np

from referee.analysis.robustness import mcnemar
from referee.stats.chance import ALPHA
from referee.stats.groups import index_groups
from referee.stats.intervals import SEED, Floats, Interval, bootstrap_mean, percentiles, resampled

POWER = 0.8
"""How often a difference that a set "could show" is found."""

DRAWS = 10_000
"""How many times signs are drawn where sums are no whole numbers."""

FEWEST = 6
"""With fewer groups that changed, all in one direction, the exact test stays above 5 %."""

_CELLS = 2_000_000
"""How many drawn counts are in memory at a time."""


class PairedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The same items judged twice: `base` and `other` are the shares that are right, `difference` other less base.

    `p` is that of the sign-flip test over groups, `holm` the same among all that was tested with it, `mcnemar` that of
    McNemar's exact test, which takes items for independent. `cohen_g` and `odds_ratio` are of the items that changed,
    positive and above 1 where more changed to right; null where nothing changed, the ratio also where nothing changed
    to wrong. `detectable` is the smallest difference that is found four times in five, null where none ever is.
    """

    items: int
    groups: int
    base: float
    other: float
    difference: float
    interval: Interval
    both_right: int
    only_base: int
    only_other: int
    both_wrong: int
    p: float
    mcnemar: float
    cohen_g: float | None
    odds_ratio: float | None
    cohen_h: float
    detectable: float | None
    holm: float | None = None


class MacroDifference(msgspec.Struct, frozen=True, kw_only=True):
    """Several suites in one figure: the mean over suites, each counting the same however many items it has.

    Groups with the same name in several suites (translations of one set) are one group. Otherwise as in `Paired`.
    """

    suites: list[str]
    groups: int
    base: float
    other: float
    difference: float
    interval: Interval
    p: float
    detectable: float | None
    holm: float | None = None


def paired(base: Sequence[bool], other: Sequence[bool], groups: Sequence[Hashable]) -> PairedDifference:
    """Who was right on each item, and the group of each; there is at least one item."""
    first, second = np.asarray(base, np.bool_), np.asarray(other, np.bool_)
    total = len(first)
    both, only_base, only_other = (
        int(np.count_nonzero(each)) for each in (first & second, first & ~second, second & ~first)
    )
    sums, sizes = group_sums(second.astype(np.float64) - first, groups)
    shares = (both + only_base) / total, (both + only_other) / total
    changed = only_base + only_other
    return PairedDifference(
        items=total,
        groups=len(sums),
        base=shares[0],
        other=shares[1],
        difference=(only_other - only_base) / total,
        interval=bootstrap_mean(sums, sizes),
        both_right=both,
        only_base=only_base,
        only_other=only_other,
        both_wrong=total - both - changed,
        p=sign_flip(sums),
        mcnemar=mcnemar(only_base, only_other),
        cohen_g=only_other / changed - 0.5 if changed else None,
        odds_ratio=only_other / only_base if only_base else None,
        cohen_h=2 * asin(sqrt(shares[1])) - 2 * asin(sqrt(shares[0])),
        detectable=detectable(sums / total, sizes * (only_other - only_base) / total**2),
    )


def group_sums(differences: Floats, groups: Sequence[Hashable]) -> tuple[Floats, Floats]:
    """For each group the sum of its items' differences, and how many items it has."""
    index, count = index_groups(groups)
    sums = np.bincount(index, differences, count).astype(np.float64)
    return sums, np.bincount(index, minlength=count).astype(np.float64)


def sign_flip(sums: Floats) -> float:
    """How likely the groups' sums add up to so much, either way, if each had either sign with the same chance.

    If two judges are as good as each other, either might have been the first. Exact where the sums are whole numbers,
    else with signs drawn `DRAWS` times. Nothing is assumed about what happens within a group.
    """
    sizes, counts = np.unique(np.abs(sums[sums != 0]), return_counts=True)
    total = abs(float(sums.sum()))
    if np.array_equal(sizes, np.rint(sizes)):
        return _exact([int(size) for size in sizes], counts.tolist(), round(total))
    return _drawn(sizes, counts, total)


def _exact(sizes: Sequence[int], counts: Sequence[int], total: int) -> float:
    """Groups with sums of the same size are exchangeable: how many of them are negative is binomial."""
    chances = np.ones(1)
    # Place n of `chances`: how likely the negative sums add up to -n. Largest counts first, while this is short.
    for count, size in sorted(zip(counts, sizes, strict=True), reverse=True):
        wider = np.zeros(len(chances) + count * size)
        of_count = _halves(count)
        for negative in np.flatnonzero(of_count).tolist():
            start = negative * size
            wider[start : start + len(chances)] += of_count[negative] * chances
        chances = wider
    # The total is the sum of all sizes less twice that of the negative ones, and as likely as its opposite.
    most = (len(chances) - 1 - total) // 2
    return min(1.0, 2 * float(chances[: most + 1].sum()))


def _halves(count: int) -> Floats:
    """How likely 0 to `count` of so many coins show heads."""
    from scipy.special import gammaln

    heads = np.arange(count + 1)
    logs: Floats = gammaln(count + 1) - gammaln(heads + 1) - gammaln(count - heads + 1) - count * np.log(2)
    return np.exp(logs)


def _drawn(sizes: Floats, counts: np.ndarray[tuple[int], np.dtype[np.int64]], total: float) -> float:
    draws = np.random.default_rng(SEED)
    hits = 0
    step = max(1, _CELLS // len(sizes))
    for start in range(0, DRAWS, step):
        negative = draws.binomial(counts, 0.5, size=(min(step, DRAWS - start), len(counts)))
        # What is equal but for rounding is as extreme.
        hits += int(np.count_nonzero(np.abs((counts - 2 * negative) @ sizes) >= total * (1 - 1e-9)))
    # What was observed is one of the draws: no p-value of zero.
    return (hits + 1) / (DRAWS + 1)


def detectable(parts: Floats, expected: Floats) -> float | None:
    """The smallest difference that would be found (5 %, two-sided) four times in five among such items.

    From what each group adds to the difference, and what it would add if all groups were alike: (z of 97.5 % + z of
    80 %) times the standard error. Where hardly anything changed that says little, and there is a floor: so large that
    four times in five `FEWEST` groups or more change as much as those that changed do (where none did, as a whole),
    all in one direction. None where there are not even so many groups.
    """
    from scipy.special import betaincinv

    groups = len(parts)
    if groups < FEWEST:
        return None
    residuals = parts - expected
    error = sqrt(groups / (groups - 1) * float(residuals @ residuals))
    normal = NormalDist()
    seen = (normal.inv_cdf(1 - ALPHA / 2) + normal.inv_cdf(POWER)) * error
    changed = np.abs(parts[parts != 0])
    share = float(betaincinv(FEWEST, groups - FEWEST + 1, POWER))
    return max(seen, share * (groups * float(changed.mean()) if len(changed) else 1.0))


def mean_of_suites(suites: Sequence[tuple[str, Sequence[bool], Sequence[bool], Sequence[Hashable]]]) -> MacroDifference:
    """Of each suite its name, who was right on each item, and the group of each item."""
    count = len(suites)
    index, groups = index_groups([group for *_, own in suites for group in own])
    place = index * count + np.repeat(np.arange(count), [len(own) for *_, own in suites])
    right = [np.concatenate([np.asarray(suite[which], np.float64) for suite in suites]) for which in (1, 2)]
    sums: Floats = np.bincount(place, right[1] - right[0], groups * count).reshape(groups, count).astype(np.float64)
    sizes = np.bincount(place, minlength=groups * count).reshape(groups, count).astype(np.float64)
    means = [np.bincount(place % count, each, count) / sizes.sum(axis=0) for each in right]
    # What each group adds to the difference, and what it would add if all groups of a suite were alike.
    parts = (sums / sizes.sum(axis=0)).mean(axis=1)
    expected = (sizes * (means[1] - means[0]) / sizes.sum(axis=0)).mean(axis=1)
    return MacroDifference(
        suites=[name for name, *_ in suites],
        groups=groups,
        base=float(means[0].mean()),
        other=float(means[1].mean()),
        difference=float((means[1] - means[0]).mean()),
        interval=_stratified(sums, sizes),
        p=sign_flip(parts),
        detectable=detectable(parts, expected),
    )


def _stratified(sums: Floats, sizes: Floats) -> Interval:
    """Percentile interval of the mean of `sums / sizes` over columns; rows are drawn among those with their columns."""
    rows = np.hstack([sums, sizes])
    _, stratum = np.unique(sizes > 0, axis=0, return_inverse=True)
    strata = [rows[stratum.ravel() == number] for number in range(int(stratum.max()) + 1)]
    # Seeds of their own: strata are drawn independently of each other.
    drawn = np.sum([resampled(own, seed=SEED + number) for number, own in enumerate(strata)], axis=0)
    suites = sums.shape[1]
    return percentiles((drawn[:, :suites] / drawn[:, suites:]).mean(axis=1))
