"""Things by name: those of the package, those that plug-ins add through entry points, and suggestions for a typo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, TypeVar

from referee.errors import RefereeError, UnknownNameError, either

T = TypeVar("T")


class Named(Protocol):
    """Anything that a registry holds."""

    @property
    def name(self) -> str:
        """The name by which it is looked up."""


N = TypeVar("N", bound=Named)


def plugins(group: str, type: type[T]) -> Iterator[T]:
    """Things of `type` that installed packages offer under the entry-point group, one per entry or a sequence."""
    for entry in entry_points(group=group):
        try:
            loaded = entry.load()
        except Exception as error:
            # A plug-in is foreign code: whatever it raises is its fault, and the user must learn whose.
            raise _faulty(entry, f"does not load ({error})") from error
        offered = loaded if isinstance(loaded, list | tuple) else [loaded]
        for thing in offered:
            if not isinstance(thing, type):
                raise _faulty(entry, f"offers {thing!r}, which is not a {type.__name__}")
            yield thing


def named(things: Iterable[N]) -> dict[str, N]:
    """Things by their names; two of one name are an error."""
    by_name: dict[str, N] = {}
    for thing in things:
        if by_name.setdefault(thing.name, thing) is not thing:
            raise RefereeError(f"the name '{thing.name}' is used twice", "rename the one that the plug-in adds")
    return by_name


def _faulty(entry: EntryPoint, problem: str) -> RefereeError:
    return RefereeError(f"the plug-in {entry.value!r} ({entry.group}) {problem}", "fix or uninstall its package")


def lookup(kind: str, name: str, choices: Mapping[str, T]) -> T:
    """The thing called `name`; an unknown name is an error that suggests similar names and lists all."""
    if name in choices:
        return choices[name]
    nearest = get_close_matches(name, choices, n=3, cutoff=0.5)
    problem = f"unknown {kind} '{name}'"
    if nearest:
        problem += f" (did you mean {either(nearest)}?)"
    raise UnknownNameError(problem, f"choose one of {_shortened(sorted(choices))}")


def _shortened(names: list[str], most: int = 40) -> str:
    """All names, or their families where there are more than `most`."""
    if len(names) <= most:
        return ", ".join(names)
    families = Counter(name.partition("/")[0] for name in names)
    return ", ".join(f"{family}/... ({count})" if count > 1 else family for family, count in families.items())
