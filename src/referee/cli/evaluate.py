"""`referee eval`: a model on challenge sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import By, Comet, Data, Json, Match, Thesaurus, Wordnets
from referee.errors import UsageError


def evaluate(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="Model as KIND:NAME[,OPTION=VALUE...] (see `list models`).")
    ],
    suites: Annotated[list[str], typer.Argument(metavar="SUITE", help="Suites by name, or files of items.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="RUN", help="Store the run in this folder. The same command resumes it after an interrupt."
        ),
    ] = None,
    perturb: Annotated[
        list[str] | None,
        typer.Option(
            "--perturb",
            metavar="P",
            help="Also evaluate each suite under this perturbation (see `list perturbations`). Repeatable.",
        ),
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="With --perturb: apply the published form, errors included.")
    ] = False,
    thesaurus: Thesaurus = None,
    wordnets: Wordnets = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Evaluate only the first N items of each suite.")
    ] = None,
    how: Annotated[
        str,
        typer.Option(
            "--how",
            metavar="auto|contrastive|generative|both",
            help="Choose by score (contrastive), match the model's own translation (generative), or do both.",
        ),
    ] = "auto",
    norm: Annotated[
        str,
        typer.Option("--norm", metavar="ppl|sum|char", help="Log-probability per token, in total, or per character."),
    ] = "ppl",
    part: Annotated[
        str,
        typer.Option(
            "--part",
            metavar="whole|partial|mask",
            help="Score the whole sentence, only the tokens after the filler, or a single masked position.",
        ),
    ] = "whole",
    context: Annotated[
        int, typer.Option("--context", metavar="N", min=0, help="Include the N preceding sentences, source and target.")
    ] = 0,
    separator: Annotated[str, typer.Option("--separator", metavar="TEXT", help="Text that joins sentences.")] = " ",
    too_long: Annotated[
        str,
        typer.Option(
            "--too-long",
            metavar="refuse|drop",
            help="Items longer than the model's maximum length: stop with an error, or drop and count them.",
        ),
    ] = "refuse",
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=0, help="Run the model on N workers of a Ray cluster.")
    ] = 0,
    cache: Annotated[
        Path | None,
        typer.Option("--cache", metavar="FILE", help="File that caches scores. Default: in the user's cache folder."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor store cached scores.")] = False,
    comet: Comet = None,
    match: Match = None,
    by: By = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Evaluate a model on challenge sets."""
    from referee.analysis.accuracy import DIMENSIONS
    from referee.cli.output import progress_bar
    from referee.cli.result import check_match, command_line, show_run
    from referee.models.spec import parse
    from referee.runs.evaluate import evaluate as run_evaluation
    from referee.scoring.cache import default_path

    check_match(match)
    if match is not None and parse(model).kind == "scores":
        raise UsageError("--match has no effect on scores", "remove --match")
    if paper and not perturb:
        raise UsageError("--paper needs --perturb", "add --perturb, or remove --paper")
    with progress_bar("evaluating") as progress:
        run = run_evaluation(
            model,
            *suites,
            perturb=perturb or (),
            paper=paper,
            context=context,
            how=how,  # type: ignore[arg-type]
            norm=norm,  # type: ignore[arg-type]
            part=part,  # type: ignore[arg-type]
            separator=separator,
            too_long=too_long,  # type: ignore[arg-type]
            limit=limit,
            by=by or DIMENSIONS,
            thesaurus=thesaurus,
            wordnets=wordnets,
            comet=comet,
            data=data,
            cache=None if no_cache else cache or default_path(),
            workers=workers,
            out=out,
            command=command_line(),
            progress=progress,
        )
    show_run(run, match, by, out, json=json)
