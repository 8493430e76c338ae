"""How long the texts of a set are, and how its items spread over labels.

Wino-X (Table 12) speaks of Moses tokens, but its figures come out only when text is split at single spaces, so both
are given: `moses` is what the paper says, `spaces` is what it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import sqrt

import msgspec

from referee.analysis.accuracy import DIMENSIONS, dimension_of, natural_order
from referee.io.progress import Progress, counted, no_progress
from referee.items import Item
from referee.languages.moses import token_counter
from referee.sets import Items


class Length(msgspec.Struct, frozen=True):
    """Mean and sample standard deviation of a number of texts."""

    texts: int
    mean: float
    deviation: float


class DatasetStatistics(msgspec.Struct, frozen=True):
    """What `referee stats dataset` reports of one set."""

    items: int
    groups: int
    candidates: int
    with_gold: int
    with_expected: int
    counts: dict[str, dict[str, int]]
    lengths: dict[str, dict[str, Length]]


class _Moments:
    """Count, sum and sum of squares: enough for mean and deviation without keeping the numbers."""

    def __init__(self) -> None:
        self.count = self.total = self.squares = 0

    def add(self, value: int) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    def length(self) -> Length:
        mean = self.total / self.count
        # Sums of integers are exact, so this difference does not cancel.
        spread = (self.count * self.squares - self.total * self.total) / self.count
        return Length(self.count, mean, sqrt(spread / (self.count - 1)) if self.count > 1 else 0.0)


def dataset_statistics(
    items: Items, dimensions: Sequence[str] = (*DIMENSIONS, "candidates"), progress: Progress = no_progress
) -> DatasetStatistics:
    """Count the items, groups and candidates of a set, and measure how long its texts are.

    `dimensions` are label, distance, candidates, or features of the items, by which items are counted.

    >>> import referee
    >>> statistics = dataset_statistics(referee.templates("fr", "gender"), ("gender",))
    >>> statistics.items == sum(statistics.counts["gender"].values())
    True
    """
    counts: dict[str, Counter[str]] = {dimension: Counter() for dimension in dimensions}
    moments: dict[str, dict[str, _Moments]] = {}
    counters: dict[str, Callable[[str], int]] = {}
    groups: set[str] = set()
    total = candidates = with_gold = with_expected = 0
    for item in counted(items, progress):
        total += 1
        groups.add(item.group_id)
        candidates += len(item.candidates)
        with_gold += item.gold is not None
        with_expected += bool(item.expected)
        for dimension in dimensions:
            if (key := dimension_of(item, dimension)) is not None:
                counts[dimension][key] += 1
        for field, language, text in _texts(item):
            if language not in counters:
                counters[language] = token_counter(language)
            if field not in moments:
                moments[field] = {"moses": _Moments(), "spaces": _Moments()}
            moments[field]["moses"].add(counters[language](text))
            moments[field]["spaces"].add(text.count(" ") + 1)
    return DatasetStatistics(
        items=total,
        groups=len(groups),
        candidates=candidates,
        with_gold=with_gold,
        with_expected=with_expected,
        counts={
            name: {key: counter[key] for key in sorted(counter, key=natural_order)}
            for name, counter in counts.items()
            if counter
        },
        lengths={field: {unit: m.length() for unit, m in units.items()} for field, units in moments.items()},
    )


def _texts(item: Item) -> Iterator[tuple[str, str, str]]:
    yield "source", item.source_lang, item.source
    for text in item.source_context:
        yield "source context", item.source_lang, text
    for text in item.target_context:
        yield "target context", item.target_lang, text
    for candidate in item.candidates:
        yield "candidate", item.target_lang, candidate.text
    if item.reference is not None:
        yield "reference", item.target_lang, item.reference
