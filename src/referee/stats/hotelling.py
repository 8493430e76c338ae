"""Hotelling's T-squared test that a vector is zero on average, with a group as one observation.

Chosen and rejected candidates come in pairs, and twins in groups, so tests that treat them as independent find a bias
in one of six models that have none. Here only groups are independent, whatever happens inside.
"""

from __future__ import annotations

import numpy as np

from referee.stats.intervals import Floats

MIN_GROUPS = 10
"""How many groups must bear on a question for an answer to be given."""

_NOTHING = 1e-9


def mean_is_zero(sums: Floats) -> float | None:
    """Compute the p-value of sums as far from zero as these, if all of them are zero on average.

    One row per group, one column per value. Directions in which hardly any group differs from zero are left out, since
    nothing can be said of them; None where that leaves none. Sums that all are zero cannot be nearer to it.
    """
    count = len(sums)
    if count >= MIN_GROUPS and np.abs(sums).max() < _NOTHING:
        return 1.0
    # Of the plain second moments, not of those around the mean: a model that always chooses the same leaves no
    # variance around its mean, and must not be overlooked for that.
    weights, directions = np.linalg.eigh(sums.T @ sums)
    some = weights > _NOTHING * max(1.0, weights.max())
    weights, directions = weights[some], directions[:, some]
    along = sums @ directions
    telling = weights**2 >= MIN_GROUPS * (along**4).sum(axis=0)
    rank = int(telling.sum())
    if not 0 < rank < count:
        return None
    distance = float((along.sum(axis=0)[telling] ** 2 / weights[telling]).sum())
    return _tail(min(distance, count), rank, count)


def _tail(distance: float, rank: int, count: int) -> float:
    """T-squared is (n - 1) d / (n - d) for this distance d, so d / n is distributed as Beta(rank/2, (n - rank)/2)."""
    from scipy.special import betainc

    p = float(betainc((count - rank) / 2, rank / 2, 1 - distance / count))
    # As many signs can be drawn: no test of so few groups can be surer than one that tries all of them.
    return max(p, 2.0 ** (1 - count))
