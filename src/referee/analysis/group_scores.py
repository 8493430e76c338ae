"""Group scores of any number per item: BLEU, chrF or COMET of a translation, the score of the correct candidate.

"Back to Square One" (section 3.1) scores a group by its worst member, whatever the scoring function: the minimum, or
the maximum where lower is better. Items without a partner have no group score and are counted apart.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np

from referee.items import Item
from referee.stats.groups import GroupIndex, Membership, group_minima, in_company
from referee.stats.intervals import Floats, Interval
from referee.stats.t_interval import t_interval
from referee.stats.worst_group import mean_interval
from referee.verdicts import Verdict

Method = Literal["worst group", "t"]


class ScoreOfGroups(msgspec.Struct, frozen=True, kw_only=True):
    """The mean over groups of two or more items of their worst member, next to the `mean` over the same items.

    `lower_is_better`: the worst member is the one with the highest number. `method` names the interval: the worst group
    for numbers with bounds, t over groups for others, where one group has no interval. `singles` items stand alone, and
    `incomplete` groups lost a member.
    """

    name: str
    items: int
    mean: float
    groups: int
    score: float
    interval: Interval | None
    method: Method
    lower_is_better: bool
    singles: int
    incomplete: int = 0


def score_groups(
    name: str,
    values: Floats,
    groups: GroupIndex,
    *,
    members: Membership | None = None,
    lower_is_better: bool = False,
    bounds: Interval | None = None,
) -> ScoreOfGroups | None:
    """Score every group by its worst member; None where no group has two members.

    A group that lost a member, as `members` says, has no score.
    """
    paired = in_company(groups) if members is None else members.whole(groups)
    torn = np.zeros(len(groups), np.bool_) if members is None else members.torn(groups)
    if not paired.any():
        return None
    sign = -1 if lower_is_better else 1
    worst = sign * group_minima(sign * values[paired], groups[paired])
    if bounds is None:
        interval = t_interval(worst)
    else:
        interval = mean_interval(np.clip(worst, *bounds), np.ones(len(worst)), bounds)
    return ScoreOfGroups(
        name=name,
        items=int(paired.sum()),
        mean=float(values[paired].mean()),
        groups=len(worst),
        score=float(worst.mean()),
        interval=interval,
        method="t" if bounds is None else "worst group",
        lower_is_better=lower_is_better,
        singles=int((~paired & ~torn).sum()),
        incomplete=0 if members is None else len(members.incomplete),
    )


@dataclass
class CandidateScores:
    """The score of the correct candidate of each item, and its margin over the best other candidate.

    A margin is positive where the item is correct, also where lower scores are better.
    """

    score: array[float] = field(default_factory=lambda: array("d"))
    lowest_other: array[float] = field(default_factory=lambda: array("d"))
    highest_other: array[float] = field(default_factory=lambda: array("d"))
    group: array[int] = field(default_factory=lambda: array("q"))
    lower_is_better: bool = False
    groups: Membership = field(default_factory=Membership)

    def add(self, item: Item, verdict: Verdict) -> None:
        """Take in the next item; one without a correct answer, or without scores, does not count."""
        scores = verdict.scores
        if verdict.dropped is not None or item.gold is None or len(scores) < 2:
            if verdict.dropped is not None and item.has_answer:
                self.groups.lose(item.group_id)
            return
        # A choice shows which end of the scale is better; a set of ties shows neither and counts as higher.
        self.lower_is_better |= verdict.choice is not None and scores[verdict.choice] < max(scores)
        others = scores[: item.gold] + scores[item.gold + 1 :]
        self.score.append(scores[item.gold])
        self.lowest_other.append(min(others))
        self.highest_other.append(max(others))
        self.group.append(self.groups.add(item.group_id))

    def summarise(self) -> list[ScoreOfGroups]:
        """The group scores; nothing where no group has two members."""
        groups = np.asarray(self.group, np.int64)
        if not len(groups):
            return []
        gold = np.asarray(self.score)
        lower = self.lower_is_better
        margins = np.asarray(self.lowest_other) - gold if lower else gold - np.asarray(self.highest_other)
        figures = (
            score_groups("score", gold, groups, members=self.groups, lower_is_better=lower),
            score_groups("margin", margins, groups, members=self.groups),
        )
        return [figure for figure in figures if figure is not None]
