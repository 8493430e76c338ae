"""`referee build twins`: pairs of items that differ in a word or two."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from referee.cli.options import Data, Json
from referee.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.build.twins import Twins
    from referee.items import Item


def build_twins(
    items: Annotated[str, typer.Argument(metavar="ITEMS", help="A file of items, or a suite by name.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where the items go: .jsonl, .jsonl.gz, .parquet.")
    ],
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="id|distance|order",
            help="Couple what shares a group or an id up to -1 and -2, neighbours that differ little, or one by one.",
        ),
    ] = None,
    max_distance: Annotated[
        float | None,
        typer.Option(
            "--max-distance", metavar="X", min=0.0, help="The share of words in which neighbours may differ; else 0.3."
        ),
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option("--drop", metavar="ID", help="Leave this item out; may be repeated.")
    ] = None,
    non_associative: Annotated[
        bool, typer.Option("--non-associative", help="Without pairs of which either twin is associative.")
    ] = False,
    paper: Annotated[bool, typer.Option("--paper", help="Exactly the pairs of Back to Square One.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Couple twins into groups, and mark the words in which they differ; what has no twin is left out and counted."""
    from referee import sets
    from referee.build import twins
    from referee.cli.output import print_json, result
    from referee.data.folder import data_folder
    from referee.suites import load

    sets.format_of(out)
    if by is not None and by not in get_args(twins.By):
        raise UsageError(f"items cannot be coupled by '{by}'", f"choose {' or '.join(get_args(twins.By))}")
    if paper and (by or drop or max_distance is not None):
        raise UsageError("--paper says how twins are coupled", "leave out --by, --max-distance and --drop")
    if max_distance is not None and by != "distance":
        raise UsageError("--max-distance is about neighbours", "add --by distance")
    challenge = load(items, data=data_folder(data))
    distance = twins.MAX_DISTANCE if max_distance is None else max_distance
    found = (
        twins.as_published(challenge)
        if paper
        else twins.couple(challenge, by=cast("twins.By | None", by), max_distance=distance, drop=drop or ())
    )
    found = twins.non_associative(found) if non_associative else found
    if not found.pairs:
        raise InputError(
            f"{items} has no twins ({_reasons(found)})", "couple by another rule (--by), or name another set"
        )
    fingerprint = sets.save(found.items(), out)
    if json:
        print_json(
            {
                "file": str(out),
                "items": fingerprint.items,
                "sha256": fingerprint.sha256,
                "pairs": len(found.pairs),
                "by": found.by,
                "left_out": found.left_out,
                "triggers": _triggers(found.items()),
            }
        )
        return
    result(f"{len(found.pairs):,} pairs by {found.by} in {out}, sha256 {fingerprint.sha256[:12]}")
    result(f"left out: {_reasons(found)}")


def _reasons(found: Twins) -> str:
    return "; ".join(f"{count:,} {reason}" for reason, count in found.left_out.most_common()) or "none"


def _triggers(items: Iterable[Item]) -> dict[str, int]:
    """How many items have so many words that their twins do not have."""
    from collections import Counter

    counts = Counter(sum(span.role == "trigger" for span in item.spans) for item in items)
    return {str(words): counts[words] for words in sorted(counts)}
