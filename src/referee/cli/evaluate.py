"""`referee eval`: a model judges suites."""

from __future__ import annotations

from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.judged import judge
from referee.cli.options import By, Comet, Data, Json, Match, Thesaurus
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.protocols import Model
    from referee.scoring.cache import Cache
    from referee.scoring.options import ScoringOptions


def evaluate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="KIND:NAME[,OPTION=VALUE...]; see `list models`.")],
    suites: Annotated[list[str], typer.Argument(metavar="SUITE...", help="Suites by name, or files of items.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RUN", help="A folder for the run; the same command continues it if killed."),
    ] = None,
    perturb: Annotated[
        list[str] | None,
        typer.Option(
            "--perturb",
            metavar="P",
            help="Judge each suite with this change too (see `list perturbations`); may be repeated.",
        ),
    ] = None,
    thesaurus: Thesaurus = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N items of each suite.")
    ] = None,
    how: Annotated[
        str,
        typer.Option(
            "--how",
            metavar="auto|contrastive|generative|both",
            help="Compare candidates, or translate and look for forms or candidates; or both, and how they agree.",
        ),
    ] = "auto",
    norm: Annotated[
        str, typer.Option("--norm", metavar="ppl|sum|char", help="Log-probabilities by token, summed, or by character.")
    ] = "ppl",
    part: Annotated[
        str,
        typer.Option(
            "--part",
            metavar="whole|partial|mask",
            help="What of a filled sentence counts: all, what follows the filled words, one masked position.",
        ),
    ] = "whole",
    context: Annotated[
        int, typer.Option("--context", metavar="N", min=0, help="So many preceding sentences of both sides go along.")
    ] = 0,
    separator: Annotated[str, typer.Option("--separator", metavar="TEXT", help="What joins the sentences.")] = " ",
    too_long: Annotated[
        str,
        typer.Option(
            "--too-long", metavar="refuse|drop", help="Stop at an item too long for the model, or count it out."
        ),
    ] = "refuse",
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=0, help="Open the model in N workers of a Ray cluster.")
    ] = 0,
    cache: Annotated[
        Path | None, typer.Option("--cache", metavar="FILE", help="Where scores are kept; else in the user's cache.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep scores.")] = False,
    comet: Comet = None,
    match: Match = None,
    by: By = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Let a model judge suites: accuracy with intervals, by label, clause, gender and distance, and group scores."""
    from referee.models import open_model
    from referee.models.files import ScoreFile, TranslationFile
    from referee.models.spec import parse

    chosen = {"how": how, "norm": norm, "part": part, "context": context, "separator": separator, "too_long": too_long}
    scoring = _scoring(chosen)
    opened = _distributed(model, workers) if workers else open_model(model)
    from_file = isinstance(opened, ScoreFile | TranslationFile)
    if from_file and scoring != type(scoring)():
        raise UsageError("how items are put to a model is about models that compute", "leave those options out")
    kept = None if from_file or no_cache else _open_cache(cache)
    with closing(kept) if kept else nullcontext():
        judge(
            (model, opened, parse(model).options),
            suites,
            data=data,
            match=match,
            by=by,
            limit=limit,
            out=out,
            json=json,
            scoring=scoring,
            cache=kept,
            comet=comet,
            perturb=(perturb or [], thesaurus),
        )


def _distributed(model: str, workers: int) -> Model:
    from referee.models.on_ray import distributed

    return distributed(model, workers)


def _scoring(chosen: dict[str, Any]) -> ScoringOptions:
    import msgspec

    from referee.scoring.options import ScoringOptions

    try:
        return msgspec.convert(chosen, ScoringOptions)
    except msgspec.ValidationError as error:
        option, _, _ = str(error).rpartition("`$.")[2].partition("`")
        raise UsageError(f"--{option.replace('_', '-')} cannot be {chosen.get(option)!r}", "see --help") from None


def _open_cache(path: Path | None) -> Cache:
    import platformdirs

    from referee.cli.output import say
    from referee.scoring.cache import open_cache

    return open_cache(path or platformdirs.user_cache_path("referee") / "scores.sqlite", say)
