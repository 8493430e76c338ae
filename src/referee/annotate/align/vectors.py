"""Vectors of tokens by the pocket encoder: a middle layer knows which words translate each other, the last one less.

Each sentence is a row of its own. A token's vector is the mean over its pieces, projected into the space in which
translations are near (Dou and Neubig 2021 train for the same).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from referee.annotate.pocket.atoms import atoms
from referee.annotate.pocket.pieces import END, Pieces
from referee.annotate.protocols import Tokens
from referee.pocket.encoder import PocketEncoder, open_encoder
from referee.pocket.store import PocketModel

Vectors = NDArray[np.float32]

LAYER = 6
"""The layer that vectors are taken from, of eight; the encoder is opened without those above."""


@dataclass(frozen=True)
class Projection:
    """What is taken off a vector (the mean of all), and the matrix that the rest is multiplied by."""

    mean: Vectors
    matrix: Vectors

    @classmethod
    def none(cls, width: int) -> Projection:
        """Vectors as they are."""
        return cls(np.zeros(width, np.float32), np.eye(width, dtype=np.float32))

    def of(self, vectors: Vectors) -> Vectors:
        """Projected vectors of length 1."""
        projected = (vectors - self.mean) @ self.matrix.T
        length = np.sqrt((projected**2).sum(axis=1, keepdims=True))
        return np.asarray(projected / np.maximum(length, 1e-6), np.float32)


@dataclass(frozen=True)
class TokenVectors:
    """The encoder up to a layer, its pieces and the projection."""

    encoder: PocketEncoder
    pieces: Pieces
    projection: Projection

    def supports(self, language: str) -> bool:
        """Whether the encoder knows the language."""
        return language in self.pieces.languages

    def of(self, sentences: Sequence[Tokens], language: str) -> list[Vectors]:
        """An array per sentence (token, dimension): projected vectors of length 1."""
        vectors = self.means(sentences, language)
        return [self.projection.of(vectors_of) for vectors_of in vectors]

    def means(self, sentences: Sequence[Tokens], language: str) -> list[Vectors]:
        """An array per sentence: for each token the mean of its pieces, or zeros where it has none."""
        rows = [self._row(sentence) for sentence in sentences]
        longest = self.encoder.positions
        windows = [
            (number, start) for number, row in enumerate(rows) for start in range(0, len(row.pieces), longest - 2)
        ]
        opening = self.pieces.language(language)
        states = self.encoder.forward(
            [[opening, *rows[number].pieces[start : start + longest - 2].tolist(), END] for number, start in windows]
        )
        parts: list[list[Vectors]] = [[] for _ in rows]
        for (number, _), vectors in zip(windows, states, strict=True):
            parts[number].append(vectors[1:-1])
        return [_pooled(row, part, self.encoder.width) for row, part in zip(rows, parts, strict=True)]

    def _row(self, sentence: Tokens) -> _Row:
        spelled, starts, ends = atoms(sentence.text)
        numbers, counts = self.pieces.encode(spelled)
        borders = np.concatenate([[0], np.cumsum(counts)])
        spans = np.array(sentence.spans, np.int64).reshape(-1, 2)
        # The atoms that a token shares a character with: a token may be part of an atom, or have several.
        first = np.searchsorted(np.array(ends, np.int64), spans[:, 0], side="right")
        last = np.searchsorted(np.array(starts, np.int64), spans[:, 1], side="left")
        return _Row(numbers, borders[first], borders[np.maximum(first, last)])


@dataclass(frozen=True)
class _Row:
    """Pieces of a sentence, and for each token its first piece and the one after its last."""

    pieces: NDArray[np.int32]
    first: NDArray[np.int64]
    last: NDArray[np.int64]


def _pooled(row: _Row, parts: Sequence[Vectors], width: int) -> Vectors:
    sums = np.zeros((len(row.pieces) + 1, width), np.float64)
    if parts:
        np.cumsum(np.concatenate(parts), axis=0, out=sums[1:])
    counts = (row.last - row.first)[:, None]
    return np.asarray((sums[row.last] - sums[row.first]) / np.maximum(counts, 1), np.float32)


def open_vectors(encoder: PocketModel, projection: Projection, layer: int = LAYER) -> TokenVectors:
    """The encoder without the layers above `layer`, in CTranslate2."""
    size = encoder.about["size"] | {"layers": layer}
    # The shorter network is another one to the cache of built models.
    checksum = sha256(f"{encoder.sha256} {layer} layers".encode()).hexdigest()
    shorter = replace(encoder, about={**encoder.about, "size": size}, sha256=checksum)
    opened = open_encoder(shorter)
    return TokenVectors(opened, Pieces(encoder.pieces, encoder.about["languages"]), projection)
