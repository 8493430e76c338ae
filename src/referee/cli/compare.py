"""`referee compare`: runs on the same items, paired one by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import By, Force, Json
from referee.cli.outputs import check_output
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.analysis.comparison.compare import RunPair
    from referee.runs.run import Run


def compare(
    ctx: typer.Context,
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="Two or more folders made by `referee eval --out`; the first is A."),
    ],
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Compare all pairs of runs, not only with the first.")
    ] = False,
    by: By = None,
    flips: Annotated[
        int,
        typer.Option("--flips", metavar="N", min=0, help="Show N items that only one run answers correctly."),
    ] = 5,
    flips_out: Annotated[
        Path | None,
        typer.Option("--flips-out", metavar="FILE", help="Write all such items to FILE, one JSON object per line."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Compare runs on the same items, paired item by item."""
    from referee.analysis.comparison.flips import wrote_flips
    from referee.cli.output import print_json, say, say_unknown, show_tables
    from referee.reports.tables.comparison import comparison_tables, letter
    from referee.runs.comparison import compare as run_comparison
    from referee.runs.run import read_run

    if len(runs) < 2:
        raise UsageError("expected two or more runs, but found one", "give another run")
    check_output(ctx, flips_out, wrote_flips, force=force)
    comparison = run_comparison(*(read_run(folder) for folder in runs), by=by or (), all_pairs=all_pairs)
    for pair in comparison.unrelated:
        say(f"{letter(pair.other)} and {letter(pair.base)} share no evaluated items and are not compared.")
    stored, pairs = comparison.runs, comparison.pairs
    remarks = {(pair.base, pair.other): _remark(pair, stored) for pair in pairs}
    say_unknown(by, {name for pair in pairs for suite in pair.comparisons for name in suite.by})
    if flips_out is not None:
        _write_flips(pairs, stored, flips_out)
    if json:
        print_json(_as_json(pairs, stored, remarks))
        return
    show_tables(comparison_tables([(str(run.folder), run.model) for run in stored], pairs))
    for pair in pairs:
        _show_flips(pair, flips)


def _remark(versus: RunPair, stored: Sequence[Run]) -> list[str]:
    """Say on stderr, and return, how the conditions of two runs differ."""
    from referee.cli.output import say
    from referee.reports.tables.comparison import letter
    from referee.reports.wording import conditions

    differences = conditions(stored[versus.base].info, stored[versus.other].info)
    title = f"{letter(versus.other)} against {letter(versus.base)}"
    say(
        f"{title}: "
        + ("; ".join(differences) or "same model, settings and content, so the verdicts should be identical")
    )
    return differences


def _show_flips(versus: RunPair, count: int) -> None:
    from referee.cli.output import result
    from referee.reports.tables.comparison import flip_text, letter

    # An item that flipped by both rules is one item to look at.
    items = {(flip.suite, flip.kind, flip.item): flip for flip in reversed(versus.flips)}
    chosen = list(reversed(items.values()))[:count]
    if not chosen:
        return
    base, other = letter(versus.base), letter(versus.other)
    largest = ", largest change of margin first" if chosen[0].change is not None else ""
    result(f"{other} against {base}: {len(chosen)} of {len(items)} flipped items{largest}")
    for flip in chosen:
        result(flip_text(flip, base, other))
    result("")


def _write_flips(pairs: Sequence[RunPair], stored: Sequence[Run], path: Path) -> None:
    from referee.analysis.comparison.flips import write_flips
    from referee.cli.output import say

    flipped = [
        ((str(stored[versus.base].folder), str(stored[versus.other].folder)), flip)
        for versus in pairs
        for flip in versus.flips
    ]
    write_flips(flipped, path)
    say(f"{len(flipped)} flipped items written to {path}.")


def _as_json(
    compared: Sequence[RunPair], stored: Sequence[Run], remarks: dict[tuple[int, int], list[str]]
) -> dict[str, list[dict[str, Any]]]:
    from referee.reports.tables.comparison import letter

    runs = [
        {
            "name": letter(number),
            "folder": str(run.folder),
            "model": run.model,
            "signature": run.info.signature,
        }
        for number, run in enumerate(stored)
    ]
    pairs = [
        {
            "base": letter(versus.base),
            "other": letter(versus.other),
            "conditions": remarks[versus.base, versus.other],
            "suites": versus.comparisons,
            "all_suites": versus.all_suites,
            "only_base": versus.only_base,
            "only_other": versus.only_other,
        }
        for versus in compared
    ]
    return {"runs": runs, "pairs": pairs}
