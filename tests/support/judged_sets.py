"""Judged sets for tests: twins with two features, choices with a premise, and judges of whom all is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.analysis.accuracy import Findings
from referee.analysis.findings import findings_on
from referee.items import Candidate, Item, SetOrigin
from referee.perturbations import attacked, choose
from referee.scoring.decision import contrastive
from referee.verdicts import Judged
from tests.support.items import item

Chooser = Callable[[Item, int], int]
"""Which alternative is taken of an item; the number says which item of its set it is."""


def twins(pairs: int, **changes: object) -> list[Item]:
    """Pairs with a masculine noun first and a feminine one second, or the other way round; each is right once."""
    items = []
    for pair in range(pairs):
        genders = ("m", "f") if pair % 2 else ("f", "m")
        candidates = tuple(
            Candidate(gender, {"gender": gender, "position": position})
            for gender, position in zip(genders, ("first", "second"), strict=True)
        )
        for gold in (0, 1):
            fields = {"id": f"{pair}-{gold}", "group": str(pair), "candidates": candidates, "gold": gold}
            items.append(item(**(fields | changes)))
    return items


def premises(count: int) -> list[Item]:
    """Choices with two alternatives for a premise and a question; the first is right in every other."""
    return [
        item(
            id=str(number),
            task="choose",
            target_lang="en",
            source=f"The street was wet {number}.",
            question="cause",
            candidates=(Candidate("It rained."), Candidate("It was noon.")),
            gold=number % 2,
        )
        for number in range(count)
    ]


def hidden(items: Iterable[Item], name: str) -> list[Item]:
    """What a perturbation makes of them."""
    (perturbation,) = choose([name])
    return list(attacked(items, perturbation))


def judged(suite: str, items: Iterable[Item], chooser: Chooser, origin: SetOrigin | None = None) -> Judged:
    listed = list(items)
    verdicts = []
    for number, one in enumerate(listed):
        taken = chooser(one, number)
        scores = [float(index == taken) for index in range(len(one.candidates))]
        verdicts.append(contrastive(one.id, scores, one.gold, higher=True))
    return Judged(suite, "contrastive", listed, verdicts, origin)


def found_on(*sets: Judged) -> list[Findings]:
    """As a run finds it, attacks included."""
    return findings_on(sets)


def right(item: Item, number: int) -> int:
    return item.gold or 0


def first(item: Item, number: int) -> int:
    return 0


def right_but(every: int) -> Chooser:
    """Incorrect in one of every N items."""
    return lambda item, number: (item.gold or 0) ^ (number % every == 0)
