"""One pass of a model over the items of a set, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.items import Item
from referee.verdicts import Verdict

Tick = Callable[[float], None]
"""Receives the number of items just finished; a part of an item counts as a fraction."""


def _nothing(_: Sequence[Item]) -> None:
    """Skip at no cost: a model that computes its answers keeps no position in the set."""


@dataclass(frozen=True)
class Pass:
    """One pass over a set, in order: `evaluate` the next items, or `skip` those that have verdicts already."""

    evaluate: Callable[[Sequence[Item], Tick], list[Verdict]]
    skip: Callable[[Sequence[Item]], None] = _nothing
