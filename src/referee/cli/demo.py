"""`referee demo`: the whole point in one command."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Json

if TYPE_CHECKING:
    from referee.io.progress import Progress


def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the demo keeps its files.")] = Path(
        "referee-demo"
    ),
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer items: half a minute at most, wider intervals.")
    ] = False,
    json: Json = False,
) -> None:
    """Ask the pocket translator what 'it' refers to, and why; no download, two minutes."""
    from referee.cli.output import print_json, result, show_tables
    from referee.demo.plan import QUICK
    from referee.demo.run import commands_to_try
    from referee.demo.run import demo as run_demo
    from referee.demo.story import summary

    told = run_demo(out, QUICK if quick else 1.0, _announced)
    if json:
        print_json(told)
        return
    show_tables([summary(told.summary)])
    result(f"What was found: {told.sentence}")
    result("")
    result(f"The whole report, with examples: {told.report}")
    result(f"Every set and every verdict is in {out}. Try it yourself:")
    for command in commands_to_try(out):
        result(f"  {shlex.join(command)}")


@contextmanager
def _announced(step: str) -> Iterator[Progress]:
    from referee.cli.output import progress_bar, say

    say(step)
    with progress_bar("  ") as progress:
        yield progress
