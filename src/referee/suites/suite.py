"""What a suite is: a public challenge set, where its files lie in the data folder, and how they become items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.errors import MissingError
from referee.items import Item
from referee.sets import ChallengeSet


@dataclass(frozen=True)
class Suite:
    """`read` gets the data folder; `files` are the paths in it (each may also lie there as `NAME.gz`)."""

    name: str
    about: str
    files: tuple[str, ...]
    read: Callable[[Path], Iterator[Item]]
    paper: str
    licence: str

    def missing(self, data: Path) -> list[str]:
        """Which of the files are not in the data folder."""
        return [name for name in self.files if not _there(data / name)]

    def open(self, data: Path) -> ChallengeSet:
        """The set, or the command that fetches it."""
        if missing := self.missing(data):
            problem = f"the suite '{self.name}' is not in the data folder {data} ({missing[0]} is missing)"
            raise MissingError(problem, f"run `referee data get {self.name}`, or name the folder with --data")
        return ChallengeSet(self.name, lambda: self.read(data))


def _there(path: Path) -> bool:
    return path.is_file() or path.with_name(path.name + ".gz").is_file()
