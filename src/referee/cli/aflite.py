"""`referee build aflite`: a set without the items that a linear model sees through."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Data, Json
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.build.aflite import Filtered
    from referee.items import Item
    from referee.protocols import Embeds


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
    from referee.build.aflite import aflite, check, settings_for, vectors, work_key
    from referee.cli.output import progress_bar
    from referee.data.folder import data_folder
    from referee.sets import format_of, save
    from referee.suites import load

    format_of(out)
    found = list(load(items, data=data_folder(data)))
    check(found)
    settings = settings_for(len(found), classifiers=classifiers, train=train, cut=cut, tau=tau, keep=keep, seed=seed)
    embedder = _embedder(model)
    folder = work or out.with_name(out.name + ".work")
    own = folder / work_key(found, embedder.identity().sha256)
    with progress_bar("embedding") as progress:
        features = vectors(found, embedder.embed, own, progress)
    with progress_bar("filtering", "classifiers") as progress:
        filtered = aflite(features, found, settings, own, progress)
    fingerprint = save((found[place] for place in filtered.kept), out)
    if work is None:
        # Only what this command made: another run may be under way there, or the folder somebody's own.
        shutil.rmtree(own)
        with suppress(OSError):
            folder.rmdir()
    _show(found, filtered, out, fingerprint.sha256, json=json)


def _embedder(text: str) -> Embeds:
    from referee.models import open_model
    from referee.models.spec import parse
    from referee.protocols import Embeds

    # Before the weights of another kind are loaded.
    model = open_model(text) if parse(text).kind == "mlm" else None
    if not isinstance(model, Embeds):
        raise UsageError(f"'{text}' is not a masked language model", "name one as mlm:NAME")
    return model


def _show(items: list[Item], filtered: Filtered, out: Path, sha256: str, *, json: bool) -> None:
    from referee.cli.output import print_json, result, show_tables
    from referee.reports.format import percent
    from referee.reports.model import Table

    kept = [items[place] for place in filtered.kept]
    before, after = ({item.group_id for item in some} for some in (items, kept))
    torn = _torn(items, kept)
    if json:
        rounds = [
            {"items": each.items, "accuracy": each.accuracy, "above": each.above, "removed": len(each.removed)}
            for each in filtered.rounds
        ]
        counts = {"items": len(items), "left": len(kept), "groups": len(before), "groups_left": len(after)}
        print_json(
            {"file": str(out), "sha256": sha256}
            | counts
            | {"groups_torn": torn, "accuracy_left": filtered.accuracy, "rounds": rounds}
        )
        return
    rows = [
        (str(number), str(each.items), percent(each.accuracy), str(each.above), str(len(each.removed)))
        for number, each in enumerate(filtered.rounds, 1)
    ]
    rows.append(("left", str(len(kept)), percent(filtered.accuracy), "", ""))
    heads = ("round", "items", "linear models right %", "predictable", "removed")
    note = f"{len(after)} of {len(before)} groups are left, {torn} of them without some member"
    show_tables([Table("AFLite", heads, rows, note=note)])
    result(f"{len(kept):,} of {len(items):,} items in {out}, sha256 {sha256[:12]}")


def _torn(items: list[Item], kept: list[Item]) -> int:
    before = Counter(item.group_id for item in items)
    return sum(before[group] > count for group, count in Counter(item.group_id for item in kept).items())
