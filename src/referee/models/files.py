"""Models that are files: the scores or the translations of a system that ran elsewhere."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from referee.errors import InputError
from referee.io.files import content_sha256, existing, text_lines
from referee.models.spec import ModelSpec
from referee.protocols import Identity

Better = Literal["higher", "lower"]


@dataclass(frozen=True)
class ScoreFile:
    """One number per line, a line for every candidate of every item, in order; an item with NaN is dropped later."""

    path: Path
    better: Better = "higher"

    @classmethod
    def at(cls, path: Path, better: Better = "higher") -> ScoreFile:
        """The file at that path, or packed next to it."""
        return cls(existing(path), better)

    @property
    def name(self) -> str:
        """Its spec."""
        return f"scores:{self.path}"

    def identity(self) -> Identity:
        """The content of the file, and which way its numbers go."""
        return Identity(content_sha256(self.path), {"better": self.better})

    def scores(self, wanted: int) -> Iterator[float]:
        """The numbers; there must be exactly `wanted`. All are checked before the first is given."""
        values = array("d")
        for number, line in enumerate(text_lines(self.path), 1):
            values.append(self._number(line, number))
        _check_count(self.path, len(values), wanted, "score", "candidate")
        return iter(values)

    def _number(self, line: str, number: int) -> float:
        try:
            if "_" in line:
                raise ValueError
            value = float(line)
        except ValueError:
            problem = "is blank, expected a number" if not line.strip() else f"{line[:40]!r} is not a number"
            raise InputError(problem, "write one score per line", self.path, number) from None
        if math.isinf(value):
            problem = f"'{line.strip()}' is not a finite number"
            raise InputError(problem, "compute the score of this candidate again", self.path, number)
        return value


@dataclass(frozen=True)
class ScoreList:
    """The same in memory."""

    values: Sequence[float]
    better: Better = "higher"
    name: str = "scores"

    def identity(self) -> Identity:
        """The numbers, and which way they go."""
        return Identity(_digest(repr(float(value)) for value in self.values), {"better": self.better})

    def scores(self, wanted: int) -> Iterator[float]:
        """The numbers; there must be exactly `wanted`, none of them infinite."""
        _check_count(None, len(self.values), wanted, "score", "candidate")
        for index, value in enumerate(self.values):
            if math.isinf(value):
                raise InputError(f"the score at index {index} is {value}, expected a finite number", "compute it again")
        return map(float, self.values)


@dataclass(frozen=True)
class TranslationFile:
    """One output per line, a line for every item, in order."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> TranslationFile:
        """The file at that path, or packed next to it."""
        return cls(existing(path))

    @property
    def name(self) -> str:
        """Its spec."""
        return f"translations:{self.path}"

    def identity(self) -> Identity:
        """The content of the file."""
        return Identity(content_sha256(self.path))

    def outputs(self, wanted: int) -> Iterator[str]:
        """The outputs; there must be exactly `wanted`. All are checked before the first is given."""
        _check_count(self.path, sum(1 for _ in text_lines(self.path)), wanted, "translation", "item")
        return text_lines(self.path)


@dataclass(frozen=True)
class TranslationList:
    """The same in memory."""

    lines: Sequence[str]
    name: str = "translations"

    def identity(self) -> Identity:
        """The outputs."""
        return Identity(_digest(self.lines))

    def outputs(self, wanted: int) -> Iterator[str]:
        """The outputs; there must be exactly `wanted`."""
        _check_count(None, len(self.lines), wanted, "translation", "item")
        return iter(self.lines)


def open_scores(spec: ModelSpec) -> ScoreFile:
    """`scores:FILE[,better=higher|lower]`."""
    spec.only("better")
    better: Better = "lower" if spec.option("better", ("higher", "lower"), "higher") == "lower" else "higher"
    return ScoreFile.at(Path(spec.name), better)


def open_translations(spec: ModelSpec) -> TranslationFile:
    """`translations:FILE`."""
    spec.only()
    return TranslationFile.at(Path(spec.name))


def _digest(lines: Iterable[str]) -> str:
    """The hash that a file with these lines has."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def _check_count(path: Path | None, count: int, wanted: int, what: str, unit: str) -> None:
    if count == wanted:
        return
    problem = f"expected {wanted} {what}s, one per {unit}, but found {count}"
    remedy = (
        f"give one {what} per {unit}, in item order" if path is None else f"write one {what} per line, in item order"
    )
    raise InputError(problem, remedy, path)
