"""The group score against accuracy: whether errors are independent, spread over all groups, or in the same groups.

A model with a heuristic gets one twin correct and the other incorrect, again and again. Its accuracy hides that, and
its group score is far below what independent errors leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from referee.stats.groups import Membership, group_sums
from referee.stats.intervals import Interval
from referee.stats.levels import ALPHA
from referee.stats.scatter import scatter

Errors = Literal["apart", "together", "not_significant", "inconclusive", "none", "all"]
"""How errors fall: one per group, in the same groups, no departure from independent ones; no or only errors."""


class GroupConsistency(msgspec.Struct, frozen=True, kw_only=True):
    """The group score, and the one that as many independent errors leave, with its 95% range.

    Items that stand alone do not count. `p` tests how far the errors of a group come together, `errors` is its outcome.
    `more_groups` is about how many more groups could show a departure, where these could not.
    """

    items: int
    groups: int
    accuracy: float
    score: float
    independent: float
    independent_range: Interval
    p: float
    errors: Errors
    more_groups: int | None


def group_consistency(correct: Sequence[bool | None], groups: Sequence[str]) -> GroupConsistency | None:
    """Compare the group score with accuracy; None where every item stands alone.

    An item that was not evaluated is None; its group is not whole, and does not count.
    """
    passed = Membership()
    for verdict, group in zip(correct, groups, strict=True):
        if verdict is None:
            passed.lose(group)
    decided = [(verdict, group) for verdict, group in zip(correct, groups, strict=True) if verdict is not None]
    index = np.fromiter((passed.add(group) for _, group in decided), np.int64, len(decided))
    members = passed.whole(index) if decided else np.zeros(0, np.bool_)
    if not members.any():
        return None
    hits, sizes = group_sums(np.array([verdict for verdict, _ in decided], np.bool_)[members], index[members])
    result = scatter(sizes - hits, sizes)
    errors: Errors = "not_significant"
    if not hits.any() or bool((hits == sizes).all()):
        errors = "none" if hits.any() else "all"
    elif result.p < ALPHA:
        errors = "together" if result.together else "apart"
    elif result.more_groups is not None:
        errors = "inconclusive"
    return GroupConsistency(
        items=int(sizes.sum()),
        groups=len(sizes),
        accuracy=float(hits.sum() / sizes.sum()),
        score=float((hits == sizes).mean()),
        independent=result.whole,
        independent_range=result.interval,
        p=result.p,
        errors=errors,
        more_groups=result.more_groups if errors == "inconclusive" else None,
    )
