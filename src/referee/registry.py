"""Names to things: what the package brings, what plug-ins add through entry points, and a good answer to a typo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, TypeVar

from referee.errors import RefereeError, UnknownNameError

T = TypeVar("T")


class Named(Protocol):
    """Anything that a registry holds."""

    @property
    def name(self) -> str:
        """What it is called."""


N = TypeVar("N", bound=Named)


def plugins(group: str, type: type[T]) -> Iterator[T]:
    """What installed packages offer under the entry-point group: each one thing of `type`, or a sequence of them."""
    for entry in entry_points(group=group):
        try:
            loaded = entry.load()
        except Exception as error:
            # A plug-in is foreign code: whatever it raises is its fault, and the user must learn whose.
            raise _faulty(entry, f"does not load: {error}") from error
        offered = loaded if isinstance(loaded, list | tuple) else [loaded]
        for thing in offered:
            if not isinstance(thing, type):
                raise _faulty(entry, f"offers {thing!r}, which is no {type.__name__}")
            yield thing


def named(things: Iterable[N]) -> dict[str, N]:
    """Things by their names; two of one name are an error."""
    found: dict[str, N] = {}
    for thing in things:
        if found.setdefault(thing.name, thing) is not thing:
            raise RefereeError(f"two things are called '{thing.name}'", "rename that of the plug-in")
    return found


def _faulty(entry: EntryPoint, problem: str) -> RefereeError:
    return RefereeError(f"the plug-in {entry.value!r} ({entry.group}) {problem}", "mend or uninstall its package")


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
    """All names, or where they are many, their families."""
    if len(names) <= most:
        return ", ".join(names)
    families = Counter(name.partition("/")[0] for name in names)
    return ", ".join(f"{family}/... ({count})" if count > 1 else family for family, count in families.items())
