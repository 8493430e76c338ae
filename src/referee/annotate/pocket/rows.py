"""Rows for the encoder: lines of a document packed together; a line too long for a row becomes windows that overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.annotate.pocket.pieces import END

POSITIONS = 128
"""Positions of a row, the language in front and the end included."""

ROOM = POSITIONS - 2
"""Pieces of text in a row."""

PACKED = 62
"""Pieces of a row of several lines: more context does not help, and longer rows take the encoder more time."""

STRIDE = 78
"""Pieces from the start of one window to the start of the next: each piece is seen with 24 or more on both sides."""


class Rows(NamedTuple):
    """Runs of pieces. All runs together cover all pieces, and each piece is used (`first` to `last`) in one of them."""

    starts: np.ndarray
    """The first piece of the row, counted over all lines."""
    lengths: np.ndarray
    first: np.ndarray
    """The first piece whose vector is taken from this row."""
    last: np.ndarray
    """One past the last piece whose vector is taken from this row."""


def pack(counts: Sequence[int], documents: Sequence[int]) -> Rows:
    """Pack lines, given by their pieces and the number of their document, into rows in order.

    >>> [part.tolist() for part in pack([30, 30, 80, 200, 0, 5], [0, 0, 0, 0, 0, 1])]
    [[0, 60, 140, 214, 340], [60, 80, 126, 126, 5], [0, 60, 140, 240, 340], [60, 140, 240, 340, 345]]
    """
    runs: list[tuple[int, int, int, int]] = []
    start = end = 0
    before = -1
    for count, document in zip(counts, documents, strict=True):
        if end > start and (document != before or end - start + count > PACKED):
            runs.append((start, end - start, start, end))
            start = end
        before = document
        end += count
        if count > ROOM:
            runs.extend(_windows(start, count))
            start = end
    if end > start:
        runs.append((start, end - start, start, end))
    table = np.array(runs, np.int64).reshape(-1, 4)
    return Rows(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


def _windows(start: int, count: int) -> Iterator[tuple[int, int, int, int]]:
    """Windows over a long line; two that overlap share the middle of the overlap."""
    starts = [*range(0, count - ROOM, STRIDE), count - ROOM]
    cuts = [(one + ROOM + other) // 2 for one, other in pairwise(starts)]
    for first, used, end in zip(starts, [0, *cuts], [*cuts, count], strict=True):
        yield start + first, ROOM, start + used, start + end


def spelled(rows: Rows, numbers: np.ndarray, language: int) -> list[list[int]]:
    """The tokens of each row: language, pieces, end."""
    every = numbers.tolist()
    runs = zip(rows.starts.tolist(), (rows.starts + rows.lengths).tolist(), strict=True)
    return [[language, *every[start:end], END] for start, end in runs]


def place(rows: Rows, chosen: Sequence[int], vectors: np.ndarray, out: np.ndarray) -> None:
    """Put the vectors of rows of one length (as `spelled` gives them) where their pieces are in `out`."""
    for row, of_row in zip(chosen, vectors, strict=True):
        start, first, last = int(rows.starts[row]), int(rows.first[row]), int(rows.last[row])
        out[first:last] = of_row[first - start + 1 : last - start + 1]
