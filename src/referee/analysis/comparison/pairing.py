"""The same items in two runs: suite by suite, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import msgspec

from referee.items import Item
from referee.sets import canonical
from referee.verdicts import Judged, Kind, Rule, Verdict


class Unpaired(msgspec.Struct, frozen=True, kw_only=True):
    """Items of a suite that were not compared, and why."""

    other_content: int = 0
    only_base: int = 0
    only_other: int = 0
    not_judged: int = 0


@dataclass(frozen=True, slots=True)
class ItemPair:
    """An item that was judged in both runs."""

    item: Item
    base: Verdict
    other: Verdict

    def right(self, rule: Rule | None) -> tuple[bool, bool]:
        """Whether the first run is right, and whether the second is."""
        return bool(self.base.right(rule)), bool(self.other.right(rule))


@dataclass(frozen=True)
class SharedSuite:
    """A suite that both runs have, and those of its items that both judged, with and without gold."""

    suite: str
    kind: Kind
    unpaired: Unpaired
    with_gold: list[ItemPair]
    without_gold: list[ItemPair]

    @property
    def rules(self) -> tuple[Rule | None, ...]:
        """By which rules it can be compared; only None where nothing was matched."""
        return get_args(Rule) if any(pair.base.found for pair in self.with_gold) else (None,)

    @property
    def perturbed(self) -> bool:
        """Whether it is an attacked set."""
        return any(pair.item.origin is not None for pair in self.with_gold)


def matched(base: Sequence[Judged], other: Sequence[Judged]) -> list[tuple[Judged, Judged]]:
    """Suites by name and kind; a set that was only renamed (read from another folder) is the same."""
    named = {(each.suite, each.kind): each for each in other}
    mine = {(each.suite, each.kind) for each in base}
    rest = [each for key, each in named.items() if key not in mine]
    matches = []
    for each in base:
        its = named.get((each.suite, each.kind))
        if its is None:
            its = next((one for one in rest if one.kind == each.kind and list(one.items) == list(each.items)), None)
            rest = [one for one in rest if one is not its]
        if its is not None:
            matches.append((each, its))
    return matches


def shared(base: Judged, other: Judged) -> SharedSuite:
    """Pairs the items of a suite by id; one whose content differs is not the same item."""
    theirs = {item.id: (item, verdict) for item, verdict in other}
    with_gold: list[ItemPair] = []
    without_gold: list[ItemPair] = []
    other_content = not_judged = met = 0
    for item, verdict in base:
        found = theirs.get(item.id)
        if found is None:
            continue
        met += 1
        if item is not found[0] and canonical(item) != canonical(found[0]):
            other_content += 1
        elif verdict.dropped is not None or found[1].dropped is not None:
            not_judged += 1
        else:
            gold = verdict.correct is not None and found[1].correct is not None
            (with_gold if gold else without_gold).append(ItemPair(item, verdict, found[1]))
    unpaired = Unpaired(
        other_content=other_content,
        only_base=len(base) - met,
        only_other=len(theirs) - met,
        not_judged=not_judged,
    )
    return SharedSuite(base.suite, base.kind, unpaired, with_gold, without_gold)
