"""Judges that are files: the scores or the translations of a system that ran elsewhere."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
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
    """One number a line, a line for every candidate of every item, in order."""

    path: Path
    better: Better = "higher"

    def identity(self) -> Identity:
        """The content of the file, and which way its numbers go."""
        return Identity(content_sha256(self.path), {"better": self.better})

    def scores(self, wanted: int) -> Iterator[float]:
        """The numbers; there must be exactly `wanted`. All are checked before the first is given."""
        values = array("d")
        for number, line in enumerate(text_lines(self.path), 1):
            values.append(self._number(line, number))
        _check_count(self.path, len(values), wanted, "candidates")
        return iter(values)

    def _number(self, line: str, number: int) -> float:
        try:
            if "_" in line:
                raise ValueError
            value = float(line)
        except ValueError:
            problem = "is blank" if not line.strip() else f"{line[:40]!r} is not a number"
            raise InputError(problem, "write one score a line", self.path, number) from None
        if not math.isfinite(value):
            problem = f"the score is {line.strip()}"
            raise InputError(problem, "score the candidate again, a score is a finite number", self.path, number)
        return value


@dataclass(frozen=True)
class TranslationFile:
    """One output a line, a line for every item, in order."""

    path: Path

    def identity(self) -> Identity:
        """The content of the file."""
        return Identity(content_sha256(self.path))

    def outputs(self, wanted: int) -> Iterator[str]:
        """The outputs; there must be exactly `wanted`. All are checked before the first is given."""
        _check_count(self.path, sum(1 for _ in text_lines(self.path)), wanted, "items")
        return text_lines(self.path)


FileModel = ScoreFile | TranslationFile


def open_scores(spec: ModelSpec) -> ScoreFile:
    """`scores:FILE[,better=higher|lower]`."""
    spec.only("better")
    better: Better = "lower" if spec.option("better", ("higher", "lower"), "higher") == "lower" else "higher"
    return ScoreFile(existing(Path(spec.name)), better)


def open_translations(spec: ModelSpec) -> TranslationFile:
    """`translations:FILE`."""
    spec.only()
    return TranslationFile(existing(Path(spec.name)))


def _check_count(path: Path, found: int, wanted: int, what: str) -> None:
    if found != wanted:
        problem = f"has {found} lines for {wanted} {what}"
        raise InputError(problem, "give one line for each, in the order of the set", path, min(found, wanted) + 1)
