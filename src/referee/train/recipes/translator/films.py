"""Which lines come from the same film: what is held out for testing must not be seen in any neighbouring line.

Contexts of one film overlap from line to line and from set to set, and most published lines carry no document id. So
lines are joined that share an id, or a sentence or two in a row that are long enough not to be said in two films. Where
there is no id, this keeps a scene together: other scenes of the film cannot be known for its own (the card says how
often that is so).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

_TELLING = 45
"""Characters from which on a sentence is taken to be said in one film only."""
_TELLING_TOGETHER = 35
"""The same for two sentences in a row."""
_COMMON = 40
"""Lines that a sentence of one film stands in at most; more often, it is a phrase that everybody says."""


class Films:
    """Lines joined to films, step by step."""

    def __init__(self, lines: int) -> None:
        self._parent = list(range(lines))

    def join(self, one: int, other: int) -> None:
        """Both lines are from one film."""
        self._parent[self.of(one)] = self.of(other)

    def of(self, line: int) -> int:
        """The film of a line: one of its lines stands for it."""
        while self._parent[line] != line:
            self._parent[line] = self._parent[self._parent[line]]
            line = self._parent[line]
        return line


def films(lines: Sequence[Sequence[str]], documents: Sequence[str | None]) -> list[int]:
    """The film of every line, by the sentences in it and, where there is one, its document id."""
    lines_of: dict[str, list[int]] = {}
    for number, sentences in enumerate(lines):
        for telling in _telling(sentences):
            lines_of.setdefault(telling, []).append(number)
    groups = Films(len(lines))
    for numbers in lines_of.values():
        if len(numbers) <= _COMMON:
            for number in numbers[1:]:
                groups.join(numbers[0], number)
    first_line: dict[str, int] = {}
    for number, document in enumerate(documents):
        if document is not None:
            groups.join(number, first_line.setdefault(document, number))
    return [groups.of(number) for number in range(len(lines))]


def _telling(sentences: Sequence[str]) -> Iterator[str]:
    yield from (sentence for sentence in sentences if len(sentence) >= _TELLING)
    yield from (f"{one}\n{two}" for one, two in pairwise(sentences) if len(one) + len(two) >= _TELLING_TOGETHER)
