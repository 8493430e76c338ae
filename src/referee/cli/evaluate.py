"""`referee eval`: a model judges suites."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.judged import judge
from referee.cli.options import By, Data, Json, Match


def evaluate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="KIND:NAME[,OPTION=VALUE...]; see `list models`.")],
    suites: Annotated[list[str], typer.Argument(metavar="SUITE...", help="Suites by name, or files of items.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RUN", help="A folder for the run; the same command continues it if killed."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N items of each suite.")
    ] = None,
    match: Match = None,
    by: By = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Let a model judge suites: accuracy with intervals, by label, gender and distance, and group scores."""
    from referee.models import open_model
    from referee.models.spec import parse

    judge(
        (model, open_model(model), parse(model).options),
        suites,
        data=data,
        match=match,
        by=by,
        limit=limit,
        out=out,
        json=json,
    )
