"""Numbers as English papers print them: 44.4%, 95% CI 40.4–48.5, p < 0.0001, 3.1 pp."""

from __future__ import annotations

from collections.abc import Sequence

from referee.stats.intervals import Interval
from referee.stats.levels import Against

MARK = "*"
"""After a number that is significantly above chance."""


def percent(share: float) -> str:
    """A share without its unit, for a column whose heading has it."""
    return f"{100 * share:.1f}"


def percentage(share: float) -> str:
    """A share with its unit, for running text."""
    return f"{percent(share)}%"


def interval(bounds: Interval) -> str:
    """The interval of a share, without its unit."""
    return f"{percent(bounds[0])}–{percent(bounds[1])}"


def points(difference: float) -> str:
    """A difference of two shares with its sign, without its unit."""
    return f"{100 * difference:+.1f}"


def points_interval(bounds: Interval) -> str:
    """The interval of a difference of two shares, without its unit."""
    return f"{points(bounds[0])} to {points(bounds[1])}"


def percentage_points(difference: float) -> str:
    """The size of a difference of two shares with its unit, for running text."""
    return f"{percent(abs(difference))} pp"


def probability(p: float) -> str:
    """A p-value for a column; below a ten-thousandth only that."""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def p_value(p: float) -> str:
    """A p-value for running text."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def marked(share: float, against: Against | None) -> str:
    """A share, marked where it is significantly above chance."""
    return percent(share) + (MARK if against is not None and against.standing == "above" else "")


def in_line(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Pad rows so that numbers stay aligned where some have a mark."""
    marks = {column for row in rows for column, cell in enumerate(row) if cell.endswith(MARK)}
    return [
        tuple(f"{cell} " if column in marks and not cell.endswith(MARK) else cell for column, cell in enumerate(row))
        for row in rows
    ]
