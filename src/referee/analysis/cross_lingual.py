"""English beside another language: the same items in both, paired one by one (Wino-X, Table 8)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from referee.items import Item
from referee.stats.groups import index_groups
from referee.stats.intervals import Interval
from referee.stats.paired import mcnemar
from referee.stats.proportions import mean_interval
from referee.verdicts import Verdict

Judgement = tuple[str, bool]
"""The group of an item, and whether the model was right on it."""


class CrossLingual(msgspec.Struct, frozen=True, kw_only=True):
    """A suite beside its English side, over the items judged in both; `p` is McNemar's exact test, two-sided.

    `difference` is this suite less English.
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
    """The group of an item and whether it was right; None where nothing is right or it was not judged."""
    if verdict.dropped is not None or verdict.correct is None:
        return None
    return item.group_id, verdict.correct


def beside(english: str, own: Mapping[str, Judgement], theirs: Mapping[str, Judgement]) -> CrossLingual | None:
    """None where the two share no item."""
    shared = [each for each in own if each in theirs]
    if not shared:
        return None
    groups = index_groups([own[each][0] for each in shared])
    pairs = [(own[each][1], theirs[each][1]) for each in shared]
    only_own, only_english = pairs.count((True, False)), pairs.count((False, True))
    return CrossLingual(
        english=english,
        items=len(pairs),
        unpaired=len(own) + len(theirs) - 2 * len(pairs),
        both_right=pairs.count((True, True)),
        only_english=only_english,
        only_own=only_own,
        both_wrong=pairs.count((False, False)),
        difference=(only_own - only_english) / len(pairs),
        interval=mean_interval([float(mine) - float(its) for mine, its in pairs], groups),
        p=mcnemar(only_english, only_own),
    )
