"""Whether a result beats guessing: the exact test of so many hits, one-sided.

With as many alternatives everywhere this is the binomial test. Where their number differs, and for groups of different
size, each case has a chance of its own; the number of hits is then a sum of binomials, and still known exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import fsum, lgamma

import msgspec
import numpy as np

from referee.stats.intervals import Floats

ALPHA = 0.05
"""What counts as beating chance."""


class Guessing(msgspec.Struct, frozen=True):
    """What guessing gives on average, and `p`, how likely it gives as many hits as were found, or more."""

    chance: float
    p: float

    @property
    def beaten(self) -> bool:
        """Whether the result is hardly a guess."""
        return self.p < ALPHA


def against_guessing(hits: int, chances: Iterable[float]) -> Guessing:
    """Against guesses that are right with these chances, each on its own; there is at least one."""
    counts = Counter(chances)
    mean = fsum(chance * count for chance, count in counts.items()) / counts.total()
    return Guessing(mean, _at_least(hits, counts))


def group_chances(chances: Sequence[float], groups: Sequence[Hashable]) -> list[float]:
    """How likely each group is guessed right as a whole."""
    products: dict[Hashable, list[float]] = {}
    for chance, group in zip(chances, groups, strict=True):
        products.setdefault(group, []).append(chance)
    # Sorted, so that groups with the same members have the very same product.
    return [float(np.prod(sorted(members))) for members in products.values()]


def _at_least(hits: int, counts: Mapping[float, int]) -> float:
    distribution = np.ones(1)
    for chance in sorted(counts):
        distribution = np.convolve(distribution, _binomial(counts[chance], chance))
    # Small ones first: a tail is a sum of tiny numbers.
    return min(1.0, fsum(distribution[max(0, hits) :].tolist()))


def _binomial(count: int, chance: float) -> Floats:
    """How likely 0 to `count` hits are."""
    hits = np.arange(count + 1)
    if chance in (0.0, 1.0):
        return np.where(hits == count * chance, 1.0, 0.0)
    factorials = np.fromiter((lgamma(number + 1) for number in range(count + 1)), np.float64, count + 1)
    ways = factorials[count] - factorials - factorials[::-1]
    logs: Floats = ways + hits * np.log(chance) + (count - hits) * np.log1p(-chance)
    return np.exp(logs)
