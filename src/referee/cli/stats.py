"""`referee stats`: what a set is like."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.options import By, Data, Json

app = typer.Typer(help="Statistics of sets.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def root() -> None:
    """Statistics of sets."""


@app.command("dataset")
def dataset(
    sets: Annotated[list[str], typer.Argument(metavar="SET...", help="Files of items, or suites by name.")],
    by: By = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Count items, groups and candidates, and measure how long their texts are."""
    from referee.analysis.accuracy import DIMENSIONS
    from referee.analysis.corpus.dataset import dataset_statistics
    from referee.cli.output import print_json, progress_bar, say_unknown, show_tables
    from referee.data.folder import data_folder
    from referee.reports.tables.accuracy import dataset_tables
    from referee.suites import load

    folder = data_folder(data)
    found = {}
    for name in sets:
        challenge = load(name, data=folder)
        with progress_bar(name) as progress:
            found[name] = dataset_statistics(
                challenge, tuple(by or (*DIMENSIONS, "candidates")), lambda n: progress(n, None)
            )
    say_unknown(by, {dimension for statistics in found.values() for dimension in statistics.counts})
    if json:
        print_json({"sets": found})
    else:
        for name, statistics in found.items():
            show_tables(dataset_tables(name, statistics))
