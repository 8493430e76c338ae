"""A study: sets of one kind are drawn, the verdicts on them are read, and how often each word appears is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numpy.random import Generator

Events = Mapping[str, bool]
"""What the verdict on one set says, word by word; `covered` is whether its interval holds the true value."""
Read = tuple[Events, Sequence[str]]
"""The same read from the whole path, with the sentences that a reader sees."""

Role = Literal["false alarm", "coverage", "power", "share"]
"""What the rate of an event is: a word that is untrue here, a word that is true here, or just how often it appears."""


@dataclass(frozen=True)
class Study:
    """How one simulated model is drawn, and how the verdict on it is read.

    `read` may take a shorter way than `full`, which starts from judged items; both must say the same.
    """

    draw: Callable[[Generator], Any]
    read: Callable[[Any], Events]
    full: Callable[[Any], Read]
    kind: Callable[[Any], bytes] | None = None
    """What decides the outcome; a sample of a kind that was read before is not read again."""


@dataclass(frozen=True)
class Cell:
    """One simulated model on sets of one size: the study, its settings, and the role of each event.

    `name` is what the table calls it where it is shown by itself (power); `note` is the published figure in per cent.
    """

    study: str
    settings: Mapping[str, Any]
    roles: Mapping[str, Role]
    name: str = ""
    note: float | None = None
    sets: float = 1.0

    @property
    def groups(self) -> int:
        """How many groups each set has."""
        return int(self.settings["groups"])

    @property
    def key(self) -> str:
        """What the draws of the cell are seeded by."""
        return f"{self.study} {sorted(self.settings.items())}"


def same(study: Study, sample: Any) -> Sequence[str]:  # noqa: ANN401
    """Check that both ways of reading agree, and return the sentences."""
    short, (full, sentences) = dict(study.read(sample)), study.full(sample)
    if short != dict(full):
        raise SystemExit(f"the short way reads {short}, the whole path {dict(full)}")
    return sentences
