"""Tables on a terminal (with lines and colour) or in a pipe (plain columns)."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TextIO

from referee.io.streams import raw
from referee.io.text import one_line, visible
from referee.reports.model import Table


def show(table: Table, stream: TextIO | None = None) -> None:
    """Print a table: drawn on a terminal, as plain columns anywhere else."""
    stream = stream or sys.stdout
    table = _clean(table)
    if stream.isatty():
        _rich(table, stream)
    else:
        stream.write(plain(table) + "\n")


def _clean(table: Table) -> Table:
    """The same table with nothing in its cells that moves the cursor or ends a row."""
    rows = [tuple(map(one_line, row)) for row in table.rows]
    columns = tuple(map(one_line, table.columns))
    return replace(table, title=one_line(table.title), columns=columns, rows=rows, note=visible(table.note))


def plain(table: Table) -> str:
    """Aligned columns, two spaces between them, no colour."""
    lines = [table.columns, *table.rows]
    widths = [max(len(row[column]) for row in lines) for column in range(len(table.columns))]
    body = [
        "  ".join(
            cell.ljust(width) if column in table.left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in lines
    ]
    return "\n".join([table.title, *body, *([table.note] if table.note else [])]) + "\n"


def _rich(table: Table, stream: TextIO) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    # Text objects, never markup: a label such as "[red]" is data.
    caption = Text(table.note) if table.note else None
    drawn = RichTable(title=Text(table.title), caption=caption, box=box.SIMPLE_HEAD, title_justify="left")
    for column, head in enumerate(table.columns):
        drawn.add_column(Text(head), justify="left" if column in table.left else "right", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(cell) for cell in row))
    Console(file=raw(stream)).print(drawn)
