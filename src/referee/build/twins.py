"""Twins: items that differ in a word or two and in their answer, paired as in "Back to Square One".

A model that understands an item gets both twins right; one that relies on an artifact gets one of them right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

import msgspec

from referee.errors import InputError, UsageError, either
from referee.items import GAP, Item, Span
from referee.languages import script
from referee.languages.text import differing_words
from referee.sets import Items, as_set

By = Literal["id", "distance", "order"]

MAX_DISTANCE = 0.3
TRIGGER = "trigger"
WSC_SIZE = 273
WSC_THIRD = "wsc254"
"""Three of the 273 schemas belong together; the paper leaves this one out."""

_STEM = re.compile(r"(?P<stem>.+)-[12]", re.DOTALL)
_WSC = {f"wsc{number}": number for number in range(WSC_SIZE)}


@dataclass(frozen=True)
class Twins:
    """Pairs, each a group, the rule that paired them, and the reasons why other items are in no pair.

    Iterating gives the items, twins next to each other, so it can be evaluated and saved like any set.
    """

    by: By
    pairs: tuple[tuple[Item, Item], ...]
    left_out: Counter[str]

    def __iter__(self) -> Iterator[Item]:
        for pair in self.pairs:
            yield from pair

    def trigger_counts(self) -> dict[int, int]:
        """The number of items by the number of words that their twins do not have."""
        counts = Counter(sum(span.role == TRIGGER for span in item.spans) for item in self)
        return dict(sorted(counts.items()))


def couple_twins(
    items: Items,
    *,
    by: By | None = None,
    max_distance: float | None = None,
    drop: Collection[str] = (),
    without_associative: bool = False,
    paper: bool = False,
) -> Twins:
    """Couple items that differ in a word or two into groups of two; a set without any twins is an error.

    Args:
        items: A set, or items in memory.
        by: The rule that couples, see `couple`.
        max_distance: The share of words in which neighbours may differ, 0.3 by default; only by `distance`.
        drop: Ids of items that are left out.
        without_associative: Leave out pairs of which either twin can be guessed by association.
        paper: Couple as "Back to Square One" did; leaves no choice of the others but `without_associative`.

    >>> from referee import Candidate, Item
    >>> def schema(id, adjective, gold):
    ...     candidates = (Candidate("the trophy"), Candidate("the case"))
    ...     source = f"The trophy does not fit into the case because _ is too {adjective}."
    ...     return Item(id=id, task="fill", source_lang="en", target_lang="en", source=source, candidates=candidates,
    ...                 gold=gold)
    >>> twins = couple_twins([schema("a", "big", 0), schema("b", "small", 1)])
    >>> [(item.id, item.group) for item in twins]
    [('a', 'pair-0'), ('b', 'pair-0')]

    """
    if by is not None and by not in get_args(By):
        raise UsageError(f"--by: '{by}' is not a pairing rule", f"choose {either(get_args(By))}")
    if paper and (by or drop or max_distance is not None):
        raise UsageError("--paper sets the pairing rule itself", "remove --by, --max-distance and --drop")
    if max_distance is not None and by != "distance":
        raise UsageError("--max-distance needs the pairing rule distance", "add --by distance")
    given = as_set(items)
    limit = MAX_DISTANCE if max_distance is None else max_distance
    twins = as_published(given) if paper else couple(given, by=by, max_distance=limit, drop=drop)
    twins = non_associative(twins) if without_associative else twins
    if not twins.pairs:
        reasons = ", ".join(_told(count, reason) for reason, count in twins.left_out.most_common()) or "no items"
        others = " or ".join(f"--by {rule}" for rule in get_args(By) if rule != twins.by)
        raise InputError(f"no twins found ({reasons})", f"try another pairing rule: {others}", given.name)
    return twins


def _told(count: int, reason: str) -> str:
    items, have = ("item", "has") if count == 1 else ("items", "have")
    return f"{count:,} {items} {reason if reason.startswith('dropped') else f'{have} {reason}'}"


def couple(
    items: Iterable[Item], *, by: By | None = None, max_distance: float = MAX_DISTANCE, drop: Collection[str] = ()
) -> Twins:
    """Pair items, each pair in a group of its own, with the words in which the twins differ marked as triggers.

    By `id`: items that share a group, or an id up to `-1` and `-2`. By `distance`: neighbours that differ in few words.
    By `order`: the first and the second, and so on. Without `by`: by id if any item has a group or such an id.
    """
    given = list(items)
    if unknown := sorted(set(drop) - {item.id for item in given}):
        raise InputError(f"--drop: no item has the id '{unknown[0]}'", "check the id")
    kept = [item for item in given if item.id not in drop]
    left_out = Counter({"dropped by id": len(given) - len(kept)} if drop else {})
    chosen = by or ("id" if any(_key(item) for item in kept) else "distance")
    if chosen == "id":
        grouped = _by_id(kept, left_out)
    else:
        limit = max_distance if chosen == "distance" else None
        grouped = [(f"pair-{number}", pair) for number, pair in enumerate(_neighbours(kept, limit, left_out))]
    return Twins(chosen, tuple(_twins(group, pair) for group, pair in grouped), left_out)


def as_published(items: Iterable[Item]) -> Twins:
    """The pairs of "Back to Square One": those of WSC-273 by its order except for one item, other sets by distance.

    A part of WSC-273, such as WSC-na, has the same pairs as the whole.
    """
    given = list(items)
    if not given or any(item.id not in _WSC for item in given):
        return couple(given, by="distance")
    kept = [item for item in given if item.id != WSC_THIRD]
    left_out = Counter({"dropped by id": len(given) - len(kept)} if len(kept) < len(given) else {})
    members: dict[int, list[Item]] = {}
    for item in kept:
        number = _WSC[item.id] - (_WSC[item.id] > _WSC[WSC_THIRD])
        members.setdefault(number // 2, []).append(item)
    pairs = [(f"pair-{number}", pair) for number, pair in members.items() if len(pair) == 2]
    if alone := len(kept) - 2 * len(pairs):
        left_out["no counterpart"] += alone
    # The suites number the pairs themselves.
    named = (
        (one.group if one.group and one.group == other.group else name, one, other) for name, (one, other) in pairs
    )
    return Twins("order", tuple(_twins(group, (one, other)) for group, one, other in named), left_out)


def non_associative(twins: Twins) -> Twins:
    """The twins without pairs of which either item can be guessed by association."""
    for item in twins:
        if "associative" not in item.features:
            raise InputError(
                f"the item '{item.id}' has no feature `associative`",
                "add the feature (0 or 1), or remove --non-associative",
            )
    kept = tuple(pair for pair in twins.pairs if all(item.features["associative"] == "0" for item in pair))
    gone = 2 * (len(twins.pairs) - len(kept))
    return replace(twins, pairs=kept, left_out=twins.left_out + Counter({"associative twin": gone}))


def distance(one: Sequence[str], other: Sequence[str]) -> int:
    """The edit distance of two texts in words."""
    row = list(range(len(other) + 1))
    for index, word in enumerate(one, 1):
        diagonal, row[0] = row[0], index
        for column, against in enumerate(other, 1):
            cheapest = min(row[column] + 1, row[column - 1] + 1, diagonal + (word != against))
            diagonal, row[column] = row[column], cheapest
    return row[-1]


def near(one: str, other: str, max_distance: float) -> bool:
    """Whether the edit distance of two texts is at most that share of the shorter text's words."""
    ours, theirs = (script.words(text) if script.is_unspaced(text) else text.split() for text in (one, other))
    shorter, longer = sorted((len(ours), len(theirs)))
    # The distance is at least the difference in length: most neighbours are ruled out at once.
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
            left_out["no group and no id that ends in -1 or -2"] += 1
        else:
            members.setdefault(key, []).append(item)
    pairs = []
    for key, group in members.items():
        if len(group) == 2:
            pairs.append((key, (group[0], group[1])))
        else:
            left_out["no counterpart" if len(group) == 1 else "more than one counterpart"] += len(group)
    return pairs


def _neighbours(items: Sequence[Item], limit: float | None, left_out: Counter[str]) -> Iterator[tuple[Item, Item]]:
    """Neighbours that are near enough; an item is in one pair only."""
    taken = -1
    paired = 0
    for index, (one, other) in enumerate(pairwise(items)):
        if index > taken and (limit is None or _are_twins(one, other, limit)):
            taken = index + 1
            paired += 2
            yield one, other
    if alone := len(items) - paired:
        left_out["no similar neighbour" if limit is not None else "no partner in an odd number of items"] += alone


def _are_twins(one: Item, other: Item, limit: float) -> bool:
    answers = [item.candidates[item.gold].text for item in (one, other) if item.gold is not None]
    return near(one.source, other.source, limit) and (len(answers) < 2 or answers[0] != answers[1])


def _twins(group: str, pair: tuple[Item, Item]) -> tuple[Item, Item]:
    # The gap is not a word: a mark of the same length takes its place.
    sources = [item.source.replace(GAP, "#") for item in pair]
    one, other = differing_words(sources[0], sources[1], pair[0].source_lang)
    return _twin(pair[0], group, one), _twin(pair[1], group, other)


def _twin(item: Item, group: str, words: Iterable[tuple[int, int]]) -> Item:
    kept = tuple(span for span in item.spans if (span.role, span.field) != (TRIGGER, "source"))
    triggers = tuple(Span(TRIGGER, "source", start, end) for start, end in words)
    meta = item.meta if item.group in (None, group) else {**item.meta, "original_group": item.group}
    return msgspec.structs.replace(item, group=group, spans=kept + triggers, meta=meta)
