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
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the files of the demo.")] = Path(
        "referee-demo"
    ),
    quick: Annotated[
        bool, typer.Option("--quick", help="Use fewer items: under half a minute, wider intervals.")
    ] = False,
    json: Json = False,
) -> None:
    """Run the one-minute demo on the bundled translator."""
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
    result(f"Result: {told.sentence}")
    result("")
    result(f"Full report with examples: {told.report}")
    result(f"All sets and verdicts are in {out}. Next steps:")
    for command in commands_to_try(out):
        result(f"  {shlex.join(command)}")


@contextmanager
def _announced(step: str) -> Iterator[Progress]:
    from referee.cli.output import progress_bar, say

    say(step)
    with progress_bar("  ") as progress:
        yield progress
