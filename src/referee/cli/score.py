"""`referee score`: the files of one system against one set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.judged import judge
from referee.cli.options import By, Data, Json, Match
from referee.errors import UsageError


def score(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    translations: Annotated[
        Path | None, typer.Option("--translations", help="Outputs, one line an item: looks for the expected forms.")
    ] = None,
    scores: Annotated[
        Path | None, typer.Option("--scores", help="Numbers, one line a candidate: compares the candidates.")
    ] = None,
    lower: Annotated[
        bool, typer.Option("--lower-is-better", help="With --scores: the lowest number wins (perplexity, cost).")
    ] = False,
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
    model = (
        f"translations:{translations}" if translations else f"scores:{scores},better={'lower' if lower else 'higher'}"
    )
    judge(model, [items], data=data, match=match, by=by, limit=None, out=None, json=json)
