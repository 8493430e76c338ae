"""`referee score`: the files of one system against one set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import By, Comet, Data, Json, Match
from referee.errors import UsageError


def score(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    translations: Annotated[
        Path | None,
        typer.Option(
            "--translations", metavar="FILE", help="Outputs, one line per item: match expected forms, or candidates."
        ),
    ] = None,
    scores: Annotated[
        Path | None,
        typer.Option("--scores", metavar="FILE", help="Numbers, one line per candidate: compare the candidates."),
    ] = None,
    lower: Annotated[
        bool, typer.Option("--lower-is-better", help="With --scores: the lowest number wins (perplexity, cost).")
    ] = False,
    comet: Comet = None,
    match: Match = None,
    by: By = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Score a file of translations or of model scores."""
    from referee.analysis.accuracy import DIMENSIONS
    from referee.cli.output import progress_bar
    from referee.cli.result import check_match, command_line, show_run
    from referee.runs.evaluate import score as run_scoring

    check_match(match)
    if match is not None and scores is not None:
        raise UsageError("--match is about translations", "leave it out with --scores")
    with progress_bar("scoring") as progress:
        run = run_scoring(
            items,
            translations=translations,
            scores=scores,
            lower_is_better=lower,
            by=by or DIMENSIONS,
            comet=comet,
            data=data,
            command=command_line(),
            progress=progress,
        )
    show_run(run, match, by, None, json=json)
