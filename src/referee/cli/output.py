"""Where the command line speaks: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from referee.io.progress import Progress, no_progress
from referee.reports.model import Table
from referee.reports.terminal import show


def say(text: str) -> None:
    """A remark that is not a result."""
    sys.stderr.write(text + "\n")


def result(text: str) -> None:
    """A line of the result."""
    sys.stdout.write(text + "\n")


def show_tables(tables: list[Table]) -> None:
    """The tables of a result."""
    for table in tables:
        show(table)


def say_unknown(wanted: list[str] | None, available: set[str]) -> None:
    """A remark on every `--by` that no item has."""
    for dimension in wanted or ():
        if dimension not in available:
            say(f"--by: no item has '{dimension}'. Choose label, distance, candidates or a feature of the items.")


def print_json(value: object) -> None:
    """The one JSON object of `--json`."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


@contextmanager
def progress_bar(what: str, unit: str = "items") -> Iterator[Progress]:
    """A bar on stderr while it is a terminal; called with what is done and, where known, of how much."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as ProgressBars

    amount = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), amount, TimeRemainingColumn())
    with ProgressBars(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(what, total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)
