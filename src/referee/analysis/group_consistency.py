"""Whole groups against single items: whether errors fall anywhere, one to a group, or all into the same groups.

A judge with a habit gets one twin right and the other wrong, again and again. Its accuracy hides that, and its group
score is far below what errors that fall anywhere would leave.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from referee.reports.wording import in_percent
from referee.stats.groups import index_groups
from referee.stats.intervals import Floats, Interval, percentiles, resampled


class WholeGroups(msgspec.Struct, frozen=True, kw_only=True):
    """`independent` is the group score of who is as often right, item by item, whatever happens in the group.

    `difference` is the group score less that.
    """

    items: int
    groups: int
    accuracy: float
    score: float
    independent: float
    difference: float
    interval: Interval
    words: str


def whole_groups(correct: Sequence[bool], groups: Sequence[str]) -> WholeGroups | None:
    """Of items and their groups; None where every item stands alone."""
    index, count = index_groups(groups)
    if count == len(groups):
        return None
    sizes = np.bincount(index, minlength=count)
    hits = np.bincount(index, np.asarray(correct, np.float64), count)
    lengths = np.unique(sizes).astype(np.float64)
    rows = np.column_stack([hits, sizes, hits == sizes, *(sizes == length for length in lengths)]).astype(np.float64)
    score, independent, accuracy = _scores(rows.sum(axis=0), lengths)
    drawn_score, drawn_independent, _ = _scores(resampled(rows), lengths)
    interval = percentiles(drawn_score - drawn_independent)
    return WholeGroups(
        items=len(groups),
        groups=count,
        accuracy=float(accuracy),
        score=float(score),
        independent=float(independent),
        difference=float(score - independent),
        interval=interval,
        words=_words(float(score), float(independent), interval),
    )


def _scores(sums: Floats, lengths: Floats) -> tuple[Floats, Floats, Floats]:
    """Group score, that of independent errors, and accuracy; of sums of hits, items, whole groups, groups by size."""
    hits, items, whole, by_size = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3:]
    accuracy = hits / items
    groups = by_size.sum(axis=-1)
    independent = (by_size * accuracy[..., None] ** lengths).sum(axis=-1) / groups
    return whole / groups, independent, accuracy


def _words(score: float, independent: float, interval: Interval) -> str:
    found = f"{in_percent(score)} of whole groups"
    left = f"errors that fall anywhere would leave ({in_percent(independent)})"
    if interval[1] < 0:
        return f"{found}, fewer than {left}: it tends to answer the members of a group alike"
    if interval[0] > 0:
        return f"{found}, more than {left}: its errors come together, in some of the groups"
    return f"{found}, as many as {left}"
