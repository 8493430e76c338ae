"""`referee build aflite`: a set without the items that a linear model sees through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import Data, Force, Json
from referee.cli.outputs import check_output

if TYPE_CHECKING:
    from referee.build.aflite import AfliteResult


def build_aflite(
    ctx: typer.Context,
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    model: Annotated[
        str, typer.Option("--model", metavar="mlm:NAME", help="Masked language model that embeds the items.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Output file: .jsonl, .jsonl.gz or .parquet.")],
    classifiers: Annotated[int, typer.Option("--classifiers", metavar="N", min=2, help="Classifiers per round.")] = 64,
    train: Annotated[
        int | None, typer.Option("--train", metavar="N", min=2, help="Training items per classifier. Default: a tenth.")
    ] = None,
    cut: Annotated[
        int | None,
        typer.Option(
            "--cut", metavar="N", min=1, help="Maximum number of items to remove per round. Default: a fiftieth."
        ),
    ] = None,
    tau: Annotated[
        float,
        typer.Option("--tau", metavar="X", help="Remove items that at least this share of classifiers gets right."),
    ] = 0.75,
    keep: Annotated[
        int | None, typer.Option("--keep", metavar="N", min=2, help="Stop when N items are left. Default: as --train.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Random seed of the training items.")] = 0,
    work: Annotated[
        Path | None,
        typer.Option(
            "--work", metavar="DIR", help="Folder for vectors and rounds. Default: next to --out, until done."
        ),
    ] = None,
    data: Data = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Remove items that linear models predict (AFLite).

    The same command resumes after an interrupt.
    """
    from referee.build import filter_aflite
    from referee.cli.output import print_json, progress_bar, result, show_tables
    from referee.models import open_embedder
    from referee.reports.tables.built import aflite_table
    from referee.sets import format_of, wrote
    from referee.suites import load

    # Before the weights of the model are loaded.
    format_of(out)
    check_output(ctx, out, wrote, force=force)
    filtered = filter_aflite(
        load(items, data=data),
        open_embedder(model),
        classifiers=classifiers,
        train=train,
        cut=cut,
        tau=tau,
        keep=keep,
        seed=seed,
        out=out,
        work=work,
        bars=progress_bar,
    )
    sha256 = "" if filtered.fingerprint is None else filtered.fingerprint.sha256
    if json:
        print_json({"file": str(out), "sha256": sha256} | _record(filtered))
        return
    show_tables([aflite_table(filtered)])
    result(f"{len(filtered.kept):,} of {filtered.items:,} items written to {out} (sha256 {sha256[:12]}).")


def _record(filtered: AfliteResult) -> dict[str, Any]:
    return {
        "items": filtered.items,
        "left": len(filtered.kept),
        "groups": filtered.groups,
        "groups_left": filtered.groups_left,
        "groups_torn": filtered.groups_torn,
        "accuracy_left": filtered.accuracy,
        "rounds": [
            {"items": done.items, "accuracy": done.accuracy, "above": done.above, "removed": len(done.removed)}
            for done in filtered.rounds
        ],
    }
