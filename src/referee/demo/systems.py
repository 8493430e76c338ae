"""Three made-up systems, each with one habit, that answer the sample the way real systems do: with files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256

from referee.items import Item

Preference = Callable[[Item], int]
"""Which candidate a system likes best."""


def always_neuter(item: Item) -> int:
    """Translates every "it" by "es"."""
    return _by_feature(item, "gender", "n")


def first_noun(item: Item) -> int:
    """Lets "it" refer to the noun that came first."""
    return _by_feature(item, "position", "first")


def mostly_right(item: Item) -> int:
    """Resolves nine of ten items, and errs towards the first noun."""
    gold = item.gold if item.gold is not None else 0
    return first_noun(item) if sha256(item.id.encode()).digest()[0] % 10 == 0 else gold


SYSTEMS: dict[str, Preference] = {
    "always-neuter": always_neuter,
    "first-noun": first_noun,
    "mostly-right": mostly_right,
}


def score_lines(items: Iterable[Item], preference: Preference) -> str:
    """A file of costs, lower is better, one line a candidate."""
    lines = []
    for item in items:
        chosen = preference(item)
        lines += [f"{1.0 if index == chosen else 2.0 + index / 10}\n" for index in range(len(item.candidates))]
    return "".join(lines)


def translation_lines(items: Iterable[Item], preference: Preference) -> str:
    """A file of translations, one line an item."""
    return "".join(item.candidates[preference(item)].text + "\n" for item in items)


def _by_feature(item: Item, name: str, value: str) -> int:
    return next(index for index, candidate in enumerate(item.candidates) if candidate.features[name] == value)
