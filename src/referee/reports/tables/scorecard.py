"""A scorecard as tables: first the values, one row per suite, then what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.scorecard import COLUMNS, Cell, NotMeasured, ScorecardRow, Unit
from referee.reports.format import interval, percent, points
from referee.reports.model import Scorecard, Table
from referee.reports.wording import GRADES, HEADS, KINDS, cell_verdict, not_measured


def value_text(cell: Cell) -> str:
    """The value without its unit; shares in per cent, differences of shares in percentage points."""
    return "" if cell.value is None else _figure(cell.value, cell.unit)


def interval_text(cell: Cell) -> str:
    """The confidence interval without its unit; empty without a value."""
    if cell.interval is None or cell.value is None:
        return ""
    if cell.unit == "%":
        return interval(cell.interval)
    low, high = (_figure(bound, cell.unit) for bound in cell.interval)
    return f"{low} to {high}"


def _figure(value: float, unit: Unit) -> str:
    if unit == "%":
        return percent(value)
    return points(value) if unit == "pp" else f"{value:.2f}"


def way(row: ScorecardRow) -> str:
    """How the items of a row were evaluated."""
    return f"{KINDS[row.kind]}, rule {row.rule}" if row.rule else KINDS[row.kind]


def cell_text(cell: Cell | None) -> str:
    """All that a cell says, in one line."""
    if cell is None or cell.value is None:
        return "" if cell is None else cell_verdict(cell)
    bounds = interval_text(cell)
    return _with_unit(cell) + (f" (95% CI {bounds})" if bounds else "") + f". {cell_verdict(cell)}"


def measured_columns(rows: Sequence[ScorecardRow]) -> tuple[str, ...]:
    """The columns in which some row has more to say than that nothing was measured."""
    return tuple(name for name in COLUMNS if any(is_measured(row.cells.get(name)) for row in rows))


def is_measured(cell: Cell | None) -> bool:
    """Whether a cell says anything of the model."""
    return cell is not None and not isinstance(cell.outcome, NotMeasured)


def card_table(card: Scorecard) -> Table:
    """A scorecard as an ordinary table of words."""
    columns = measured_columns(card.rows)
    names = ("suite", "evaluated by", "items", *(HEADS[name][0] for name in columns))
    rows = [
        (row.suite, way(row), str(row.items), *(cell_text(row.cells.get(name)) for name in columns))
        for row in card.rows
    ]
    left = tuple(column for column, name in enumerate(names) if name != "items")
    return Table(f"Scorecard of {card.title}", names, rows, left=left, note=not_measured(card.rows))


def scorecard_tables(rows: Sequence[ScorecardRow]) -> list[Table]:
    """One table for all suites, and one per suite; none where there is nothing to say."""
    if not rows:
        return []
    columns = measured_columns(rows)
    heads = ("suite", "items", *(HEADS[name][0].lower() for name in columns))
    cells = [(row.suite, str(row.items), *(_short(row.cells.get(name)) for name in columns)) for row in rows]
    signs = ", ".join(f"{sign} {word}" for sign, word in GRADES.values())
    note = f"{signs}. {not_measured(rows)}".rstrip()
    return [Table("scorecard", heads, cells, note=note), *(_interpretation(row, columns) for row in rows)]


def _short(cell: Cell | None) -> str:
    if cell is None or cell.value is None:
        return GRADES["unknown"][0]
    return f"{_with_unit(cell)} {GRADES[cell.grade][0]}"


def _with_unit(cell: Cell) -> str:
    if cell.unit in ("r", "d"):
        return f"{cell.unit} = {value_text(cell)}"
    return value_text(cell) + {"%": "%", "pp": " pp"}.get(cell.unit, "")


def _interpretation(row: ScorecardRow, columns: Sequence[str]) -> Table:
    rows = [
        (HEADS[name][0], "" if cell.value is None else _with_unit(cell), interval_text(cell), cell_verdict(cell))
        for name in columns
        if (cell := row.cells.get(name)) is not None
    ]
    title = f"{row.suite} ({way(row)}): {row.items} items"
    return Table(title, ("", "value", "95% CI", "interpretation"), rows, left=(0, 3))
