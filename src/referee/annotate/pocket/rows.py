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

    >>> [part.tolist() for part in pack([60, 60, 60, 200, 0, 5], [0, 0, 0, 0, 0, 1])]
    [[0, 120, 180, 254, 380], [120, 60, 126, 126, 5], [0, 120, 180, 280, 380], [120, 180, 280, 380, 385]]
    """
    runs: list[tuple[int, int, int, int]] = []
    start = end = 0
    before = -1
    for count, document in zip(counts, documents, strict=True):
        if end > start and (document != before or end - start + count > ROOM):
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


def batches(rows: Rows, most: int) -> Iterator[np.ndarray]:
    """Numbers of rows of one length, at most `most` positions together: rows of one shape need no padding."""
    order = np.argsort(rows.lengths, kind="stable")
    lengths = rows.lengths[order]
    edges = np.flatnonzero(np.diff(lengths)) + 1
    for group in np.split(order, edges):
        if not len(group):
            continue
        size = max(1, most // (int(rows.lengths[group[0]]) + 2))
        for begin in range(0, len(group), size):
            yield group[begin : begin + size]


def spelled(rows: Rows, chosen: np.ndarray, numbers: np.ndarray, language: int) -> np.ndarray:
    """The tokens of rows of one length: language, pieces, end."""
    length = int(rows.lengths[chosen[0]])
    tokens = np.empty((len(chosen), length + 2), np.int32)
    tokens[:, 0], tokens[:, -1] = language, END
    tokens[:, 1:-1] = numbers[rows.starts[chosen][:, None] + np.arange(length)]
    return tokens


def placed(rows: Rows, chosen: np.ndarray, vectors: np.ndarray, out: np.ndarray) -> None:
    """Put the vectors of rows of one length (as `spelled` made them) where their pieces are in `out`."""
    length = vectors.shape[1] - 2
    pieces = rows.starts[chosen][:, None] + np.arange(length)
    if (rows.last[chosen] - rows.first[chosen] == length).all():
        out[pieces.ravel()] = vectors[:, 1:-1].reshape(-1, vectors.shape[2])
        return
    used = (pieces >= rows.first[chosen][:, None]) & (pieces < rows.last[chosen][:, None])
    out[pieces[used]] = vectors[:, 1:-1][used]
