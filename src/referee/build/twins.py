"""Twins: items that differ in a word or two and in their answer, coupled as "Back to Square One" couples them.

A model that knows why is right about both; one that leans on an artifact is right about one of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import msgspec

from referee.errors import InputError
from referee.items import GAP, Item, Span
from referee.languages.text import differing_words

By = Literal["id", "distance", "order"]

MAX_DISTANCE = 0.3
TRIGGER = "trigger"
WSC_SIZE = 273
WSC_THIRD = "wsc254"
"""Of the 273 schemas three belong together; this is the one that the paper leaves out."""

_STEM = re.compile(r"(?P<stem>.+)-[12]", re.DOTALL)


@dataclass(frozen=True)
class Twins:
    """Pairs in one group each, how they were found, and why the other items are in none."""

    by: By
    pairs: tuple[tuple[Item, Item], ...]
    left_out: Counter[str]

    def items(self) -> Iterator[Item]:
        """All of them, twins side by side."""
        for pair in self.pairs:
            yield from pair


def couple(
    items: Iterable[Item], *, by: By | None = None, max_distance: float = MAX_DISTANCE, drop: Collection[str] = ()
) -> Twins:
    """Pairs of items, each in a group of its own, with the words in which they differ marked as triggers.

    By `id`: those that share a group, or an id up to `-1` and `-2`. By `distance`: neighbours that differ in few
    words. By `order`: the first with the second, and so on. Without `by`: by id if any item has a group or such an id.
    """
    given = list(items)
    if unknown := sorted(set(drop) - {item.id for item in given}):
        raise InputError(f"no item has the id '{unknown[0]}'", "name items that are there")
    kept = [item for item in given if item.id not in drop]
    left_out = Counter({"left out by name": len(given) - len(kept)} if drop else {})
    chosen = by or ("id" if any(_key(item) for item in kept) else "distance")
    if chosen == "id":
        found = _by_id(kept, left_out)
    else:
        limit = max_distance if chosen == "distance" else None
        found = [(f"pair-{number}", pair) for number, pair in enumerate(_neighbours(kept, limit, left_out))]
    return Twins(chosen, tuple(_twins(group, pair) for group, pair in found), left_out)


def as_published(items: Iterable[Item]) -> Twins:
    """The pairs of "Back to Square One": WSC-273 in order but for one item, everything else by distance."""
    given = list(items)
    if {item.id for item in given} == {f"wsc{number}" for number in range(WSC_SIZE)}:
        return couple(given, by="order", drop=(WSC_THIRD,))
    return couple(given, by="distance")


def non_associative(twins: Twins) -> Twins:
    """Without the pairs of which either twin can be guessed by association."""
    for item in twins.items():
        if "associative" not in item.features:
            raise InputError(f"'{item.id}' does not say whether it is associative", "give it the feature `associative`")
    kept = tuple(pair for pair in twins.pairs if all(item.features["associative"] == "0" for item in pair))
    gone = 2 * (len(twins.pairs) - len(kept))
    return replace(twins, pairs=kept, left_out=twins.left_out + Counter({"a twin is associative": gone}))


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words must be put in, taken out or exchanged to make one text of the other."""
    row = list(range(len(other) + 1))
    for place, word in enumerate(one, 1):
        diagonal, row[0] = row[0], place
        for column, against in enumerate(other, 1):
            cheapest = min(row[column] + 1, row[column - 1] + 1, diagonal + (word != against))
            diagonal, row[column] = row[column], cheapest
    return row[-1]


def near(one: str, other: str, max_distance: float) -> bool:
    """Whether two texts differ in at most that share of the shorter one's words."""
    ours, theirs = one.split(), other.split()
    shorter, longer = sorted((len(ours), len(theirs)))
    # What one is longer must be put in anyway: most neighbours need no closer look.
    if not shorter or (longer - shorter) / shorter > max_distance:
        return False
    return distance(ours, theirs) / shorter <= max_distance


def _key(item: Item) -> str | None:
    if item.group is not None:
        return item.group
    match = _STEM.fullmatch(item.id)
    return match["stem"] if match else None


def _by_id(items: Iterable[Item], left_out: Counter[str]) -> list[tuple[str, tuple[Item, Item]]]:
    members: dict[str, list[Item]] = {}
    for item in items:
        if (key := _key(item)) is None:
            left_out["has no group, and no id that ends in -1 or -2"] += 1
        else:
            members.setdefault(key, []).append(item)
    found = []
    for key, own in members.items():
        if len(own) == 2:
            found.append((key, (own[0], own[1])))
        else:
            left_out["its twin is not there" if len(own) == 1 else "more than two share a group"] += len(own)
    return found


def _neighbours(items: Sequence[Item], limit: float | None, left_out: Counter[str]) -> Iterator[tuple[Item, Item]]:
    """Each with the next if they are near enough; then on after both, else after the first."""
    taken = -1
    paired = 0
    for place, (one, other) in enumerate(pairwise(items)):
        if place > taken and (limit is None or _are_twins(one, other, limit)):
            taken = place + 1
            paired += 2
            yield one, other
    if alone := len(items) - paired:
        left_out["no neighbour is its twin" if limit is not None else "the last of an odd number"] += alone


def _are_twins(one: Item, other: Item, limit: float) -> bool:
    answers = [item.candidates[item.gold].text for item in (one, other) if item.gold is not None]
    return near(one.source, other.source, limit) and (len(answers) < 2 or answers[0] != answers[1])


def _twins(group: str, pair: tuple[Item, Item]) -> tuple[Item, Item]:
    # The gap is no word, and as long as the mark that stands for it here.
    one, other = differing_words(*(item.source.replace(GAP, "#") for item in pair))
    return _twin(pair[0], group, one), _twin(pair[1], group, other)


def _twin(item: Item, group: str, places: Iterable[tuple[int, int]]) -> Item:
    kept = tuple(span for span in item.spans if (span.role, span.field) != (TRIGGER, "source"))
    triggers = tuple(Span(TRIGGER, "source", start, end) for start, end in places)
    meta = item.meta if item.group in (None, group) else {**item.meta, "original_group": item.group}
    return msgspec.structs.replace(item, group=group, spans=kept + triggers, meta=meta)
