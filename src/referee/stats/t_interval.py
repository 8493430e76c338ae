"""The t interval, for means of independent numbers without bounds."""

from __future__ import annotations

from math import sqrt

from referee.stats.intervals import LEVEL, Floats, Interval


def t_interval(values: Floats, level: float = LEVEL) -> Interval | None:
    """Compute the interval of the mean of independent values; None with fewer than two."""
    if len(values) < 2:
        return None
    from scipy.special import stdtrit

    mean = float(values.mean())
    margin = float(stdtrit(len(values) - 1, (1 + level) / 2)) * float(values.std(ddof=1)) / sqrt(len(values))
    return (mean - margin, mean + margin)
