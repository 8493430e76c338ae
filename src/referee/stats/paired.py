"""Two systems on the same items: their difference, its interval and test, and the minimum detectable difference.

Items of one group stand or fall together, so groups are what is tested, drawn again and counted. Where every item is
a group of its own, the test is McNemar's.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, sqrt
from statistics import NormalDist

import msgspec
import numpy as np

from referee.stats.chance import ALPHA
from referee.stats.groups import GroupIndex, group_sums
from referee.stats.intervals import SEED, Floats, Interval, bootstrap_mean, percentiles, resampled

POWER = 0.8
"""How often the minimum detectable difference is found."""

DRAWS = 10_000
"""How many times signs are drawn where sums are no whole numbers."""

MIN_GROUPS = 6
"""With fewer groups that changed, all in one direction, the exact test stays above 5%."""

_CELLS = 2_000_000
"""How many drawn counts are in memory at a time."""


class PairedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The same items scored twice: `base` and `other` are accuracies, `difference` is other less base.

    `p` is that of the sign-flip test over groups, `holm` the same corrected for all that was tested with it, `mcnemar`
    that of McNemar's exact test, which treats items as independent. `cohen_g` and `odds_ratio` are of the items that
    changed, positive and above 1 where more became correct; None where nothing changed, the ratio also where nothing
    became incorrect. `detectable` is the minimum detectable difference at 80% power, None where there is none.
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
    """The mean over suites, each with the same weight however many items it has; otherwise as in `PairedDifference`."""

    suites: int
    groups: int
    base: float
    other: float
    difference: float
    interval: Interval
    p: float
    detectable: float | None
    holm: float | None = None


def paired(base: Sequence[bool], other: Sequence[bool], groups: GroupIndex) -> PairedDifference:
    """Compare which items each system has correct; there is at least one item."""
    first, second = np.asarray(base, np.bool_), np.asarray(other, np.bool_)
    total = len(first)
    both, only_base, only_other = (
        int(np.count_nonzero(cases)) for cases in (first & second, first & ~second, second & ~first)
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


def mcnemar(broken: int, mended: int) -> float:
    """Compute the exact two-sided p of so uneven a split of the changed items, if both directions are as likely."""
    changed, fewer = broken + mended, min(broken, mended)
    ways = term = 1
    for count in range(fewer):
        term = term * (changed - count) // (count + 1)
        ways += term
    # Whole numbers to the end: no tail is too small to be added up.
    return min(1.0, 2 * ways / (1 << changed))


def sign_flip(sums: Floats) -> float:
    """Compute the two-sided p of the sum of the groups' sums, if each had either sign with the same chance.

    If two systems are equally good, either might have been the first. Exact where the sums are whole numbers,
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
    """Compute the minimum detectable difference: found (5%, two-sided) in 80% of cases among such items.

    From what each group adds to the difference, and what it would add if all groups were alike: (z of 97.5% + z of
    80%) times the standard error. Where hardly anything changed that says little, and there is a floor: so large that
    four times in five `MIN_GROUPS` groups or more change as much as those that changed do (where none did, as a whole),
    all in one direction. None where there are not even so many groups.
    """
    from scipy.special import betaincinv

    groups = len(parts)
    if groups < MIN_GROUPS:
        return None
    residuals = parts - expected
    error = sqrt(groups / (groups - 1) * float(residuals @ residuals))
    normal = NormalDist()
    seen = (normal.inv_cdf(1 - ALPHA / 2) + normal.inv_cdf(POWER)) * error
    changed = np.abs(parts[parts != 0])
    share = float(betaincinv(MIN_GROUPS, groups - MIN_GROUPS + 1, POWER))
    return max(seen, share * (groups * float(changed.mean()) if len(changed) else 1.0))


def macro_difference(
    base: Sequence[bool], other: Sequence[bool], suites: GroupIndex, groups: GroupIndex
) -> MacroDifference:
    """Compare the items of all suites, given the suite and the group of each; a group may span suites."""
    first, second = np.asarray(base, np.float64), np.asarray(other, np.float64)
    count, rows = int(suites.max()) + 1, int(groups.max()) + 1
    cells = groups * count + suites
    sums: Floats = np.bincount(cells, second - first, rows * count).reshape(rows, count).astype(np.float64)
    sizes = np.bincount(cells, minlength=rows * count).reshape(rows, count).astype(np.float64)
    present = sizes.any(axis=1)
    sums, sizes = sums[present], sizes[present]
    means = [np.bincount(suites, correct, count) / sizes.sum(axis=0) for correct in (first, second)]
    # What each group adds to the difference, and what it would add if all groups of a suite were alike.
    parts = (sums / sizes.sum(axis=0)).mean(axis=1)
    expected = (sizes * (means[1] - means[0]) / sizes.sum(axis=0)).mean(axis=1)
    return MacroDifference(
        suites=count,
        groups=len(sums),
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
    _, index = np.unique(sizes > 0, axis=0, return_inverse=True)
    strata = [rows[index.ravel() == number] for number in range(int(index.max()) + 1)]
    # Seeds of their own: strata are drawn independently of each other.
    drawn = np.sum([resampled(stratum, seed=SEED + number) for number, stratum in enumerate(strata)], axis=0)
    suites = sums.shape[1]
    return percentiles((drawn[:, :suites] / drawn[:, suites:]).mean(axis=1))
