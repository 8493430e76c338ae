"""`referee build twins`: pairs of items that differ in a word or two."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import Data, Force, Json
from referee.cli.outputs import check_output


def build_twins(
    ctx: typer.Context,
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Output file: .jsonl, .jsonl.gz or .parquet.")],
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="id|distance|order",
            help="Pair items that share a group or an id up to -1 and -2, similar neighbours, or every two in order.",
        ),
    ] = None,
    max_distance: Annotated[
        float | None,
        typer.Option(
            "--max-distance",
            metavar="X",
            min=0.0,
            help="Maximum share of words in which neighbours differ. Default: 0.3.",
        ),
    ] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", metavar="ID", help="Drop this item. Repeatable.")] = None,
    non_associative: Annotated[
        bool, typer.Option("--non-associative", help="Drop pairs with an associative twin.")
    ] = False,
    paper: Annotated[bool, typer.Option("--paper", help="Build exactly the pairs of Back to Square One.")] = False,
    data: Data = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Pair twins into groups and mark the words that differ."""
    from referee.build import couple_twins
    from referee.cli.output import print_json, result
    from referee.reports.tables.built import reasons
    from referee.sets import format_of, save, wrote
    from referee.suites import load

    format_of(out)
    check_output(ctx, out, wrote, force=force)
    twins = couple_twins(
        load(items, data=data),
        by=by,  # type: ignore[arg-type]
        max_distance=max_distance,
        drop=drop or (),
        without_associative=non_associative,
        paper=paper,
    )
    fingerprint = save(twins, out)
    if json:
        print_json(
            {
                "file": str(out),
                "items": fingerprint.items,
                "sha256": fingerprint.sha256,
                "pairs": len(twins.pairs),
                "by": twins.by,
                "left_out": twins.left_out,
                "triggers": twins.trigger_counts(),
            }
        )
        return
    result(f"{len(twins.pairs):,} pairs (by {twins.by}) written to {out} (sha256 {fingerprint.sha256[:12]}).")
    result(f"Skipped: {reasons(twins.left_out.most_common())}.")
