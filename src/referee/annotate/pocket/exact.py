"""Layers whose results do not depend on the batch: products of whole numbers, which float32 adds without error.

The order in which a library adds the terms of a product depends on the shape of the matrices, and so do the last bits
of a sum; a tie between two tags could then be decided by the neighbours of a word. Weights are whole numbers already
(eight bits by rows). Inputs are rounded to a grid that is as fine as sums below 2^24, where float32 is exact, allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from referee.annotate.pocket.heads import Matrix

EXACT = 2**24 - 1
"""Sums of whole numbers up to this are exact in float32, in any order."""

_FINEST = 4_095
_ROOT = np.float32(np.sqrt(2 / np.pi))
_CUBE = np.float32(0.044715)


class Dense(NamedTuple):
    """A layer: whole numbers (inputs, outputs), and the scale and bias of each output."""

    weight: np.ndarray
    scale: np.ndarray
    bias: np.ndarray

    def __call__(self, inputs: np.ndarray) -> np.ndarray:
        """Outputs for inputs that are whole numbers."""
        outputs: np.ndarray = inputs @ self.weight
        outputs *= self.scale
        outputs += self.bias
        return outputs


def dense(matrix: Matrix, bias: np.ndarray, step: float) -> Dense:
    """The layer of a stored matrix for inputs in multiples of `step`."""
    weight = np.ascontiguousarray(matrix.whole.T.astype(np.float32))
    return Dense(weight, (matrix.scale * np.float32(step)).astype(np.float32), bias.astype(np.float32))


def finest(*matrices: np.ndarray) -> int:
    """The largest whole number that inputs of these matrices (a row per output) may be."""
    heaviest = max(int(np.abs(matrix.astype(np.int64)).sum(axis=1).max()) for matrix in matrices)
    return max(1, min(_FINEST, EXACT // max(1, heaviest)))


def rounded(values: np.ndarray, grid: float, limit: int) -> np.ndarray:
    """Values as whole numbers of 1/grid, in place, cut at the limit."""
    values *= np.float32(grid)
    np.rint(values, out=values)
    np.clip(values, -limit, limit, out=values)
    return values


def gelu(values: np.ndarray) -> np.ndarray:
    """Gaussian error linear units, in place; by the hyperbolic tangent, 0.0005 from the exact ones at most."""
    inner = values * values
    inner *= _CUBE
    inner += np.float32(1)
    inner *= values
    inner *= _ROOT
    np.tanh(inner, out=inner)
    inner += np.float32(1)
    values *= np.float32(0.5)
    values *= inner
    return values


class Ends(NamedTuple):
    """The first and the last piece of tokens or words."""

    first: np.ndarray
    last: np.ndarray


class Paired(NamedTuple):
    """A layer on the first and the last piece of a word. Where the two are one piece, the sum of both weights does."""

    first: np.ndarray
    last: np.ndarray
    both: np.ndarray
    scale: np.ndarray
    bias: np.ndarray

    def blocks(self, vectors: np.ndarray, ends: Ends, size: int = 256) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Numbers of words and the layer's outputs for them, block by block, so that both stay in the cache."""
        single = ends.first == ends.last
        for kind in (single, ~single):
            numbers = np.flatnonzero(kind)
            for start in range(0, len(numbers), size):
                chosen = numbers[start : start + size]
                if kind is single:
                    outputs = vectors[ends.first[chosen]] @ self.both
                else:
                    outputs = vectors[ends.first[chosen]] @ self.first
                    outputs += vectors[ends.last[chosen]] @ self.last
                outputs *= self.scale
                outputs += self.bias
                yield chosen, outputs


def paired(matrix: Matrix, bias: np.ndarray, step: float) -> Paired:
    """The layer of a stored matrix whose left half is for the first piece, for inputs in multiples of `step`."""
    whole, scale, shift = dense(matrix, bias, step)
    half = len(whole) // 2
    first, last = np.ascontiguousarray(whole[:half]), np.ascontiguousarray(whole[half:])
    return Paired(first, last, first + last, scale, shift)


def finest_of_pairs(*matrices: np.ndarray) -> int:
    """The largest whole number that inputs of `Paired` layers may be."""
    half = matrices[0].shape[1] // 2
    halves = [(one[:, :half].astype(np.int64), one[:, half:].astype(np.int64)) for one in matrices]
    return finest(*(part for first, last in halves for part in (first, last, first + last)))
