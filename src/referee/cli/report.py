"""`referee report`: runs as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import Force
from referee.cli.outputs import check_output
from referee.errors import InputError, UsageError


def report(
    ctx: typer.Context,
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="Folders made by `referee eval --out`; all are compared with the first."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="PAGE", help="HTML file to write.")],
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="Title of the page.")] = "",
    unseen: Annotated[
        str,
        typer.Option(
            "--unseen", metavar="LANG,LANG", help="Languages that the model was not trained on; hatched in charts."
        ),
    ] = "",
    sizes: Annotated[
        str,
        typer.Option("--sizes", metavar="N,N", help="Training examples per run, in order; adds learning curves."),
    ] = "",
    tables: Annotated[
        Path | None,
        typer.Option("--tables", metavar="DIR", help="Also write every table to this folder, as CSV and LaTeX."),
    ] = None,
    force: Force = False,
) -> None:
    """Write a self-contained HTML report of runs."""
    if out.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"'{out.suffix}' is not a page format", "choose a name such as *.html", file=out)
    training_sizes = _sizes(sizes, len(runs))
    from referee.cli.output import progress_bar, say
    from referee.io.overwrite import is_run_folder
    from referee.reports.page.assemble import page_of
    from referee.reports.page.html import Page
    from referee.runs.diagnosis import diagnose
    from referee.runs.run import read_run

    check_output(ctx, out, Page.wrote, force=force)
    if tables is not None and is_run_folder(tables):
        raise InputError("is a run folder", "choose another folder for --tables", file=tables)
    diagnoses = {}
    names = _names(runs)
    with progress_bar("reading", "runs") as progress:
        for number, (name, folder) in enumerate(zip(names, runs, strict=True)):
            progress(number, len(runs))
            diagnoses[name] = diagnose(read_run(folder))
    languages = [code.strip() for code in unseen.split(",") if code.strip()]
    page = page_of(diagnoses, title, unseen=languages, sizes=training_sizes)
    if tables is not None:
        from referee.reports.export import write_tables

        write_tables(page.tables(), tables, lambda path, ours: check_output(ctx, path, ours, force=force))
        say(f"{len(page.tables())} tables written to {tables}.")
    page.save(out)
    say(f"Report written to {out} ({out.stat().st_size / 1e6:.1f} MB).")


def _names(runs: list[Path]) -> list[str]:
    """The folders by their last name where that tells them apart."""
    last = [folder.resolve().name for folder in runs]
    names = last if len(set(last)) == len(last) else [str(folder) for folder in runs]
    if len(set(names)) < len(names):
        raise UsageError("a run is given twice", "give each run once")
    return names


def _sizes(text: str, runs: int) -> list[int]:
    if not text:
        return []
    try:
        sizes = [int(number.replace("_", "")) for number in text.split(",")]
        if min(sizes) < 0:
            raise ValueError
    except ValueError:
        raise UsageError(f"--sizes: {text!r} is not a list of whole numbers", "write it as 100,500,1000") from None
    if len(sizes) != runs:
        problem = f"--sizes: expected {runs} numbers, one per run, but found {len(sizes)}"
        raise UsageError(problem, "give one number per run, in order")
    return sizes
