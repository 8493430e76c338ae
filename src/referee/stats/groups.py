"""Scores of groups: twins, minimal pairs, perturbations of one original."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import msgspec
import numpy as np

from referee.stats.intervals import Floats, Interval, bootstrap_mean


class GroupScore(msgspec.Struct, frozen=True):
    """The mean over groups of their worst member: right only where every member is.

    `chance` is what guessing gives, `p` how likely it gives as much or more; both where that is known.
    """

    groups: int
    score: float
    bootstrap: Interval
    chance: float | None = None
    p: float | None = None


def index_groups(groups: Sequence[Hashable]) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], int]:
    """For every item the number of its group, in order of first appearance, and how many groups there are."""
    numbers: dict[Hashable, int] = {}
    index = np.fromiter((numbers.setdefault(group, len(numbers)) for group in groups), np.int64, len(groups))
    return index, len(numbers)


def group_score(scores: Floats, groups: Sequence[Hashable]) -> GroupScore:
    """The group score of any per-item score (0/1 for right and wrong, or a number)."""
    index, count = index_groups(groups)
    worst = np.full(count, np.inf)
    np.minimum.at(worst, index, scores)
    return GroupScore(count, float(worst.mean()), bootstrap_mean(worst, np.ones(count)))
