"""What a suite is: a public challenge set, where its files lie in the data folder, and how they become items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from referee.errors import MissingError
from referee.items import Item, SetOrigin
from referee.sets import ItemSet


@dataclass(frozen=True)
class Suite:
    """`read` gets the data folder; `files` are the paths in it (each may also lie there as `NAME.gz`).

    With `needs` "any" the suite can be read from some of its files, because others were never published. `origin` names
    the suite that this one is a published change of.
    """

    name: str
    about: str
    files: tuple[str, ...]
    read: Callable[[Path], Iterator[Item]]
    paper: str
    licence: str
    needs: Literal["all", "any"] = "all"
    origin: SetOrigin | None = None

    def missing(self, data: Path) -> list[str]:
        """Which of the files are not in the data folder."""
        return [name for name in self.files if not is_there(data / name)]

    def presence(self, data: Path) -> Literal["yes", "no", "partly"]:
        """Whether the suite can be read from the data folder, or only a part of its files is there."""
        missing = len(self.missing(data))
        if not missing:
            return "yes"
        return "no" if self.needs == "all" or missing == len(self.files) else "partly"

    def open(self, data: Path) -> ItemSet:
        """The set, or the command that fetches it."""
        if self.presence(data) == "no":
            problem = f"the suite '{self.name}' is not in the data folder {data} (missing: {self.missing(data)[0]})"
            raise MissingError(problem, f"run `referee data get {self.name}`, or choose another folder with --data")
        return ItemSet(self.name, lambda: self.read(data), self.origin)


def is_there(path: Path) -> bool:
    """Whether a file of the data folder is there, plain or packed."""
    return path.is_file() or path.with_name(path.name + ".gz").is_file()
