"""Simulated models: which items of which groups they answer correctly, what they choose, what a change does to them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

MIXED = (1, 2, 3, 6, 12)
INDEPENDENT, WHOLE = "independent", "whole"
"""Members of a group have nothing in common; or they are correct or incorrect as one."""

Way = Literal["independent", "together", "asymmetric"]
"""How a change befalls a group: its items one by one, all at once, or whole groups break while single items recover."""


def group_sizes(pattern: str, groups: int) -> Counts:
    """How many items each group has: all the same number, or "mixed", from 1 to 12."""
    return np.resize(np.array(MIXED if pattern == "mixed" else [int(pattern)]), groups).astype(np.int64)


def group_kinds(sizes: Counts, *columns: Flags | Counts) -> bytes:
    """How many groups there are of each kind: their size, and the sum of each column. Their order does not matter."""
    starts = np.cumsum(sizes) - sizes
    rows = np.stack([sizes, *(np.add.reduceat(column.astype(np.int64), starts) for column in columns)])
    return rows[:, np.lexsort(rows)].astype(np.int16).tobytes()


def correct(rng: Generator, sizes: Counts, share: float, within: str) -> Flags:
    """Draw which items are correct, group after group; `share` of them are on average, whatever is `within` a group.

    `within` is "independent", "whole", "beta 0.3" (beta-binomial with this correlation) or "one 0.3" (a group is
    answered as one with this probability, else item by item).
    """
    groups = len(sizes)
    if within == INDEPENDENT:
        return rng.random(int(sizes.sum())) < share
    if within == WHOLE:
        return np.repeat(rng.random(groups) < share, sizes)
    kind, _, number = within.partition(" ")
    correlation = float(number)
    if kind == "beta":
        scale = (1 - correlation) / correlation
        chances = rng.beta(share * scale, (1 - share) * scale, groups)
        return rng.random(int(sizes.sum())) < np.repeat(chances, sizes)
    alone = rng.random(int(sizes.sum())) < share
    as_one = np.repeat(rng.random(groups) < share, sizes)
    together = np.repeat(rng.random(groups) < correlation, sizes)
    return np.where(together, as_one, alone)


def whole_share(sizes: Counts, share: float, within: str) -> float:
    """The expected group score of `correct`: how often all members of a group are."""
    if within == WHOLE:
        return share
    kind, _, number = within.partition(" ")
    alone = share**sizes
    if within == INDEPENDENT:
        return float(alone.mean())
    correlation = float(number)
    if kind == "one":
        return float((correlation * share + (1 - correlation) * alone).mean())
    scale = (1 - correlation) / correlation
    by_size = {
        size: float(np.prod([(share * scale + step) / (scale + step) for step in range(size)]))
        for size in set(sizes.tolist())
    }
    return float(np.mean([by_size[size] for size in sizes.tolist()]))


def one_of_each(rng: Generator, sizes: Counts, heuristic: float, share: float) -> Flags:
    """A heuristic that answers all members of a group alike, where each has another answer: one of them is correct.

    `heuristic` of the groups are answered so, the others item by item with this `share` correct.
    """
    starts = np.cumsum(sizes) - sizes
    one = np.zeros(int(sizes.sum()), np.bool_)
    one[starts + rng.integers(0, sizes)] = True
    alone = rng.random(int(sizes.sum())) < share
    return np.where(np.repeat(rng.random(len(sizes)) < heuristic, sizes), one, alone)


def changed(
    rng: Generator, sizes: Counts, lost: float, won: float, way: Way, share: float = 0.8
) -> tuple[Flags, Flags]:
    """Draw which items are correct before and after a change that breaks `lost` of all items and recovers `won`.

    `share` of the items that do not change are correct. With "asymmetric", `lost` of the groups break whole, and
    in the others single items recover.
    """
    total, groups = int(sizes.sum()), len(sizes)
    if way == "asymmetric":
        broken = np.repeat(rng.random(groups) < lost, sizes)
        recovered = ~broken & (rng.random(total) < won / (1 - lost))
    else:
        drawn = rng.random(total) if way == "independent" else np.repeat(rng.random(groups), sizes)
        broken, recovered = drawn < lost, drawn >= 1 - won
    steady = rng.random(total) < share
    return np.where(broken | recovered, broken, steady), np.where(broken | recovered, recovered, steady)


def golds(rng: Generator, sizes: Counts, pattern: str, rare: float) -> Counts:
    """Draw the value that is correct: 1 is the rare one, with the probability `rare`.

    "items": each item by itself; "groups": one value for a whole group; "twins": both values in turn in every group.
    """
    total = int(sizes.sum())
    if pattern == "twins":
        starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
        return ((np.arange(total) - starts) % 2).astype(np.int64)
    if pattern == "groups":
        return np.repeat(rng.random(len(sizes)) < rare, sizes).astype(np.int64)
    return (rng.random(total) < rare).astype(np.int64)


def chosen(rng: Generator, gold: Counts, right: Flags, lean: float, candidates: int = 2) -> Counts:
    """Choose among values: the correct one where `right`, else any other; in `lean` of the items value 1."""
    others = rng.integers(1, candidates, len(gold)) if candidates > 2 else np.ones(len(gold), np.int64)
    answers = np.where(right, gold, (gold + others) % candidates)
    return np.where(rng.random(len(gold)) < lean, 1, answers).astype(np.int64)


def saliences(rng: Generator, sizes: Counts, words: int, triggers: int, factor: float) -> list[Floats]:
    """Draw heavy-tailed salience, item by item: words have a salience of their own that the members of a group share.

    The first words are the trigger words, whose salience is larger by `factor`. Returns one row per item.
    """
    rows = []
    for count in sizes.tolist():
        of_words = (
            rng.lognormal(0.0, 1.0) * rng.lognormal(0.0, 0.8, words) * np.where(rng.random(words) < 0.85, 1, -0.3)
        )
        for _ in range(count):
            values = of_words * rng.lognormal(0.0, 0.6, words)
            values[:triggers] *= factor
            rows.append(values)
    return rows
