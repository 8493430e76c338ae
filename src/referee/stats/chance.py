"""Whether a result is above chance: the exact one-sided test of a number of hits.

With the same number of candidates everywhere this is the binomial test. Where it differs, and for groups of different
sizes, each case has a chance level of its own; the number of hits is then a sum of binomials, and still known exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, lgamma, prod

import msgspec
import numpy as np

from referee.stats.groups import GroupIndex
from referee.stats.intervals import Floats

ALPHA = 0.05
"""The significance level."""


class ChanceTest(msgspec.Struct, frozen=True):
    """The chance level, and `p`, how likely as many hits or more are at chance."""

    chance: float
    p: float


def chance_test(hits: int, chances: Iterable[float]) -> ChanceTest:
    """Test a number of hits against independent cases with these chance levels; there is at least one case."""
    counts = Counter(chances)
    mean = fsum(chance * count for chance, count in counts.items()) / counts.total()
    return ChanceTest(mean, _at_least(hits, counts))


def group_chances(chances: Sequence[float], groups: GroupIndex) -> list[float]:
    """Compute the chance level of each group as a whole."""
    members: dict[int, list[float]] = {}
    for chance, group in zip(chances, groups.tolist(), strict=True):
        members.setdefault(group, []).append(chance)
    # Sorted, so that groups with the same members have the very same product.
    return [prod(sorted(of_group)) for of_group in members.values()]


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
