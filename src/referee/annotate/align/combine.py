"""From features to links: two small layers score each cell, then two more that also see its neighbours and rivals.

All products are of multiples of 2**-10 in double precision, which are exact: the links of a pair do not depend on the
batch that it is in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.annotate.align.features import NAMES, Bools, Cells

Floats = NDArray[np.float64]

_GRID = 1024.0
_NEIGHBOURS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))
FIRST, SECOND = 8, 16
"""Units of the hidden layers."""
INPUTS = len(NAMES) + len(_NEIGHBOURS) + 6
"""Of the second part: the features, the neighbours' scores, its own score twice, the best rivals and the sums."""


@dataclass(frozen=True)
class Layers:
    """A hidden layer with rectified units and the weights of its output."""

    weights: Floats
    bias: Floats
    out: Floats
    out_bias: float

    def logits(self, inputs: Floats) -> Floats:
        """The output for each cell."""
        hidden = np.maximum(inputs @ self.weights.T + self.bias, 0)
        return np.asarray(on_grid(hidden) @ self.out + self.out_bias)


@dataclass(frozen=True)
class Weighing:
    """Both parts, and the least probability of a link."""

    first: Layers
    second: Layers
    threshold: float

    def probabilities(self, cells: Cells) -> Floats:
        """How likely each cell is a link; 0 where it is padding."""
        features = on_grid(cells.features.astype(np.float64))
        logits = on_grid(self.first.logits(features))
        scores = np.where(cells.real, _sigmoid(logits), 0)
        inputs = np.concatenate([features, around(logits, scores)], axis=3)
        return np.where(cells.real, _sigmoid(self.second.logits(on_grid(inputs))), 0)

    def links(self, cells: Cells) -> Bools:
        """Which cells are links."""
        return np.asarray(self.probabilities(cells) > self.threshold)


def around(logits: Floats, scores: Floats) -> Floats:
    """What the second part sees of each cell in addition to its features."""
    rows, columns = scores.shape[1:]
    framed = np.pad(scores, ((0, 0), (1, 1), (1, 1)))
    neighbours = [framed[:, 1 + down : 1 + down + rows, 1 + right : 1 + right + columns] for down, right in _NEIGHBOURS]
    sums = [np.broadcast_to(np.minimum(scores.sum(axis=axis, keepdims=True), 3), scores.shape) for axis in (1, 2)]
    return np.stack([*neighbours, logits / 4, scores, _rival(scores, 1), _rival(scores, 2), *sums], axis=3)


def _rival(scores: Floats, axis: int) -> Floats:
    """The best score of another cell along an axis."""
    if scores.shape[axis] == 1:
        return np.zeros_like(scores)
    ordered = np.partition(scores, -2, axis=axis)
    second, best = (np.take(ordered, [place], axis=axis) for place in (-2, -1))
    return np.where(scores >= best, second, best)


def on_grid(values: Floats) -> Floats:
    """Values as multiples of 2**-10."""
    return np.rint(values * _GRID) / _GRID


def _sigmoid(logits: Floats) -> Floats:
    return on_grid(1 / (1 + np.exp(-np.clip(logits, -30, 30))))
