"""Priors: what a model chooses where there is no correct answer, against an even split of what was offered.

The role, position and verb templates of ContraCAT. Only choices that have the feature count: a model that chooses
neither noun says nothing about which of the two it prefers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from referee.analysis.bias.choice_counts import choices
from referee.analysis.bias.decisions import Decision
from referee.analysis.bias.preferences import NEITHER, ORDERS, OTHER, TIED, Chosen, Preference
from referee.stats.groups import group_sums
from referee.stats.intervals import Interval
from referee.stats.levels import ALPHA, MARGIN, fewest, further_groups
from referee.stats.worst_group import excess_p, mean_interval

MOST_VALUES = 20
"""A feature with more values than this names things (such as the nouns); there is no bias towards one of hundreds."""

_NO_GOLD = 0
"""A decision must have one; it is not looked at here."""


class Prior(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a feature that was chosen most beyond an even split, in the items of one label.

    `items` chose a candidate that has the feature, `neither` one that has not; the share `even` is what choosing any
    of those on offer would give. The interval and the one-sided `p` are corrected for the number of values and
    preferences. `outcome` is "none" where more than the margin is ruled out; `more_groups` is about how many more
    groups would decide.
    """

    label: str | None
    feature: str
    items: int
    neither: int
    undecided: int
    value: str
    share: float
    interval: Interval
    even: float
    p: float
    outcome: Literal["biased", "none", "inconclusive"]
    more_groups: int | None


def priors(cases: Sequence[Chosen], preferences: Sequence[Preference]) -> list[Prior]:
    """Test each preference, except how pairs of both orders came out."""
    asked = [preference for preference in preferences if preference.feature != ORDERS]
    tested = (
        _prior(preference, [case for case in cases if case.label == preference.label], len(asked))
        for preference in asked
    )
    return [prior for prior in tested if prior is not None]


def _prior(asked: Preference, cases: Sequence[Chosen], family: int) -> Prior | None:
    taken: list[Decision] = []
    neither = undecided = 0
    for case in cases:
        offered = case.offered(asked.feature)
        if len(set(offered)) < 2:
            continue
        value = case.values.get(asked.feature, NEITHER)
        if value in (TIED, OTHER):
            undecided += 1
        elif value == NEITHER:
            neither += 1
        else:
            taken.append(Decision(asked.feature, offered, _NO_GOLD, offered.index(value), case.group))
    if not taken or len({value for case in taken for value in case.values}) > MOST_VALUES:
        return None
    counts = choices(taken)
    # There is no correct answer: any of those on offer is expected, each as likely.
    even = counts.offered / counts.offered.sum(axis=1, keepdims=True)
    levels = even.mean(axis=0)
    tested = family * len(counts.values)
    groups = [group_sums(column, counts.groups) for column in counts.chosen.T]
    intervals = [mean_interval(*sums, tail=ALPHA / tested) for sums in groups]
    shares = counts.chosen.mean(axis=0)
    index = int((shares - levels).argmax())
    level, bounds = float(levels[index]), intervals[index]
    found = bounds[0] > level
    excluded = all(high < level + MARGIN for (_, high), level in zip(intervals, levels, strict=True))
    return Prior(
        label=asked.label,
        feature=asked.feature,
        items=len(taken),
        neither=neither,
        undecided=undecided,
        value=counts.values[index],
        share=float(shares[index]),
        interval=bounds,
        even=level,
        p=min(1.0, tested * excess_p(*groups[index], level)),
        outcome="biased" if found else "none" if excluded else "inconclusive",
        more_groups=None
        if found or excluded
        else _more_groups(len(groups[index][0]), float(shares[index]), bounds, level),
    )


def _more_groups(groups: int, share: float, bounds: Interval, level: float) -> int | None:
    """About how many groups show the preference, or rule one out."""
    shown = further_groups(groups, share - bounds[0], share - level)
    excluded = further_groups(groups, bounds[1] - share, level + MARGIN - share)
    return fewest(shown, excluded)
