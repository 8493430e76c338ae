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
            "--translations",
            metavar="FILE",
            help="Translations, one line per item; matched against expected forms or candidates.",
        ),
    ] = None,
    scores: Annotated[
        Path | None,
        typer.Option("--scores", metavar="FILE", help="Scores, one line per candidate; the best candidate is chosen."),
    ] = None,
    lower: Annotated[
        bool, typer.Option("--lower-is-better", help="With --scores: choose the lowest score (perplexity, cost).")
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
        raise UsageError("--match has no effect on --scores", "remove --match")
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
