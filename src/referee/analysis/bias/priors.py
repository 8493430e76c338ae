"""Priors: what a model chooses where there is no correct answer, against an even split of what was offered.

The role, position and verb templates of ContraCAT. Only choices that have the feature count: a model that chooses
neither noun says nothing about which of the two it prefers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from referee.analysis.bias.choice_counts import choices
from referee.analysis.bias.decisions import Decision
from referee.analysis.bias.preferences import ORDERS, Preference
from referee.items import Item
from referee.stats.hotelling import mean_is_zero
from referee.stats.intervals import Interval
from referee.stats.proportions import proportion
from referee.verdicts import Verdict

MOST_VALUES = 20
"""A feature with more values than this names things (such as the nouns); there is no bias towards one of hundreds."""

_NO_GOLD = 0
"""A decision must have one; it is not looked at here."""


class Prior(msgspec.Struct, frozen=True, kw_only=True):
    """The value of a feature that was chosen most beyond an even split, in the items of one label.

    `items` chose a candidate that has the feature, `neither` one that has not; the share `even` is what choosing any
    of those on offer would give. `p` tests all values together; None where too little speaks for an answer.
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
    p: float | None


def priors(judged: Iterable[tuple[Item, Verdict]], preferences: Sequence[Preference]) -> list[Prior]:
    """Test each preference, except how pairs of both orders came out."""
    asked = [preference for preference in preferences if preference.feature != ORDERS]
    if not asked:
        return []
    by_label: dict[str | None, list[tuple[Item, Verdict]]] = {}
    for item, verdict in judged:
        if item.gold is None and verdict.dropped is None and item.candidates:
            by_label.setdefault(item.label, []).append((item, verdict))
    tested = (_prior(preference, by_label.get(preference.label, [])) for preference in asked)
    return [prior for prior in tested if prior is not None]


def _prior(asked: Preference, cases: Sequence[tuple[Item, Verdict]]) -> Prior | None:
    taken: list[Decision] = []
    neither = undecided = 0
    for item, verdict in cases:
        values = _values(item, asked.feature)
        if len(set(values) - {""}) < 2:
            continue
        if verdict.choice is None:
            undecided += 1
        elif not values[verdict.choice]:
            neither += 1
        else:
            offered = tuple(value for value in values if value)
            choice = verdict.choice - values[: verdict.choice].count("")
            taken.append(Decision(asked.feature, offered, _NO_GOLD, choice, item.group_id))
    if not taken or len({value for case in taken for value in case.values}) > MOST_VALUES:
        return None
    counts = choices(taken)
    # There is no correct answer: any of those on offer is expected, each as likely.
    even = counts.offered / counts.offered.sum(axis=1, keepdims=True)
    p = mean_is_zero(counts.by_group(counts.chosen - even))
    index = int((counts.chosen - even).sum(axis=0).argmax())
    chosen = proportion(counts.chosen[:, index] > 0, counts.groups)
    return Prior(
        label=asked.label,
        feature=asked.feature,
        items=len(taken),
        neither=neither,
        undecided=undecided,
        value=counts.values[index],
        share=chosen.share,
        interval=chosen.wider,
        even=float(even[:, index].mean()),
        p=p,
    )


def _values(item: Item, feature: str) -> list[str]:
    """By candidate, empty for one that has none; candidates without any features are told by their number."""
    if feature == "candidate":
        return [str(number) for number, _ in enumerate(item.candidates, 1)]
    values = [candidate.features.get(feature, "") for candidate in item.candidates]
    # A pronoun at the start of a sentence is the same pronoun.
    return [value.lower() for value in values] if feature == "pronoun" else values
