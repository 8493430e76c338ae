"""Which items the page shows: right and wrong ones, drawn with a seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from referee.demo.plan import SEED, Step
from referee.items import Item
from referee.report.page import Example
from referee.verdicts import Verdict

Judged = tuple[str, Item, Verdict]


def examples(step: Step, judged: Iterable[Judged]) -> Iterator[Example]:
    """One of every kind the step names, or none where there is none."""
    drawn = list(judged)
    Random(f"{SEED} {step.name}").shuffle(drawn)  # noqa: S311 no secret
    right_before = {item.id for _, item, verdict in drawn if verdict.correct and "perturbation" not in item.features}
    for wanted in step.show:
        kind, _, suite = wanted.partition(":")
        for each in drawn:
            if suite in ("", each[0]) and _fits(kind, each, right_before):
                yield Example(*each)
                break


def _fits(wanted: str, judged: Judged, right_before: set[str]) -> bool:
    _, item, verdict = judged
    if wanted == "any":
        return True
    if wanted == "translated":
        return verdict.output is not None and verdict.correct is False
    if wanted == "broken":
        return verdict.correct is False and "perturbation" in item.features and item.group_id in right_before
    return verdict.correct is (wanted == "right")
