"""Which items can be solved by a shortcut (Back to Square One, Table 2).

An item may be marked as associative (Trichelair et al. 2019), and a model may solve its pair without the candidates
(`no-cands`) or from the part of the sentence with the gap alone (`part-sent`). A baseline solves a pair only if it is
correct on both twins, as in the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import msgspec

from referee.items import Item
from referee.verdicts import Judged, Kind, Verdict

NO_CANDS, PART_SENT = "no-cands", "part-sent"
BASELINES = (NO_CANDS, PART_SENT)
ASSOCIATIVE = "associative"
"""The feature of an item: "1" if it is associative, "0" if not."""

Conditions = tuple[bool, bool, bool]
"""Associative, solved by `no-cands`, solved by `part-sent`."""


class ItemShortcuts(msgspec.Struct, frozen=True, kw_only=True):
    """The three conditions of one item; None where the baseline cannot change the pair, or the item has no twin."""

    item: str
    source: str
    associative: bool
    no_cands: bool | None
    part_sent: bool | None

    @property
    def conditions(self) -> Conditions | None:
        """All three, where all are known."""
        if self.no_cands is None or self.part_sent is None:
            return None
        return self.associative, self.no_cands, self.part_sent


class Shortcuts(msgspec.Struct, frozen=True, kw_only=True):
    """The items of a set that was evaluated with both baselines."""

    suite: str
    kind: Kind
    items: list[ItemShortcuts]

    def counts(self) -> dict[Conditions, int]:
        """The number of items by combination of conditions; all eight combinations, those with `True` first."""
        counted = Counter(item.conditions for item in self.items)
        return {(one, two, three): counted[one, two, three] for one, two, three in product((True, False), repeat=3)}

    @property
    def complete(self) -> int:
        """The number of items of which all conditions are known."""
        return sum(item.conditions is not None for item in self.items)


def shortcuts(judged: Sequence[Judged]) -> list[Shortcuts]:
    """One entry per set that has associative labels and was evaluated with both baselines."""
    tables = []
    for of_set in judged:
        labelled = [item for item in of_set.items if item.origin is None and item.features.get(ASSOCIATIVE) in _LABELS]
        if not labelled or of_set.origin is not None:
            continue
        solved = {change: _solved(of_set, change, judged) for change in BASELINES}
        if all(solved.values()):
            items = [_conditions(item, solved) for item in labelled]
            tables.append(Shortcuts(suite=of_set.suite, kind=of_set.kind, items=items))
    return tables


_LABELS = {"0": False, "1": True}


def _conditions(item: Item, solved: Mapping[str, Mapping[str, bool]]) -> ItemShortcuts:
    return ItemShortcuts(
        item=item.id,
        source=item.source,
        associative=_LABELS[item.features[ASSOCIATIVE]],
        no_cands=solved[NO_CANDS].get(item.group_id),
        part_sent=solved[PART_SENT].get(item.group_id),
    )


def _solved(original: Judged, change: str, judged: Sequence[Judged]) -> dict[str, bool]:
    """By group of the original, whether the baseline is correct on all its members; only groups of several."""
    group_of = {item.id: item.group_id for item in original.items if item.origin is None}
    sizes = Counter(group_of.values())
    hits: dict[str, list[bool]] = {}
    for item, verdict in _changed(original, change, judged):
        group = group_of.get(item)
        if group is not None and verdict.correct is not None:
            hits.setdefault(group, []).append(verdict.correct)
    return {group: all(of_group) for group, of_group in hits.items() if len(of_group) == sizes[group] > 1}


def _changed(original: Judged, change: str, judged: Sequence[Judged]) -> Iterator[tuple[str, Verdict]]:
    """The ids of the original's items that a baseline changed, with the verdicts on the changed ones."""
    for of_set in judged:
        origin = of_set.origin
        if of_set.kind != original.kind or (origin is not None and origin.of != original.suite):
            continue
        # A published baseline names its original for the set, and its items have the ids of the original.
        whole = origin is not None and (origin.change, origin.kind) == (change, "baseline")
        for item, verdict in of_set:
            if item.origin is not None and (item.origin.change, item.origin.kind) == (change, "baseline"):
                yield item.origin.item, verdict
            elif item.origin is None and whole:
                yield item.id, verdict
