"""Whether choices are biased towards a value: how often it is taken where incorrect, and left where correct.

An unbiased model errs as often where a value is correct (and leaves it) as where it is not (and takes it), whatever its
accuracy and however rare the value. The two error rates are melded (Fay, Proschan and Brittain 2015), each with a worst
group of its own; groups that bear on both share their weight. For single items this is Fisher's exact test.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import msgspec
import numpy as np

from referee.stats.intervals import SEED, Floats, Interval
from referee.stats.levels import ALPHA, MARGIN, fewest, further_groups

MIN_GROUPS = 10
"""With fewer groups the test finds too much, so nothing is claimed."""
DRAWS = 10_000


@dataclass(frozen=True)
class Errors:
    """One value, group by group: `taken` where it is `offered` and incorrect, `left` where it is `right`.

    An error chooses any of the incorrect candidates, so `taken` counts as many times as an item has of them, at most
    `most` times.
    """

    taken: Floats
    offered: Floats
    left: Floats
    right: Floats
    _: KW_ONLY
    most: int = 1

    @property
    def columns(self) -> Floats:
        """One row per group."""
        return np.stack([self.taken, self.offered, self.left, self.right], axis=1)


class Lean(msgspec.Struct, frozen=True, kw_only=True):
    """The two error rates of a value, and how much more often it is chosen than by an unbiased model: `difference`.

    `difference` is a share of all items. `interval` and the one-sided `p` are corrected for the number of tests: `p`
    is below 0.05 where the interval lies above zero. Rates are None where no item bears on them, and then nothing can
    be said. `more_groups` is about how many more groups would decide.
    """

    groups: int
    taken: float | None
    left: float | None
    difference: float
    interval: Interval
    p: float
    more_groups: int | None

    @property
    def is_found(self) -> bool:
        """Whether the value is chosen too often."""
        return self.groups >= MIN_GROUPS and self.p < ALPHA

    @property
    def is_excluded(self) -> bool:
        """Whether more than the margin, in either direction, is ruled out."""
        return self.groups >= MIN_GROUPS and self.interval[0] > -MARGIN and self.interval[1] < MARGIN


def lean(errors: Errors, items: int, tests: int) -> Lean:
    """Test one value in a set of `items` items; `tests` is the number of values that are tested together."""
    taken, offered, left, right = errors.columns.sum(axis=0).tolist()
    groups = int(np.count_nonzero(errors.offered + errors.right))
    if not offered or not right:
        rates = taken / offered if offered else None, left / right if right else None
        return Lean(
            groups=groups,
            taken=rates[0],
            left=rates[1],
            difference=0.0,
            interval=(-1.0, 1.0),
            p=1.0,
            more_groups=None,
        )
    # In a set with two candidates per item this is exactly chosen less expected at the same accuracy.
    scale = (1 + 1 / errors.most) * offered * right / ((offered + right) * items)
    low, high = _melded(errors)
    tail = ALPHA / tests
    bounds = (
        scale * float(np.quantile(low, tail, method="lower")),
        scale * float(np.quantile(high, 1 - tail, method="higher")),
    )
    difference = scale * (taken / offered - left / right)
    return Lean(
        groups=groups,
        taken=taken / offered,
        left=left / right,
        difference=difference,
        interval=bounds,
        p=min(1.0, tests * float(np.count_nonzero(low <= 0)) / DRAWS),
        more_groups=_more_groups(groups, difference, bounds, varies=bool(taken or left)),
    )


def _more_groups(groups: int, difference: float, bounds: Interval, *, varies: bool) -> int | None:
    """About how many groups show the bias, or rule one out."""
    found = further_groups(groups, difference - bounds[0], difference)
    widest = max(difference - bounds[0], bounds[1] - difference)
    excluded = further_groups(groups, widest, MARGIN - abs(difference), varies=varies)
    fewer = fewest(found, excluded)
    return None if fewer is None else max(MIN_GROUPS - groups, fewer)


def _melded(errors: Errors) -> tuple[Floats, Floats]:
    """Draws of taken less left, as low and as high as the worst groups make them."""
    kinds, counts = np.unique(errors.columns, axis=0, return_counts=True)
    draws = np.random.default_rng(SEED)
    weights = draws.standard_gamma(counts, (DRAWS, len(counts)))
    taken, offered, left, right = (weights @ kinds).T
    more_offered, more_right = draws.standard_exponential((2, DRAWS)) * kinds[:, [1, 3]].max(axis=0)[:, None]
    low: Floats = taken / (offered + more_offered) - (left + more_right) / (right + more_right)
    high: Floats = (taken + errors.most * more_offered) / (offered + more_offered) - left / (right + more_right)
    return low, high
