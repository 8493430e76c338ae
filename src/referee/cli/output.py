"""Where the command line speaks: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from referee.io.progress import Progress, no_progress
from referee.io.streams import cleaned, raw
from referee.io.text import json_visible, one_line, recordable
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
    try:
        content = msgspec.json.encode(value)
    except UnicodeEncodeError:
        # A file name that is not UTF-8 is somewhere in it.
        content = msgspec.json.encode(_recordable(msgspec.to_builtins(value)))
    sys.stdout.write(json_visible(msgspec.json.format(content, indent=2).decode()) + "\n")


def _recordable(value: object) -> object:
    if isinstance(value, dict):
        return {_recordable(key): _recordable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_recordable(inner) for inner in value]
    return recordable(value) if isinstance(value, str) else value


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
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), amount, TimeRemainingColumn())
    console = Console(file=raw(sys.stderr))
    # The bar takes over stdout and stderr while it is shown, so that lines appear above it: they are cleaned again.
    with ProgressBars(*columns, console=console, transient=True) as bars, cleaned():
        bar = bars.add_task(one_line(what), total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)
