"""The log of the package: libraries write to it and never to stderr; the command line shows it."""

from __future__ import annotations

import logging
import sys

logger = logging.getLogger("referee")
"""Warnings are what a user must see, such as a retry that looks like a hang; the rest is for `--verbose`."""

# Without a handler of its own, Python would write warnings to the stderr of a program that never asked for them.
logger.addHandler(logging.NullHandler())


class StderrHandler(logging.Handler):
    """Writes one line per message to the stderr of the moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """Writes the message."""
        sys.stderr.write(f"{self.format(record)}\n")


def show_on_stderr(*, verbose: bool = False) -> None:
    """Show warnings on stderr, with `verbose` also what the libraries do; replaces an earlier choice."""
    for handler in [handler for handler in logger.handlers if isinstance(handler, StderrHandler)]:
        logger.removeHandler(handler)
    logger.addHandler(StderrHandler())
    logger.setLevel(logging.INFO if verbose else logging.WARNING)
