"""Questions to one person, formal and informal, and translations of them that keep to a habit."""

from __future__ import annotations

from collections.abc import Callable

from referee.items import Item
from referee.scoring.decision import matched
from referee.verdicts import Judged

OUTPUTS = {"formal": "Haben Sie Zeit?", "informal": "Hast du Zeit?", "none": "Zeit?"}

Writer = Callable[[str, int], str]
"""What is written of an item: its expected value and its number in, one of `OUTPUTS` out."""


def addressed(count: int) -> list[Item]:
    """Every third item is formal."""
    return [
        Item(
            id=str(number),
            task="translate",
            source_lang="en",
            target_lang="de",
            source="Do you have time?",
            reference=OUTPUTS[value],
            expected=("Sie" if value == "formal" else "du",),
            features={"formality": value, "address": value},
        )
        for number, value in ((number, "informal" if number % 3 else "formal") for number in range(count))
    ]


def translated(suite: str, items: list[Item], writer: Writer) -> Judged:
    """The items with the verdicts on what was written."""
    outputs = [OUTPUTS[writer(item.features["formality"], number)] for number, item in enumerate(items)]
    verdicts = [matched(item, output) for item, output in zip(items, outputs, strict=True)]
    return Judged(suite, "generative", items, verdicts)


def mostly(value: str, other: str = "") -> Writer:
    """Writes what is expected, but in every second item the one value, and in every seventh nothing."""
    return lambda expected, number: "none" if number % 7 == 6 else value if number % 2 else other or expected
