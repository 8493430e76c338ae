"""The command `referee`: one module per verb."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from referee.cli import (
    annotate,
    build,
    compare,
    data,
    demo,
    diagnose,
    estimate,
    evaluate,
    listing,
    perturb,
    report,
    score,
    stats,
)
from referee.errors import InputError, RefereeError, from_os
from referee.io.streams import ReaderLeftError, StdoutError, cleaned, give_up, occupy_closed
from referee.io.text import one_line, recordable
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
app.command("annotate")(annotate.annotate)
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
    occupy_closed()
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        with cleaned():
            code = _exit_code()
    finally:
        signal.signal(signal.SIGINT, before)
    sys.exit(code)


def _exit_code() -> int:
    try:
        return _command()
    except (StdoutError, ReaderLeftError) as error:
        give_up(sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return _failed(error) if error.exit_code else 0
    except RefereeError as error:
        return _failed(error)
    except _Interrupted:
        sys.stderr.write("Interrupted. Run the same command again to resume.\n")
        return 130
    # What no module foresaw, of the kinds that a file, a disk or a name can cause.
    except OSError as error:
        return _failed(from_os(error))
    except RecursionError:
        return _failed(InputError("a file has values nested too deeply", "check the files of this command"))
    except MemoryError:
        return _failed(InputError("the memory of this machine is too small", "use smaller files or batches"))
    except UnicodeEncodeError as error:
        name = recordable(error.object) if isinstance(error.object, str) else ""
        return _failed(InputError(f"'{name}' is not valid UTF-8", "use a name or a text in UTF-8"))


def _command() -> int:
    """Run the command and print all that it has to say; the exit code."""
    try:
        app(prog_name="referee", standalone_mode=True)
        code: object = 0
    except SystemExit as ending:
        code = ending.code
    sys.stdout.flush()
    return code if isinstance(code, int) else int(code is not None)


def _failed(error: RefereeError) -> int:
    # What was printed before an error belongs before it.
    with suppress(RefereeError):
        sys.stdout.flush()
    sys.stderr.write(f"error: {one_line(str(error))}\n")
    return error.exit_code
