"""Files whose lines belong together: a text and its translations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from referee.errors import InputError
from referee.io.files import count_lines, existing, text_lines
from referee.io.progress import Progress

_STEP = 1000
"""Lines between two looks at the progress bar."""


@dataclass(frozen=True)
class Parallel:
    """Line-parallel files (`*.gz` too), read as often as wanted and never kept; `lines` are read of each."""

    paths: tuple[Path, ...]
    lines: int

    def __len__(self) -> int:
        return self.lines

    def read(self, progress: Progress) -> Iterator[tuple[str, ...]]:
        """Line by line the texts of all files, in NFC."""
        files = [text_lines(path) for path in self.paths]
        for done in range(self.lines):
            if done % _STEP == 0:
                progress(done, self.lines)
            yield tuple(normalize("NFC", next(file)) for file in files)


def open_parallel(paths: Sequence[Path], limit: int | None = None) -> Parallel:
    """The files if they have the same number of lines, only the first `limit` of them where that is given."""
    files = [existing(path) for path in paths]
    counts = [count_lines(path) for path in files]
    for path, count in zip(files, counts, strict=True):
        if count != counts[0]:
            problem = f"expected {counts[0]:,} lines, as many as {files[0]} has, but found {count:,}"
            raise InputError(problem, "use files that are parallel line by line", file=path)
    return Parallel(tuple(files), counts[0] if limit is None else min(limit, counts[0]))


def evenly(count: int, wanted: int) -> Iterator[bool]:
    """For each of `count` lines whether it is one of `wanted`, which are spread evenly: corpora are often sorted."""
    wanted = min(count, wanted)
    for index in range(count):
        yield index * wanted // count != (index - 1) * wanted // count
