"""`referee compare`: runs on the same items, paired one by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import By, Json
from referee.errors import InputError, UsageError

if TYPE_CHECKING:
    from referee.analysis.comparison.compare import RunPair
    from referee.runs.run import Run


def compare(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN RUN...", help="Folders made by `referee eval --out`; the first is A.")
    ],
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Compare every run with every other, not only with the first.")
    ] = False,
    by: By = None,
    flips: Annotated[
        int,
        typer.Option("--flips", metavar="N", min=0, help="Show so many items that one run has right and one wrong."),
    ] = 5,
    flips_out: Annotated[
        Path | None,
        typer.Option("--flips-out", metavar="FILE", help="Write all of these there, one JSON object a line."),
    ] = None,
    json: Json = False,
) -> None:
    """Compare runs on the same items: differences with intervals, tests, effect sizes, and what flipped."""
    if len(runs) < 2:
        raise UsageError("one run has nothing to be compared with", "name two runs or more")
    from referee.analysis.comparison.compare import compare_runs
    from referee.cli.output import print_json, say_unknown, show_tables
    from referee.reports.tables.comparison import comparison_tables
    from referee.runs.run import read_run

    stored = [read_run(folder) for folder in runs]
    found = compare_runs([run.judged for run in stored], by or (), all_pairs=all_pairs)
    found = _with_common_items(found, stored)
    remarks = {(versus.base, versus.other): _remark(versus, stored) for versus in found}
    say_unknown(by, {name for versus in found for each in versus.comparisons for name in each.by})
    if flips_out is not None:
        _write_flips(found, stored, flips_out)
    if json:
        print_json(_as_json(found, stored, remarks))
        return
    show_tables(comparison_tables([(str(run.folder), run.info.inputs.model) for run in stored], found))
    for versus in found:
        _show_flips(versus, flips)


def _remark(versus: RunPair, stored: list[Run]) -> list[str]:
    """Says on stderr, and gives back, what is not the same in two runs."""
    from referee.cli.output import say
    from referee.reports.tables.comparison import conditions, letter

    found = conditions(stored[versus.base].info, stored[versus.other].info)
    title = f"{letter(versus.other)} against {letter(versus.base)}"
    say(
        f"{title}: "
        + ("; ".join(found) or "the same model, settings and content, so that the verdicts should be the same")
    )
    return found


def _with_common_items(found: list[RunPair], stored: list[Run]) -> list[RunPair]:
    """Those that share items that both judged; a remark on the others, an error where there is nothing else."""
    from referee.cli.output import say
    from referee.reports.tables.comparison import letter, suite_name

    kept = [versus for versus in found if any(each.items or each.same for each in versus.comparisons)]
    if not kept:
        one, another = stored[found[0].base], stored[found[0].other]
        one_has, another_has = (
            ", ".join(suite_name(each.suite, each.kind) for each in run.judged) for run in (one, another)
        )
        problem = f"{one.folder} ({one_has}) and {another.folder} ({another_has}) have no item that both judged"
        raise InputError(problem, "compare runs on the same suites, judged in the same way")
    for versus in found:
        if versus not in kept:
            say(f"{letter(versus.other)} and {letter(versus.base)} have no item that both judged: left out")
    return kept


def _show_flips(versus: RunPair, count: int) -> None:
    from referee.cli.output import result
    from referee.reports.tables.comparison import flip_text, letter

    # An item that flipped by both rules is one item to look at.
    items = {(flip.suite, flip.kind, flip.item): flip for flip in reversed(versus.flips)}
    chosen = list(reversed(items.values()))[:count]
    if not chosen:
        return
    base, other = letter(versus.base), letter(versus.other)
    largest = ", the largest changes of margin first" if chosen[0].change is not None else ""
    result(f"{other} against {base}: {len(chosen)} of {len(items)} items that flipped{largest}")
    for flip in chosen:
        result(flip_text(flip, base, other))
    result("")


def _write_flips(found: list[RunPair], stored: list[Run], path: Path) -> None:
    import msgspec

    from referee.cli.output import say
    from referee.io.files import atomic_write

    lines = [
        {"runs": [str(stored[versus.base].folder), str(stored[versus.other].folder)]} | msgspec.to_builtins(flip)
        for versus in found
        for flip in versus.flips
    ]
    with atomic_write(path) as file:
        file.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
    say(f"{len(lines)} flips are in {path}")


def _as_json(
    found: list[RunPair], stored: list[Run], remarks: dict[tuple[int, int], list[str]]
) -> dict[str, list[dict[str, Any]]]:
    from referee.reports.tables.comparison import letter

    runs = [
        {
            "name": letter(place),
            "folder": str(run.folder),
            "model": run.info.inputs.model,
            "signature": run.info.signature,
        }
        for place, run in enumerate(stored)
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
        for versus in found
    ]
    return {"runs": runs, "pairs": pairs}
