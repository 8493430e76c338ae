"""A language against English: the same items in both, paired one by one (Wino-X, Table 8)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from referee.items import Item
from referee.stats.groups import group_sums, index_groups
from referee.stats.intervals import Interval
from referee.stats.worst_group import DIFFERENCE, mean_interval, mean_p
from referee.verdicts import Verdict

Judgement = tuple[str, bool]
"""The group of an item, and whether the model was correct on it."""


class CrossLingual(msgspec.Struct, frozen=True, kw_only=True):
    """A suite and its English side, over the items scored in both; interval and `p` are over groups.

    `difference` is the accuracy on the suite minus that on English.
    """

    english: str
    items: int
    unpaired: int
    both_right: int
    only_english: int
    only_own: int
    both_wrong: int
    difference: float
    interval: Interval
    p: float


def judgement(item: Item, verdict: Verdict) -> Judgement | None:
    """The group of an item and whether the model was correct; None without a correct answer or a score."""
    if verdict.dropped is not None or verdict.correct is None:
        return None
    return item.group_id, verdict.correct


def cross_lingual(
    english: str, of_suite: Mapping[str, Judgement], of_english: Mapping[str, Judgement]
) -> CrossLingual | None:
    """The comparison of a suite with its side `english`, by item id; None if the two share no item."""
    shared = [item for item in of_suite if item in of_english]
    if not shared:
        return None
    groups = index_groups([of_suite[item][0] for item in shared])
    pairs = [(of_suite[item][1], of_english[item][1]) for item in shared]
    sums, sizes = group_sums([float(here) - float(there) for here, there in pairs], groups)
    only_own, only_english = pairs.count((True, False)), pairs.count((False, True))
    return CrossLingual(
        english=english,
        items=len(pairs),
        unpaired=len(of_suite) + len(of_english) - 2 * len(pairs),
        both_right=pairs.count((True, True)),
        only_english=only_english,
        only_own=only_own,
        both_wrong=pairs.count((False, False)),
        difference=(only_own - only_english) / len(pairs),
        interval=mean_interval(sums, sizes, DIFFERENCE),
        p=mean_p(sums, sizes, 0.0, DIFFERENCE),
    )
