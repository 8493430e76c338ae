"""`referee report`: runs as one page to read, show and send."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.errors import InputError, UsageError


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders made by `referee eval --out`; compared with the first."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="PAGE", help="Where the page goes: *.html.")],
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="What the page is called.")] = "",
    unseen: Annotated[
        str,
        typer.Option("--unseen", metavar="LANG,LANG", help="Languages that the model never saw; hatched in charts."),
    ] = "",
    sizes: Annotated[
        str,
        typer.Option("--sizes", metavar="N,N", help="Training examples of each run, in order: draws learning curves."),
    ] = "",
    tables: Annotated[
        Path | None,
        typer.Option("--tables", metavar="DIR", help="Write every table there too, as CSV and LaTeX."),
    ] = None,
) -> None:
    """Write one self-contained HTML page: scorecard, tables, charts, and every item to search."""
    if out.suffix.lower() not in (".html", ".htm"):
        raise InputError("has no known ending", "name it *.html", file=out)
    training_sizes = _sizes(sizes, len(runs))
    from referee.cli.output import progress_bar, say
    from referee.reports.page.assemble import page_of
    from referee.runs.diagnosis import diagnose
    from referee.runs.run import read_run

    diagnoses = {}
    names = _names(runs)
    with progress_bar("reading", "runs") as progress:
        for number, (name, folder) in enumerate(zip(names, runs, strict=True)):
            progress(number, len(runs))
            diagnoses[name] = diagnose(read_run(folder))
    languages = [code.strip() for code in unseen.split(",") if code.strip()]
    page = page_of(diagnoses, title, unseen=languages, sizes=training_sizes)
    page.save(out)
    say(f"the page is in {out} ({out.stat().st_size / 1e6:.1f} MB)")
    if tables is not None:
        from referee.reports.export import write_tables

        write_tables(page.tables(), tables)
        say(f"{len(page.tables())} tables are in {tables}")


def _names(runs: list[Path]) -> list[str]:
    """The folders by their last name where that tells them apart."""
    last = [folder.resolve().name for folder in runs]
    names = last if len(set(last)) == len(last) else [str(folder) for folder in runs]
    if len(set(names)) < len(names):
        raise UsageError("a run is named twice", "name each run once")
    return names


def _sizes(text: str, runs: int) -> list[int]:
    if not text:
        return []
    try:
        sizes = [int(number.replace("_", "")) for number in text.split(",")]
    except ValueError:
        raise UsageError(f"--sizes {text!r} cannot be read", "write whole numbers as 100,500,1000") from None
    if len(sizes) != runs or min(sizes) < 0:
        raise UsageError(f"--sizes has {len(sizes)} numbers for {runs} runs", "give one for each run, in order")
    return sizes
