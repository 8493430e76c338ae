"""Whether a judge leans to some values of a feature, or chose them as often as it did by luck.

Chosen and rejected alternatives come in pairs, and twins in groups, so tests that take them for independent find a
bias in one of six judges that have none. Here a group is one observation, whatever goes on inside.
"""

from __future__ import annotations

import numpy as np

from referee.stats.intervals import Floats

LEAST = 10
"""How many groups must bear on a question for an answer to be given."""

_NOTHING = 1e-9


def mean_is_zero(sums: Floats) -> float | None:
    """How likely sums as far from zero are if all of them are zero on average: Hotelling's T-squared test.

    One row a group, one column a value. Directions in which hardly any group differs from zero are left out, since
    nothing can be said of them; None where that leaves none. Sums that all are zero cannot be nearer to it.
    """
    count = len(sums)
    if count >= LEAST and np.abs(sums).max() < _NOTHING:
        return 1.0
    # Of the plain second moments, not of those around the mean: a judge that always chooses the same leaves no
    # variance around its mean, and must not be overlooked for that.
    weights, directions = np.linalg.eigh(sums.T @ sums)
    some = weights > _NOTHING * max(1.0, weights.max())
    weights, directions = weights[some], directions[:, some]
    along = sums @ directions
    telling = weights**2 >= LEAST * (along**4).sum(axis=0)
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
