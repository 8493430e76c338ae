"""Figures as the papers print them."""

from __future__ import annotations

from collections.abc import Sequence

from referee.stats.chance import ALPHA
from referee.stats.intervals import Interval

MARK = "*"
"""After a figure that beats chance."""


def percent(share: float) -> str:
    """A share as the papers print it."""
    return f"{100 * share:.1f}"


def interval(bounds: Interval) -> str:
    """An interval in per cent."""
    return f"{percent(bounds[0])}-{percent(bounds[1])}"


def points(difference: float) -> str:
    """A difference of two shares, with its sign."""
    return f"{100 * difference:+.1f}"


def probability(p: float) -> str:
    """A p-value; below a ten-thousandth only that."""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def marked(share: float, p: float | None) -> str:
    """A share, with a mark where guessing hardly does as well."""
    return percent(share) + (MARK if p is not None and p < ALPHA else "")


def in_line(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Rows whose figures stay below each other where some have a mark."""
    marks = {place for row in rows for place, cell in enumerate(row) if cell.endswith(MARK)}
    return [
        tuple(f"{cell} " if place in marks and not cell.endswith(MARK) else cell for place, cell in enumerate(row))
        for row in rows
    ]
