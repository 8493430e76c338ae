"""Verdicts from the stored answers of another system: one score per candidate, or one output per item, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from referee.items import Item
from referee.scoring.decision import compared, matched
from referee.scoring.passes import Pass, Tick
from referee.verdicts import Verdict


def contrasting(scores: Iterator[float], *, higher: bool) -> Pass:
    """Compare the candidates of each item by the next scores."""

    def take(item: Item) -> list[float]:
        return list(islice(scores, len(item.candidates)))

    def decide(item: Item) -> Verdict:
        if not item.candidates:
            return Verdict(item=item.id, kind="contrastive", dropped="no candidates")
        return compared(item, take(item), higher=higher)

    return _one_by_one(decide, take)


def matching(outputs: Iterator[str]) -> Pass:
    """Look for expected forms, or candidates, in the next output."""
    return _one_by_one(lambda item: matched(item, next(outputs)), lambda _: next(outputs))


def _one_by_one(decide: Callable[[Item], Verdict], take: Callable[[Item], object]) -> Pass:
    def evaluate(items: Sequence[Item], _: Tick) -> list[Verdict]:
        return [decide(item) for item in items]

    def skip(items: Sequence[Item]) -> None:
        for item in items:
            take(item)

    return Pass(evaluate, skip)
