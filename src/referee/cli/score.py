"""`referee score`: the files of one system against one set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.judged import judge
from referee.cli.options import By, Comet, Data, Json, Match
from referee.errors import UsageError


def score(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    translations: Annotated[
        Path | None,
        typer.Option(
            "--translations", metavar="FILE", help="Outputs, one line an item: looks for expected forms, or candidates."
        ),
    ] = None,
    scores: Annotated[
        Path | None,
        typer.Option("--scores", metavar="FILE", help="Numbers, one line a candidate: compares the candidates."),
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
    if (translations is None) == (scores is None):
        raise UsageError("a set is scored with one file", "give either --translations FILE or --scores FILE")
    if translations is not None and lower:
        raise UsageError("--lower-is-better is about scores", "leave it out with --translations")
    from referee.io.files import existing
    from referee.models.files import FileModel, ScoreFile, TranslationFile

    model: FileModel
    if translations is not None:
        model, kind = TranslationFile(existing(translations)), "translations"
    else:
        model, kind = ScoreFile(existing(scores or Path()), "lower" if lower else "higher"), "scores"
    judge(
        (f"{kind}:{model.path}", model, {}),
        [items],
        data=data,
        match=match,
        by=by,
        limit=None,
        out=None,
        json=json,
        comet=comet,
    )
