"""Functions in forks of this process, several at a time and with a limit of processor time, for `mutants.py`."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
BROKEN = 99
"""The exit status of a function that raised."""


@dataclass(frozen=True)
class Task(Generic[T]):
    """What a fork runs: a function that is given a folder of its own, and gives the exit status."""

    of: T
    run: Callable[[Path], int]
    processor_s: float
    log: Path = Path(os.devnull)


@dataclass(frozen=True)
class _Fork(Generic[T]):
    task: Task[T]
    folder: Path
    deadline: float


def forked(tasks: Iterable[Task[T]], jobs: int = 1) -> Iterator[tuple[T, int | None, str]]:
    """Run every task; gives its exit status (None: out of time), and what it left in the file `note` of its folder."""
    waiting = iter(tasks)
    running: dict[int, _Fork[T]] = {}
    while True:
        while len(running) < jobs and (task := next(waiting, None)) is not None:
            fork = _Fork(task, Path(tempfile.mkdtemp(prefix="mutants-")), time.monotonic() + 20 * task.processor_s)
            running[_start(fork)] = fork
        if not running:
            return
        for child, fork in list(running.items()):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and time.monotonic() > fork.deadline:
                os.killpg(child, signal.SIGKILL)
                ended, status = os.waitpid(child, 0)
            if ended:
                del running[child]
                note = fork.folder / "note"
                yield fork.task.of, _exit_status(status), note.read_text() if note.exists() else ""
                shutil.rmtree(fork.folder, ignore_errors=True)
        time.sleep(0.01)


def _start(fork: _Fork[T]) -> int:
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = BROKEN
    try:
        os.setpgid(0, 0)
        output = os.open(fork.task.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(fork.folder)
        seconds = int(fork.task.processor_s) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
        status = fork.task.run(fork.folder)
    except BaseException:  # whatever it is, the fork must not go on as if it were the parent
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def _exit_status(status: int) -> int | None:
    out_of_time = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
    return None if out_of_time else os.waitstatus_to_exitcode(status)
