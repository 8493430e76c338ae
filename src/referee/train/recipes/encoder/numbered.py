"""Running text as numbers of pieces, by as many processes as there are cores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from referee.annotate.pocket.atoms import atoms
from referee.annotate.pocket.pieces import Pieces
from referee.train.recipes.encoder.passages import LANGUAGES

_CHUNK = 5_000


class Numbered(NamedTuple):
    """The pieces of a text, how many each atom has, and the characters of the atoms."""

    pieces: np.ndarray
    counts: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


def number(texts: Sequence[str], pieces: Pieces) -> list[Numbered]:
    """Cut texts into atoms and pieces."""
    listed = []
    for text in texts:
        spelled, starts, ends = atoms(text)
        numbers, counts = pieces.encode(spelled)
        listed.append(
            Numbered(
                numbers.astype(np.int16), counts.astype(np.int16), np.array(starts, np.int32), np.array(ends, np.int32)
            )
        )
    return listed


def number_all(texts: Sequence[str], model: bytes, processes: int) -> Iterator[Numbered]:
    """The same for many texts, in order."""
    if processes <= 1:
        yield from number(texts, Pieces(model, LANGUAGES))
        return
    chunks = [(texts[first : first + _CHUNK], model) for first in range(0, len(texts), _CHUNK)]
    # A forked process does not import PyTorch again, which takes longer than the work.
    with get_context("fork").Pool(processes) as pool:
        for part in pool.imap(_number, chunks):
            yield from part


def _number(chunk: tuple[Sequence[str], bytes]) -> list[Numbered]:
    texts, model = chunk
    return number(texts, Pieces(model, LANGUAGES))
