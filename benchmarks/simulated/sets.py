"""Sets of simulated items, made once per cell, and what a model that is drawn anew answers to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from referee.analysis.accuracy import Findings
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.items import Candidate, ChangeKind, Item, Origin, SetOrigin
from referee.verdicts import Judged, Kind, Verdict
from simulated.models import Counts, Flags

SUITE = "simulated"
GENDERS = ("m", "f", "n", "c")
POSITIONS = ("first", "second", "third", "fourth")
WORDS = ("Er", "Sie", "Es", "Dies")


def make_items(
    sizes: Counts,
    *,
    candidates: int = 2,
    features: tuple[str, ...] = (),
    golds: Counts | None = None,
    prefix: str = "g",
    change: tuple[str, ChangeKind] | None = None,
    labels: int = 1,
) -> list[Item]:
    """Make the items of groups of these sizes; their candidates have these `features`, such as gender and position.

    The correct value is each in turn, or the one that `golds` names. `change` is the name and the kind of what the
    items were made by, of the items with the same ids less that name.
    """
    items: list[Item] = []
    for group, size in enumerate(sizes.tolist()):
        for member in range(size):
            number, name = len(items), f"{prefix}{group}.{member}"
            value = number % candidates if golds is None else int(golds[number])
            order = value_order(number, candidates, features)
            items.append(
                Item(
                    id=name if change is None else f"{name}+{change[0]}",
                    task="translate",
                    source_lang="en",
                    target_lang="de",
                    source="It stands there .",
                    candidates=_options(candidates, features)[order[0]],
                    gold=order.index(value),
                    group=f"{prefix}{group}",
                    label=f"label {group % labels}" if labels > 1 else None,
                    origin=None if change is None else Origin(name, *change),
                )
            )
    return items


def value_order(number: int, candidates: int, features: tuple[str, ...]) -> list[int]:
    """The genders of an item's candidates; in half of the items with positions the second gender comes first."""
    order = list(range(candidates))
    return [1, 0, *order[2:]] if "position" in features and number % 4 in (1, 2) else order


@lru_cache
def _options(candidates: int, features: tuple[str, ...]) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """The candidates in both orders."""

    def option(place: int, value: int) -> Candidate:
        known = {"gender": GENDERS[value], "position": POSITIONS[place]}
        return Candidate(f"{WORDS[value]} steht dort .", {name: known.get(name, str(value)) for name in features})

    order = list(range(candidates))
    first, second = (
        tuple(option(place, value) for place, value in enumerate(values)) for values in (order, [1, 0, *order[2:]])
    )
    return first, second


def answer(item: Item, choice: int, kind: Kind = "contrastive") -> Verdict:
    """The verdict on a choice."""
    scores = tuple(float(index == choice) for index, _ in enumerate(item.candidates))
    if kind == "generative":
        output = item.candidates[choice].text
        correct = None if item.gold is None else choice == item.gold
        return Verdict(item=item.id, kind=kind, correct=correct, choice=choice, output=output)
    return Verdict(
        item=item.id,
        kind=kind,
        correct=None if item.gold is None else choice == item.gold,
        choice=choice,
        scores=scores,
        ranks=tuple(1 if score else 2 for score in scores),
    )


@dataclass(frozen=True)
class Answered:
    """A set and, for each item, its verdict if the model is incorrect and if it is correct."""

    suite: str
    items: Sequence[Item]
    verdicts: Sequence[tuple[Verdict, Verdict]]
    kind: Kind = "contrastive"
    origin: SetOrigin | None = None

    def judged(self, correct: Flags) -> Judged:
        """The set as a model answers it that is correct on these items."""
        verdicts = [both[right] for both, right in zip(self.verdicts, correct.tolist(), strict=True)]
        return Judged(self.suite, self.kind, self.items, verdicts, self.origin)


def answered(
    items: Sequence[Item], suite: str = SUITE, kind: Kind = "contrastive", origin: SetOrigin | None = None
) -> Answered:
    """Prepare both verdicts of each item."""
    verdicts = [
        (answer(item, ((item.gold or 0) + 1) % len(item.candidates), kind), answer(item, item.gold or 0, kind))
        for item in items
    ]
    return Answered(suite, items, verdicts, kind, origin)


EMPTY = SuiteDiagnosis(
    suite=SUITE,
    kind="contrastive",
    rule=None,
    items=0,
    biases=[],
    priors=[],
    artifacts=[],
    robustness=None,
    groups=None,
)
"""A diagnosis of which one part is filled in, and the findings that go with it."""
NOTHING_FOUND = Findings(
    suite=SUITE,
    kind="contrastive",
    rule=None,
    chance=None,
    overall=None,
    by={},
    group=None,
    without_gold=0,
    preferences=[],
)
