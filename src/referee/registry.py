"""Names to things: what the package brings, what plug-ins add through entry points, and a good answer to a typo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Any, TypeVar

from referee.errors import RefereeError, UnknownNameError

T = TypeVar("T")


def plugins(group: str) -> Iterator[Any]:
    """What installed packages offer under the entry-point group `group`."""
    for entry in entry_points(group=group):
        try:
            yield entry.load()
        except Exception as error:
            # A plug-in is foreign code: whatever it raises is its fault, and the user must learn whose.
            problem = f"the plug-in {entry.value!r} ({group}) does not load: {error}"
            raise RefereeError(problem, "mend or uninstall its package") from error


def lookup(kind: str, name: str, known: Mapping[str, T]) -> T:
    """The thing called `name`; an unknown name is answered with the nearest and the known ones."""
    if name in known:
        return known[name]
    nearest = get_close_matches(name, known, n=3, cutoff=0.5)
    problem = f"there is no {kind} '{name}'"
    if nearest:
        problem += f" (did you mean {' or '.join(nearest)}?)"
    raise UnknownNameError(problem, f"the known ones are {_shortened(sorted(known))}")


def _shortened(names: list[str], most: int = 40) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
