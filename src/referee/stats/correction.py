"""Several tests at once: some of them come out small by luck alone."""

from __future__ import annotations

from collections.abc import Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """Each p-value as it counts among all of them (Holm's step-down), in the order given."""
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    adjusted = [1.0] * len(ps)
    least = 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = least
    return adjusted
