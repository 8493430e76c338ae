"""The command `referee`: one module a verb, clear endings."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from referee.cli import data, demo, evaluate, listing, score, stats
from referee.errors import RefereeError

app = typer.Typer(
    name="referee",
    help='Does your model know what "it" refers to, and for the right reasons?',
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.", is_eager=True)] = False,
) -> None:
    """Options before the verb."""
    if version:
        from referee import __version__

        sys.stdout.write(f"referee {__version__}\n")
        raise typer.Exit


app.command("demo")(demo.demo)
app.command("list")(listing.listing)
app.command("eval")(evaluate.evaluate)
app.command("score")(score.score)
app.add_typer(stats.app, name="stats")
app.add_typer(data.app, name="data")


def main() -> None:
    """Runs the command; whatever the user can mend is one sentence on stderr and an exit code."""
    try:
        app(standalone_mode=True)
    except RefereeError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; the same command continues a run with --out\n")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has left (`| head`); nothing may be written to it any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
