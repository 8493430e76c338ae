"""A linear classifier: logistic regression with any number of classes, in NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Labels = NDArray[np.int64]

STEPS = 60
RIDGE = 0.1
"""Strength of the ridge penalty for features of variance one; large, because the classifier is meant to be weak."""


@dataclass(frozen=True)
class Linear:
    """Weights per class; the last row is the bias."""

    weights: Matrix

    def predict(self, features: Matrix) -> Labels:
        """The most likely class of each row."""
        scores = features @ self.weights[:-1] + self.weights[-1]
        return np.asarray(np.argmax(scores, axis=1), np.int64)


def standardised(features: Matrix) -> Matrix:
    """Features with columns of mean zero and, where they vary, of variance one."""
    centred = features - features.mean(axis=0)
    spread = centred.std(axis=0)
    return np.asarray(centred / np.where(spread > 1e-6, spread, 1), np.float32)


def fit(features: Matrix, labels: Labels, classes: int) -> Linear:
    """Fit by accelerated gradient descent with a fixed number of steps: the same input gives the same weights."""
    count, size = features.shape
    wanted = np.eye(classes, dtype=np.float32)[labels]
    ridge = np.float32(RIDGE)
    # The curvature of the loss is at most this, so a step of its inverse never overshoots.
    step = np.float32(1 / (0.5 * (_largest(features) / count + 1) + ridge))
    weights = np.zeros((size + 1, classes), np.float32)
    ahead = weights
    for number in range(STEPS):
        scores = features @ ahead[:-1] + ahead[-1]
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        errors = (chances - wanted) / np.float32(count)
        slope = np.vstack([features.T @ errors + ridge * ahead[:-1], errors.sum(axis=0, keepdims=True)])
        moved = ahead - step * slope
        ahead = moved + np.float32(number / (number + 3)) * (moved - weights)
        weights = moved
    return Linear(weights)


def _largest(features: Matrix) -> float:
    """The largest eigenvalue of the features' Gram matrix, slightly overestimated."""
    vector = np.ones(features.shape[1], np.float32) / np.sqrt(np.float32(features.shape[1]))
    for _ in range(12):
        image = features.T @ (features @ vector)
        size = float(np.linalg.norm(image))
        if size == 0:
            return 0.0
        vector = np.asarray(image / size, np.float32)
    return 1.1 * size
