"""Libraries write nothing to stderr; the command line shows warnings, and with --verbose what libraries do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from referee.logs import StderrHandler, logger, show_on_stderr


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    handlers, level = logger.handlers[:], logger.level
    yield
    logger.handlers[:] = handlers
    logger.setLevel(level)


@pytest.mark.parametrize(("verbose", "shown"), [(False, "careful 1\n"), (True, "by the way\ncareful 1\n")])
def test_the_command_line_shows(verbose: bool, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_on_stderr(verbose=True)
    show_on_stderr(verbose=verbose)
    logger.info("by the way")
    logger.warning("careful %d", 1)
    assert capsys.readouterr() == ("", shown)
    assert sum(isinstance(handler, StderrHandler) for handler in logger.handlers) == 1


def test_a_library_is_silent() -> None:
    script = "from referee.logs import logger\nlogger.warning('careful')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.parametrize(("options", "said"), [((), ""), (("--verbose",), "opening pocket,colour=red\n")])
def test_verbose_is_an_option_of_every_command(options: tuple[str, ...], said: str) -> None:
    command = [sys.executable, "-c", "from referee.cli.main import main; main()", *options]
    done = subprocess.run([*command, "eval", "pocket,colour=red", "x"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{said}error: 'pocket:' has no option 'colour'")
