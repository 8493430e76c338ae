"""`referee perturb`: sets with attacks on them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import Data, Json, Thesaurus


def perturb(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    names: Annotated[
        list[str],
        typer.Argument(metavar="P...", help="Perturbations (see `list perturbations`), or families such as `phrase`."),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where the items go: .jsonl, .jsonl.gz, .parquet.")
    ],
    paper: Annotated[bool, typer.Option("--paper", help="As published, faults included.")] = False,
    single_token: Annotated[
        list[str] | None,
        typer.Option(
            "--single-token",
            metavar="MODEL",
            help="Only groups whose candidates are single tokens for this masked model; may be repeated.",
        ),
    ] = None,
    thesaurus: Thesaurus = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Change the items of a set; what does not fit is left out, and the reasons are counted."""
    from referee.cli.output import print_json, progress_bar, show_tables
    from referee.models import open_model
    from referee.perturbations import choose, save_perturbed, single_tokens
    from referee.reports.tables.built import perturbed_table
    from referee.sets import format_of
    from referee.suites import load

    format_of(out)
    chosen = choose(names, paper=paper, thesaurus=thesaurus)
    models = {name: open_model(name) for name in single_token or ()}
    with progress_bar("changing") as progress:
        fingerprint, tallies = save_perturbed(load(items, data=data), single_tokens(chosen, models), out, progress)
    if json:
        print_json(
            {"file": str(out), "items": fingerprint.items, "sha256": fingerprint.sha256, "perturbations": tallies}
        )
        return
    show_tables([perturbed_table(f"{items}: {fingerprint.items:,} changed items in {out}", tallies)])
