"""The same items in two runs: suite by suite, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import msgspec

from referee.items import Item
from referee.sets import canonical
from referee.stats.groups import Membership
from referee.verdicts import Judged, Kind, Rule, Verdict


class Unpaired(msgspec.Struct, frozen=True, kw_only=True):
    """How many items of a suite were not compared, and why."""

    other_content: int = 0
    only_base: int = 0
    only_other: int = 0
    not_judged: int = 0
    incomplete_groups: int = 0
    """Groups of which a member was not compared: they have no group score."""


@dataclass(frozen=True, slots=True)
class ItemPair:
    """An item that was evaluated in both runs."""

    item: Item
    base: Verdict
    other: Verdict

    def right(self, rule: Rule | None) -> tuple[bool, bool]:
        """Whether the first run is correct, and whether the second is."""
        return bool(self.base.right(rule)), bool(self.other.right(rule))


@dataclass(frozen=True)
class SharedSuite:
    """A suite that both runs have, and those of its items that both evaluated, with and without gold.

    A member of each `incomplete` group was not evaluated by both.
    """

    suite: str
    kind: Kind
    unpaired: Unpaired
    with_gold: list[ItemPair]
    without_gold: list[ItemPair]
    incomplete: frozenset[str] = frozenset()

    @property
    def rules(self) -> tuple[Rule | None, ...]:
        """By which rules it can be compared; only None where nothing was matched."""
        return get_args(Rule) if any(pair.base.found for pair in self.with_gold) else (None,)

    @property
    def perturbed(self) -> bool:
        """Whether it is an attacked set."""
        return any(pair.item.origin is not None for pair in self.with_gold)


def matched(base: Sequence[Judged], other: Sequence[Judged]) -> list[tuple[Judged, Judged]]:
    """Pair suites by name and kind; a set that was only renamed (read from another folder) is the same."""
    by_name = {(suite.suite, suite.kind): suite for suite in other}
    names = {(suite.suite, suite.kind) for suite in base}
    unmatched = [suite for name, suite in by_name.items() if name not in names]
    matches = []
    for suite in base:
        match = by_name.get((suite.suite, suite.kind))
        if match is None:
            renamed = (rest for rest in unmatched if rest.kind == suite.kind and list(rest.items) == list(suite.items))
            match = next(renamed, None)
            unmatched = [rest for rest in unmatched if rest is not match]
        if match is not None:
            matches.append((suite, match))
    return matches


def shared(base: Judged, other: Judged) -> SharedSuite:
    """Pair the items of a suite by id; one whose content differs is not the same item."""
    by_id = {item.id: (item, verdict) for item, verdict in other}
    with_gold: list[ItemPair] = []
    without_gold: list[ItemPair] = []
    other_content = not_judged = met = 0
    for item, verdict in base:
        if item.id not in by_id:
            continue
        met += 1
        other_item, other_verdict = by_id[item.id]
        if item is not other_item and canonical(item) != canonical(other_item):
            other_content += 1
        elif any(one.dropped is not None or one.not_applicable for one in (verdict, other_verdict)):
            not_judged += 1
        else:
            gold = verdict.correct is not None and other_verdict.correct is not None
            (with_gold if gold else without_gold).append(ItemPair(item, verdict, other_verdict))
    members = Membership()
    compared = {pair.item.id for pair in (*with_gold, *without_gold)}
    for item in {item.id: item for item in (*base.items, *other.items)}.values():
        if item.id in compared or item.has_answer:
            (members.add if item.id in compared else members.lose)(item.group_id)
    incomplete = frozenset(members.incomplete)
    unpaired = Unpaired(
        other_content=other_content,
        only_base=len(base) - met,
        only_other=len(by_id) - met,
        not_judged=not_judged,
        incomplete_groups=len(incomplete),
    )
    return SharedSuite(base.suite, base.kind, unpaired, with_gold, without_gold, incomplete)
