"""A scorecard in words and figures: on the terminal first the figures, a line a suite, then what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.scorecard import COLUMNS, Cell, Grade, ScorecardRow, Unit
from referee.reports.model import Scorecard, Table
from referee.reports.wording import cell_verdict

HEADS = {
    "accuracy": ("Accuracy", "How often is it right?"),
    "groups": ("Whole groups", "Right in every version of an item?"),
    "artifacts": ("Artifacts", "Does it need the evidence?"),
    "attacks": ("Under attack", "Does it hold when words change?"),
    "bias": ("Bias", "Does it lean to one answer?"),
    "trigger": ("Trigger", "Does the deciding word count?"),
    "written": ("Written", "Does it write what it scores best?"),
}
"""What a column is called, and what it asks."""

GRADES: dict[Grade, tuple[str, str]] = {
    "good": ("✓", "good"),
    "fair": ("~", "fair"),
    "bad": ("✗", "poor"),
    "unknown": ("–", "no verdict"),
}
"""A sign and a word for every grade: colour alone tells nothing to some, and nothing on paper."""


def value_text(cell: Cell) -> str:
    """The figure without its unit; shares are given in per cent, differences of shares in points."""
    return "" if cell.value is None else _figure(cell.value, cell.unit)


def interval_text(cell: Cell) -> str:
    """From where to where the figure may lie; nothing where that is not known."""
    if cell.interval is None or cell.value is None:
        return ""
    low, high = (_figure(bound, cell.unit) for bound in cell.interval)
    return f"{low}–{high}" if cell.unit == "%" else f"{low} to {high}"


def _figure(value: float, unit: Unit) -> str:
    if unit == "%":
        return f"{100 * value:.1f}"
    if unit == "points":
        return f"{100 * value:+.1f}"
    return f"{value:.2f}"


def way(line: ScorecardRow) -> str:
    """How the items of a line were judged."""
    how = "by scores" if line.kind == "contrastive" else "by what it writes"
    return f"{how}, rule {line.rule}" if line.rule else how


def cell_text(cell: Cell | None) -> str:
    """All that a cell says, in one line."""
    if cell is None or cell.value is None:
        return "" if cell is None else cell_verdict(cell)
    figure, bounds = _with_unit(cell), interval_text(cell)
    return figure + (f" ({bounds})" if bounds else "") + f". {cell_verdict(cell)}"


def card_table(card: Scorecard) -> Table:
    """A scorecard as an ordinary table of words."""
    names = ("suite", "judged", "items", *(HEADS[name][0] for name in COLUMNS))
    rows = [
        (line.suite, way(line), str(line.items), *(cell_text(line.cells.get(name)) for name in COLUMNS))
        for line in card.rows
    ]
    words = tuple(place for place in range(len(names)) if place != 2)
    return Table(f"Scorecard of {card.title}", names, rows, left=words)


def scorecard_tables(lines: Sequence[ScorecardRow]) -> list[Table]:
    """None where there is nothing to say."""
    if not lines:
        return []
    heads = ("suite", "items", *(HEADS[name][0].lower() for name in COLUMNS))
    rows = [(line.suite, str(line.items), *(_short(line.cells.get(name)) for name in COLUMNS)) for line in lines]
    signs = ", ".join(f"{sign} {word}" for grade, (sign, word) in GRADES.items() if grade != "unknown")
    return [
        Table("scorecard", heads, rows, note=f"{signs}; docs/diagnosis.md says when"),
        *(_words(line) for line in lines),
    ]


def _short(cell: Cell | None) -> str:
    if cell is None or cell.value is None:
        return GRADES["unknown"][0]
    return f"{_with_unit(cell)} {GRADES[cell.grade][0]}"


def _with_unit(cell: Cell) -> str:
    return f"{value_text(cell)} {cell.unit}".rstrip()


def _words(line: ScorecardRow) -> Table:
    rows = [
        (HEADS[name][1], "" if cell.value is None else _with_unit(cell), interval_text(cell), cell_verdict(cell))
        for name in COLUMNS
        if (cell := line.cells.get(name)) is not None
    ]
    title = f"{line.suite}, {way(line)}: {line.items} items"
    return Table(title, ("", "figure", "95 % interval", "in plain words"), rows, left=(0, 3))
