"""What judges the items of a set one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.items import Item
from referee.verdicts import Verdict

Tick = Callable[[float], None]
"""Told how many more items are done; a part of an item counts as a fraction."""


def _nothing(_: Sequence[Item]) -> None:
    """A model that computes need not be told of items that it need not judge."""


@dataclass(frozen=True)
class Judge:
    """One pass over a set, in order: `judge` the next items, or `skip` those that were judged before."""

    judge: Callable[[Sequence[Item], Tick], list[Verdict]]
    skip: Callable[[Sequence[Item]], None] = _nothing
