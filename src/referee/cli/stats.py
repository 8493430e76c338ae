"""`referee stats`: statistics of sets."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.options import By, Data, Json

app = typer.Typer(help="Compute statistics of sets.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def root() -> None:
    """Compute statistics of sets."""


@app.command("dataset")
def dataset(
    sets: Annotated[list[str], typer.Argument(metavar="SET", help="Files of items, or suites by name.")],
    by: By = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Count items, groups, candidates and text lengths."""
    from referee.analysis.accuracy import DIMENSIONS
    from referee.analysis.corpus.dataset import dataset_statistics
    from referee.cli.output import print_json, progress_bar, say_unknown, show_tables
    from referee.reports.tables.accuracy import dataset_tables
    from referee.suites import load

    statistics = {}
    for name in sets:
        with progress_bar(name) as progress:
            statistics[name] = dataset_statistics(load(name, data=data), by or (*DIMENSIONS, "candidates"), progress)
    say_unknown(by, {dimension for measured in statistics.values() for dimension in measured.counts})
    if json:
        print_json({"sets": statistics})
        return
    for name, measured in statistics.items():
        show_tables(dataset_tables(name, measured))
