"""`referee build aflite`: a set without the items that a linear model sees through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import Data, Json

if TYPE_CHECKING:
    from referee.build.aflite import AfliteResult


def build_aflite(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite.")],
    model: Annotated[
        str, typer.Option("--model", metavar="mlm:NAME", help="The masked model whose vectors stand for the items.")
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where what is left goes: .jsonl, .jsonl.gz, .parquet.")
    ],
    classifiers: Annotated[int, typer.Option("--classifiers", metavar="N", min=2, help="Classifiers a round.")] = 64,
    train: Annotated[
        int | None, typer.Option("--train", metavar="N", min=2, help="Items each learns from; else a tenth.")
    ] = None,
    cut: Annotated[
        int | None, typer.Option("--cut", metavar="N", min=1, help="Items removed in a round at most; else a fiftieth.")
    ] = None,
    tau: Annotated[
        float,
        typer.Option("--tau", metavar="X", help="The share of classifiers that must be right on what is removed."),
    ] = 0.75,
    keep: Annotated[
        int | None, typer.Option("--keep", metavar="N", min=2, help="Stop when N items are left; else as --train.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Another seed draws other parts.")] = 0,
    work: Annotated[
        Path | None,
        typer.Option("--work", metavar="DIR", help="Keep vectors and rounds there; else beside --out until done."),
    ] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Remove items whose answer linear models guess from vectors alone (AFLite); the same command goes on if killed."""
    from referee.build import filter_aflite
    from referee.cli.output import print_json, progress_bar, result, show_tables
    from referee.models import open_embedder
    from referee.reports.tables.built import aflite_table
    from referee.sets import format_of
    from referee.suites import load

    # Before the weights of the model are loaded.
    format_of(out)
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
    result(f"{len(filtered.kept):,} of {filtered.items:,} items in {out}, sha256 {sha256[:12]}")


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
