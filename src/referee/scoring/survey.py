"""Survey of a set: one reading of all items before any of them is evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.errors import InputError
from referee.items import Item, SetOrigin, Task
from referee.scoring.decision import can_match
from referee.sets import Fingerprint, Hasher, ItemSet


@dataclass(frozen=True)
class Survey:
    """The fingerprint of a set, and how much of it can be evaluated; `contextual` items have preceding sentences."""

    name: str
    fingerprint: Fingerprint
    candidates: int
    contrastable: int
    matchable: int
    tasks: frozenset[Task] = frozenset()
    perturbed: int = 0
    origin: SetOrigin | None = None
    contextual: int = 0

    def require_candidates(self) -> None:
        """Refuse a set that has nothing to contrast."""
        if not self.contrastable:
            raise InputError(f"no item of {self.name} has candidates to score", "use translations instead")

    def require_forms(self) -> None:
        """Refuse a set that does not say what a translation must contain."""
        if not self.matchable:
            problem = f"no item of {self.name} has expected forms to look for in a translation"
            remedy = "score its candidates instead, or run `referee data get` if only a part of the suite is there"
            raise InputError(problem, remedy)


@dataclass
class Surveyor:
    """Running counts over the items of a set, taken while they are written elsewhere."""

    name: str
    origin: SetOrigin | None = None
    _hasher: Hasher = field(default_factory=Hasher)
    _candidates: int = 0
    _contrastable: int = 0
    _matchable: int = 0
    _perturbed: int = 0
    _contextual: int = 0
    _tasks: set[Task] = field(default_factory=set)

    def lines(self, items: Iterable[Item]) -> Iterator[bytes]:
        """Encoded items, counted as they pass: what is hashed is what is written."""
        for item in items:
            self._candidates += len(item.candidates)
            self._contrastable += bool(item.candidates)
            self._matchable += can_match(item)
            self._perturbed += item.origin is not None
            self._contextual += any((*item.source_context, *item.target_context))
            self._tasks.add(item.task)
            yield self._hasher.line(item)

    def survey(self) -> Survey:
        """Survey of the items so far."""
        return Survey(
            self.name,
            self._hasher.fingerprint(),
            self._candidates,
            self._contrastable,
            self._matchable,
            frozenset(self._tasks),
            self._perturbed,
            self.origin,
            self._contextual,
        )


def survey(items: ItemSet) -> Survey:
    """Read, and so validate, a whole set."""
    surveyor = Surveyor(items.name, items.origin)
    for _ in surveyor.lines(items):
        pass
    return surveyor.survey()
