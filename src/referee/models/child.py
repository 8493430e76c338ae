"""A program in a process group of its own: limited in time and output, and ended when we end, however that is."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, cast

_STEP = 1 << 16
_POLL_S = 0.1
_LONGEST_LINE = 1 << 20
_COMPLAINTS = 1 << 16  # bytes of the error output that are kept
_WATCHER = 'read group && [ -n "$group" ] && ! read end && kill -s KILL -- "-$group"'
"""Waits for its input to end, which happens when we die of whatever signal, and then ends the group."""


@dataclass(eq=False)
class ChildLimitError(Exception):
    """A program that takes too long or writes too much."""

    problem: str
    remedy: str = "make it write exactly one line per line that it reads"


@dataclass
class Output:
    """What a program wrote, up to the limits of `lines`, `size` and one line."""

    lines: int
    size: int
    written: bytearray = field(default_factory=bytearray)
    complaints: bytearray = field(default_factory=bytearray)
    _ends: int = 0
    _last_end: int = -1

    @property
    def complete(self) -> bool:
        """Whether all lines that are expected have arrived."""
        return self._ends >= self.lines

    def add(self, piece: bytes) -> None:
        """Take a piece of the output."""
        self.written += piece
        self._ends += piece.count(b"\n")
        self._last_end = max(self._last_end, self.written.rfind(b"\n", len(self.written) - len(piece)))
        if len(self.written) - self._last_end > _LONGEST_LINE:
            raise ChildLimitError(f"wrote a line of more than {_LONGEST_LINE:,} bytes")
        if self._ends > 2 * self.lines + 1000:
            raise ChildLimitError(f"wrote more than {self._ends - 1:,} lines for {self.lines:,} input lines")
        if len(self.written) > self.size:
            raise ChildLimitError(f"wrote more than {self.size:,} bytes")

    def complain(self, piece: bytes) -> None:
        """Take a piece of the error output."""
        self.complaints += piece[: _COMPLAINTS - len(self.complaints)]


def run(command: Sequence[str], given: bytes, output: Output, timeout: int | None) -> int:
    """The exit status of a program that was given its input; OSError if it cannot be run.

    What it started itself ends with it.
    """
    clock = _Clock(timeout, time.monotonic())
    with _watcher() as watch, _group(command) as process:
        watch(process.pid)
        _exchange(process, given, output, clock)
        try:
            return process.wait(clock.left)
        except subprocess.TimeoutExpired:
            raise clock.over() from None


@dataclass(frozen=True)
class _Clock:
    timeout: int | None
    start: float

    @property
    def left(self) -> float | None:
        return None if self.timeout is None else max(0.0, self.start + self.timeout - time.monotonic())

    def over(self) -> ChildLimitError:
        return ChildLimitError(f"did not end within {self.timeout} seconds", "raise the limit with timeout=SECONDS")


@contextmanager
def _group(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 the program that the user named, without a shell
        command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, bufsize=0
    ) as process:
        try:
            yield process
        finally:
            # A pipeline's members keep the pipes open when only the first is ended, and we would wait for them.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def _watcher() -> Iterator[_Watch]:
    with subprocess.Popen(  # noqa: S603 our own words
        ["/bin/sh", "-c", _WATCHER],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        bufsize=0,
    ) as process:
        try:
            yield _Watch(process)
        finally:
            process.kill()


@dataclass(frozen=True)
class _Watch:
    process: subprocess.Popen[bytes]

    def __call__(self, group: int) -> None:
        if self.process.stdin:
            self.process.stdin.write(f"{group}\n".encode())


def _exchange(process: subprocess.Popen[bytes], given: bytes, output: Output, clock: _Clock) -> None:
    """Write and read at once, so that neither side waits for the other, however much there is."""
    rest = memoryview(given)
    with selectors.DefaultSelector() as ready:
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                os.set_blocking(stream.fileno(), False)
                ready.register(stream, selectors.EVENT_WRITE if stream is process.stdin else selectors.EVENT_READ)
        while ready.get_map():
            if clock.left == 0:
                raise clock.over()
            events = ready.select(_POLL_S)
            # What it left running in the background may keep its pipes open for ever.
            if not events and output.complete and process.poll() is not None:
                return
            for key, _ in events:
                stream = cast("IO[bytes]", key.fileobj)
                if stream is process.stdin:
                    rest = rest[_written(key.fd, rest) :]
                    more = len(rest) > 0
                else:
                    piece = os.read(key.fd, _STEP)
                    (output.add if stream is process.stdout else output.complain)(piece)
                    more = len(piece) > 0
                if not more:
                    ready.unregister(stream)
                    stream.close()


def _written(descriptor: int, rest: memoryview) -> int:
    """How much of the rest was taken; all of it if nobody reads it any more."""
    try:
        return os.write(descriptor, rest[:_STEP])
    except BrokenPipeError:
        return len(rest)
