"""`referee perturb`: perturbed sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import Data, Force, Json, Thesaurus, Wordnets
from referee.cli.outputs import check_output


def perturb(
    ctx: typer.Context,
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    names: Annotated[
        list[str],
        typer.Argument(metavar="P", help="Perturbations (see `list perturbations`), or families such as `phrase`."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Output file: .jsonl, .jsonl.gz or .parquet.")],
    paper: Annotated[bool, typer.Option("--paper", help="Use the published form, faults included.")] = False,
    single_token: Annotated[
        list[str] | None,
        typer.Option(
            "--single-token",
            metavar="MODEL",
            help="Keep only groups whose candidates are single tokens for this masked model. Repeatable.",
        ),
    ] = None,
    thesaurus: Thesaurus = None,
    wordnets: Wordnets = None,
    data: Data = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Perturb a set; skipped items are counted by reason."""
    from referee.cli.output import print_json, progress_bar, show_tables
    from referee.models import open_model
    from referee.perturbations import choose, save_perturbed, single_tokens
    from referee.reports.tables.built import perturbed_table
    from referee.sets import format_of, wrote
    from referee.suites import load

    format_of(out)
    check_output(ctx, out, wrote, force=force)
    chosen = choose(names, paper=paper, thesaurus=thesaurus, wordnets=wordnets)
    models = {name: open_model(name) for name in single_token or ()}
    with progress_bar("perturbing") as progress:
        fingerprint, tallies = save_perturbed(load(items, data=data), single_tokens(chosen, models), out, progress)
    if json:
        print_json(
            {"file": str(out), "items": fingerprint.items, "sha256": fingerprint.sha256, "perturbations": tallies}
        )
        return
    show_tables([perturbed_table(f"{items}: {fingerprint.items:,} perturbed items written to {out}", tallies)])
