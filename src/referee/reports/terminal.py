"""Tables on a terminal (with lines and colour) or in a pipe (plain columns)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True)
class Table:
    """A title, column heads, and rows of text; columns in `left` are words, all others figures."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left: tuple[int, ...] = (0,)
    note: str = ""


def show(table: Table, stream: TextIO | None = None) -> None:
    """Prints a table in the way that suits where it goes."""
    stream = stream or sys.stdout
    if stream.isatty():
        _rich(table, stream)
    else:
        stream.write(plain(table) + "\n")


def plain(table: Table) -> str:
    """Columns in line, two spaces between them, no colour."""
    lines = [table.columns, *table.rows]
    widths = [max(len(row[place]) for row in lines) for place in range(len(table.columns))]
    body = [
        "  ".join(
            cell.ljust(width) if place in table.left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
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
    shown = RichTable(title=Text(table.title), caption=caption, box=box.SIMPLE_HEAD, title_justify="left")
    for place, column in enumerate(table.columns):
        shown.add_column(Text(column), justify="left" if place in table.left else "right", overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(cell) for cell in row))
    Console(file=stream).print(shown)
