"""The command `referee`: one module per verb."""

from __future__ import annotations

import os
import signal
import sys
from typing import Annotated, NoReturn

import typer

from referee.cli import build, compare, data, demo, diagnose, estimate, evaluate, listing, perturb, report, score, stats
from referee.errors import RefereeError
from referee.logs import show_on_stderr

app = typer.Typer(
    name="referee",
    help="Test whether a model resolves pronouns and commonsense for the right reasons.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from referee import __version__

        sys.stdout.write(f"referee {__version__}\n")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show the log of the libraries on stderr.")] = False,
) -> None:
    """Options before the verb."""
    del version
    show_on_stderr(verbose=verbose)


app.command("demo")(demo.demo)
app.add_typer(listing.app, name="list")
app.command("eval")(evaluate.evaluate)
app.command("score")(score.score)
app.command("perturb")(perturb.perturb)
app.command("diagnose")(diagnose.diagnose)
app.command("compare")(compare.compare)
app.command("report")(report.report)
app.add_typer(build.app, name="build")
app.add_typer(stats.app, name="stats")
app.add_typer(estimate.app, name="estimate")
app.add_typer(data.app, name="data")


class _Interrupted(BaseException):
    """Ctrl-C under another name: typer would end the program on its own, without a word."""


def _interrupt(*_: object) -> NoReturn:
    raise _Interrupted


def main() -> None:
    """Runs the command; an error that the user can fix is one line on stderr and an exit code."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        app(prog_name="referee", standalone_mode=True)
    except RefereeError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(error.exit_code)
    except _Interrupted:
        sys.stderr.write("Interrupted. Run the same command again to resume.\n")
        sys.exit(130)
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):
            # The reader of our output has left (`| head`): that is no failure, but nothing may be written any more.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
            sys.exit(0)
        raise
    finally:
        signal.signal(signal.SIGINT, before)
