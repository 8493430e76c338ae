"""Progress of long work, whatever shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

T = TypeVar("T")

Progress = Callable[[int, int | None], None]
"""Told how much is done, and of how much where that is known."""

Bars = Callable[[str], AbstractContextManager[Progress]]
"""Opens the progress of a named step; work of several steps takes this."""


def no_progress(done: int, total: int | None) -> None:
    """Show nothing."""
    del done, total


def no_bars(step: str) -> AbstractContextManager[Progress]:
    """Show nothing of any step."""
    del step
    return nullcontext(no_progress)


def counted(things: Iterable[T], progress: Progress, total: int | None = None) -> Iterator[T]:
    """Pass things on; `progress` is told of each when the next is asked for.

    >>> list(counted("ab", lambda done, total: print(f"{done} of {total}"), total=2))
    1 of 2
    2 of 2
    ['a', 'b']
    """
    for done, thing in enumerate(things, 1):
        yield thing
        progress(done, total)
