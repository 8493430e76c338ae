"""What speaks for a link between two tokens: vectors, the table, letters in common, places in the sentences.

Pairs of sentences are computed in batches of similar length, padded; a cell is a token of each side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from referee.annotate.align.blocks import Numbers, Pair
from referee.annotate.align.tables import UNSEEN, Table

Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

NAMES = (
    "cosine",
    "vectors by row",
    "vectors by column",
    "table",
    "table by row",
    "table by column",
    "unknown words",
    "off the diagonal",
    "same letters",
    "same beginning",
    "two marks",
    "mark and word",
)
"""The features of a cell, in order."""

_SHARPNESS = 12.0
"""What cosines are multiplied by before they compete."""
_FLOOR = -12.0
_CELLS = 60_000
"""Cells in a batch at most: more make it slower."""
_LETTERS = 12
"""Letters that are compared."""
_IN_LATIN = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфыэёіїєґў", "abvgdeziiklmnoprstufyeeiiegu", strict=True))
    | dict(zip("жхцчшщюя", ("zh", "kh", "ts", "ch", "sh", "shch", "yu", "ya"), strict=True))
    | {"ъ": "", "ь": ""}
)
"""Cyrillic letters as names are spelled in English."""
_SHORTEST = 4
"""Letters that two words must begin with to be related."""


@dataclass(frozen=True)
class Sentences:
    """A batch: indices of the pairs, their words as an aligner compares them, and the vectors of their tokens."""

    indices: list[int]
    pairs: list[Pair]
    sources: list[Floats32]
    targets: list[Floats32]


@dataclass(frozen=True)
class Cells:
    """Features (pair, source, target, feature), and which cells are not padding."""

    features: Floats32
    real: Bools


def batches(pairs: Sequence[Pair]) -> Iterator[list[int]]:
    """Indices of pairs that are computed together; a pair with an empty sentence is in none."""
    order = sorted((max(len(source), len(target)), index) for index, (source, target) in enumerate(pairs))
    waiting: list[int] = []
    for size, index in order:
        if not all(pairs[index]):
            continue
        if waiting and size**2 * (len(waiting) + 1) > _CELLS:
            yield waiting
            waiting = []
        waiting.append(index)
    if waiting:
        yield waiting


def cells(pairs: Sequence[Pair], vectors: Sequence[tuple[Floats32, Floats32]] | None, table: Table) -> Cells:
    """The features of a batch; without vectors those of vectors are 0."""
    rows = np.array([len(source) for source, _ in pairs])
    columns = np.array([len(target) for _, target in pairs])
    shape = (len(pairs), int(rows.max()), int(columns.max()))
    real = (np.arange(shape[1]) < rows[:, None])[:, :, None] & (np.arange(shape[2]) < columns[:, None])[:, None, :]
    features = np.zeros((*shape, len(NAMES)), np.float32)
    if vectors is not None:
        _vectors(features, real, vectors)
    numbers = [
        _padded([list(map(words.get, pair[side], [len(words)] * len(pair[side]))) for pair in pairs], fill=len(words))
        for side, words in enumerate((table.words.sources, table.words.targets))
    ]
    _table(features, real, table, numbers[0], numbers[1])
    features[..., 7] = np.abs(
        ((np.arange(shape[1]) + 0.5) / rows[:, None])[:, :, None]
        - ((np.arange(shape[2]) + 0.5) / columns[:, None])[:, None, :]
    )
    _letters(features, pairs)
    features[~real] = 0
    return Cells(features, real)


def _vectors(features: Floats32, real: Bools, vectors: Sequence[tuple[Floats32, Floats32]]) -> None:
    cosines = features[..., 0]
    for index, (source, target) in enumerate(vectors):
        cosines[index, : len(source), : len(target)] = source @ target.T
    features[..., 1] = _competing(_SHARPNESS * cosines, real, 2)
    features[..., 2] = _competing(_SHARPNESS * cosines, real, 1)


def _table(features: Floats32, real: Bools, table: Table, sources: Numbers, targets: Numbers) -> None:
    forward, backward = table.look_up(sources, targets)
    features[..., 3] = (forward + backward) / 2 - UNSEEN
    # Every target word comes from one source word: these compete by column; in the other direction, by row.
    features[..., 4] = _competing(backward * np.float32(np.log(2)), real, 2)
    features[..., 5] = _competing(forward * np.float32(np.log(2)), real, 1)
    unknown = (sources == len(table.words.sources))[:, :, None].astype(np.float32)
    features[..., 6] = (unknown + (targets == len(table.words.targets))[:, None, :]) / 2


def _letters(features: Floats32, pairs: Sequence[Pair]) -> None:
    for index, (source, target) in enumerate(pairs):
        ours, theirs = (np.stack([spelling(word) for word in side]) for side in (source, target))
        same = ours[:, None, :_LETTERS] == theirs[None, :, :_LETTERS]
        letters = np.minimum(ours[:, None, _LETTERS], theirs[None, :, _LETTERS])
        longest = np.maximum(ours[:, None, _LETTERS], theirs[None, :, _LETTERS])
        begin = np.logical_and.accumulate(same, axis=2).sum(axis=2)
        here = (index, slice(len(source)), slice(len(target)))
        marks, others = ours[:, _LETTERS + 1] == 1, theirs[:, _LETTERS + 1] == 1
        equal = (begin >= letters) & (letters == longest)
        features[here][..., 8] = equal & ~marks[:, None]
        begin = np.minimum(begin, letters)
        features[here][..., 9] = np.where(begin >= _SHORTEST, begin / np.maximum(longest, 1), 0)
        features[here][..., 10] = np.where(marks[:, None] & others[None, :], np.where(equal, 1, 0.3), 0)
        features[here][..., 11] = marks[:, None] != others[None, :]


@lru_cache(maxsize=200_000)
def spelling(word: str) -> NDArray[np.int32]:
    """The first letters without accents, Cyrillic ones in Latin; how many there are; whether it is a mark."""
    plain = "".join(letter for letter in normalize("NFD", word.translate(_IN_LATIN)) if letter.isalnum()) or word
    codes = np.zeros(_LETTERS + 2, np.int32)
    letters = [ord(letter) for letter in plain[:_LETTERS]]
    codes[: len(letters)] = letters
    codes[_LETTERS] = min(len(plain), _LETTERS)
    codes[_LETTERS + 1] = not any(letter.isalnum() for letter in word)
    return codes


def _competing(scores: Floats32, real: Bools, axis: int) -> Floats32:
    """Logarithms of shares along an axis."""
    # Double precision: how much padding a sum has must not show in what is kept of it.
    masked = np.where(real, scores.astype(np.float64), -1e4)
    masked -= masked.max(axis=axis, keepdims=True)
    shares = masked - np.log(np.exp(masked).sum(axis=axis, keepdims=True))
    return np.asarray(np.maximum(shares, _FLOOR), np.float32)


def _padded(rows: Sequence[Sequence[int]], fill: int) -> Numbers:
    width = max(map(len, rows))
    return np.array([[*row, *[fill] * (width - len(row))] for row in rows], np.int32)
