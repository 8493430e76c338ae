"""Stdout and stderr of the command line: the one place through which everything printed passes.

Labels, names, file contents and messages of servers come from strangers. Here their control characters become visible
text, and characters that the terminal cannot encode are escaped. Only what draws on a terminal (colours, progress
bars) writes to the stream underneath, with text that was cleaned before.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from referee.errors import RefereeError
from referee.io.text import visible


class StdoutError(RefereeError):
    """Results cannot be printed."""


class ReaderLeftError(RefereeError):
    """The reader of our output has left (`| head`): the command ends, and that is not a failure."""

    exit_code = 0


class CleanStream:
    """A text stream without control sequences.

    `inner` is None where the stream is closed (`>&-`). A stream that must not stop the command (`lossy`: stderr)
    drops what cannot be written. There is no `buffer`, so that nothing goes around the cleaning.
    """

    def __init__(self, inner: TextIO | None, *, lossy: bool) -> None:
        self._inner = inner
        self._lossy = lossy
        if isinstance(inner, io.TextIOWrapper):
            inner.reconfigure(errors="backslashreplace")

    @property
    def raw(self) -> TextIO:
        """The stream underneath, for what draws on a terminal."""
        return cast("TextIO", self if self._inner is None else self._inner)

    @property
    def encoding(self) -> str:
        """The encoding of the stream underneath."""
        return getattr(self._inner, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:
        """What becomes of a character that cannot be encoded."""
        return "backslashreplace"

    def write(self, text: str) -> int:
        """Write text without its control sequences."""
        self._do(lambda stream: stream.write(visible(text)))
        return len(text)

    def writelines(self, lines: Iterator[str]) -> None:
        """Write lines, one by one."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand everything on; where nothing was printed, a closed stream is not an error."""
        if self._inner is not None:
            self._do(lambda stream: stream.flush())

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._inner is not None and self._inner.isatty()

    def fileno(self) -> int:
        """The number of the stream underneath."""
        if self._inner is None:
            raise io.UnsupportedOperation("fileno")
        return self._inner.fileno()

    def writable(self) -> bool:
        """True."""
        return True

    def readable(self) -> bool:
        """False."""
        return False

    @property
    def closed(self) -> bool:
        """Whether the stream underneath is closed."""
        return self._inner is not None and self._inner.closed

    def _do(self, action: Any) -> None:  # noqa: ANN401 a function of the stream
        try:
            if self._inner is None:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            action(self._inner)
        except OSError as error:
            if self._lossy:
                return
            if isinstance(error, BrokenPipeError):
                raise ReaderLeftError("the reader of the output has left", "run the command again") from None
            problem = f"standard output cannot be written ({error.strerror})"
            full = error.errno == errno.ENOSPC
            remedy = "free some space, or write it to another file" if full else "write it to a file or a terminal"
            raise StdoutError(problem, remedy) from None


@contextmanager
def cleaned() -> Iterator[None]:
    """Clean everything that is written to stdout and stderr meanwhile."""
    before = sys.stdout, sys.stderr
    sys.stdout = cast("TextIO", CleanStream(before[0], lossy=False))
    sys.stderr = cast("TextIO", CleanStream(before[1], lossy=True))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def raw(stream: TextIO) -> TextIO:
    """What is under a cleaned stream; any other stream as it is."""
    return stream.raw if isinstance(stream, CleanStream) else stream


def occupy_closed() -> None:
    """Open the null device where stdin, stdout or stderr is closed, so that no file of ours gets their number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is the one that is missing.
            os.open(os.devnull, os.O_RDWR)


def give_up(number: int) -> None:
    """Lead a stream that cannot be written to the null device: Python writes what it still holds when it ends."""
    with suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, number)
        os.close(null)
