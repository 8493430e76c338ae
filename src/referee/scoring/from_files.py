"""Verdicts from what another system gave elsewhere: a score per candidate, or an output per item, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from referee.items import Item
from referee.scoring.decision import contrastive, matched
from referee.scoring.passes import Judge, Tick
from referee.verdicts import Verdict


def contrasting(scores: Iterator[float], *, higher: bool) -> Judge:
    """Compare the candidates of each item by the next scores."""

    def take(item: Item) -> list[float]:
        return list(islice(scores, len(item.candidates)))

    def decide(item: Item) -> Verdict:
        if not item.candidates:
            return Verdict(item=item.id, kind="contrastive", dropped="no candidates")
        return contrastive(item.id, take(item), item.gold, higher=higher)

    return _one_by_one(decide, take)


def matching(outputs: Iterator[str]) -> Judge:
    """Look for expected forms, or candidates, in the next output."""
    return _one_by_one(lambda item: matched(item, next(outputs)), lambda _: next(outputs))


def _one_by_one(decide: Callable[[Item], Verdict], take: Callable[[Item], object]) -> Judge:
    def judge(items: Sequence[Item], _: Tick) -> list[Verdict]:
        return [decide(item) for item in items]

    def skip(items: Sequence[Item]) -> None:
        for item in items:
            take(item)

    return Judge(judge, skip)
