"""The group score against accuracy: whether errors are independent, spread over all groups, or in the same groups.

A model with a heuristic gets one twin correct and the other incorrect, again and again. Its accuracy hides that, and
its group score is far below what independent errors leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from referee.stats.groups import group_sums, index_groups
from referee.stats.intervals import Floats, Interval, percentiles, resampled

Against = Literal["below", "above", "not_significant"]


class GroupConsistency(msgspec.Struct, frozen=True, kw_only=True):
    """`independent` is the group score that independent errors leave at this accuracy.

    `difference` is the group score less that, `against` its direction where its interval excludes zero.
    """

    items: int
    groups: int
    accuracy: float
    score: float
    independent: float
    difference: float
    interval: Interval
    against: Against


def group_consistency(correct: Sequence[bool], groups: Sequence[str]) -> GroupConsistency | None:
    """Compare the group score with accuracy; None where every item is a group of its own."""
    hits, sizes = group_sums(correct, index_groups(groups))
    if len(sizes) == len(groups):
        return None
    lengths = np.unique(sizes)
    rows = np.column_stack([hits, sizes, hits == sizes, *(sizes == length for length in lengths)]).astype(np.float64)
    score, independent, accuracy = _scores(rows.sum(axis=0), lengths)
    drawn_score, drawn_independent, _ = _scores(resampled(rows), lengths)
    interval = percentiles(drawn_score - drawn_independent)
    return GroupConsistency(
        items=len(groups),
        groups=len(sizes),
        accuracy=float(accuracy),
        score=float(score),
        independent=float(independent),
        difference=float(score - independent),
        interval=interval,
        against="below" if interval[1] < 0 else "above" if interval[0] > 0 else "not_significant",
    )


def _scores(sums: Floats, lengths: Floats) -> tuple[Floats, Floats, Floats]:
    """Group score, that of independent errors, and accuracy; of sums of hits, items, correct groups, groups by size."""
    hits, items, whole, by_size = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3:]
    accuracy = hits / items
    groups = by_size.sum(axis=-1)
    independent = (by_size * accuracy[..., None] ** lengths).sum(axis=-1) / groups
    return whole / groups, independent, accuracy
