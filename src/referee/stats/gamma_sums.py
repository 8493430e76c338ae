"""How likely a weighted sum of independent Gamma variables is at most zero, by numerical inversion of its transform.

Random weights of groups are such variables, so every interval and p-value of `worst_group` is one of these. No draws:
the same data always give the same figure, to five digits or more.
"""

from __future__ import annotations

import numpy as np

from referee.stats.intervals import Floats

_STEP = 1 / 48
_MOST_STEPS, _NEAR = 60, 0.1
_NODES = np.arange(145) * _STEP
_OFFSETS = np.sinh(np.pi / 2 * np.sinh(_NODES))
_WEIGHTS = _STEP * np.pi / 2 * np.cosh(_NODES) * np.cosh(np.pi / 2 * np.sinh(_NODES)) * np.where(_NODES > 0, 2, 1)
"""A double exponential rule for an even function: it reaches the peak and the slow tail that few groups leave."""


def at_most_zero(weights: Floats, shapes: Floats) -> float:
    """Compute P(sum of `weights` times Gamma(`shapes`) <= 0)."""
    some = weights != 0
    weights, shapes = weights[some], shapes[some]
    if not (weights < 0).any():
        return float(len(weights) == 0)
    if not (weights > 0).any():
        return 1.0
    weights = weights / np.abs(weights).max()
    # The tail on the far side of the mean is the small one, which is computed without loss; the other is its rest.
    if float(weights @ shapes) > 0:
        return _lower_tail(weights, shapes)
    return 1.0 - _lower_tail(-weights, shapes)


def _lower_tail(weights: Floats, shapes: Floats) -> float:
    """The transform E[exp(-s X)] / s, integrated along a line through its saddle point, where it does not swing."""
    centre = _saddle(weights, shapes)
    tilted = weights / (1 + centre * weights)
    width = 1 / np.sqrt(float(shapes @ tilted**2) + 1 / centre**2)
    height = -float(shapes @ np.log1p(centre * weights)) - np.log(centre)
    offsets = 1j * width * _OFFSETS
    logs = height - np.log1p(np.outer(offsets, tilted)) @ shapes - np.log1p(offsets / centre)
    return float(np.clip(float(np.exp(logs).real @ _WEIGHTS) * width / (2 * np.pi), 0.0, 1.0))


def _saddle(weights: Floats, shapes: Floats) -> float:
    """Near where the logarithm of the integrand is least, between zero and the first pole; close enough will do."""
    mean, variance = float(weights @ shapes), float(weights**2 @ shapes)
    # That of a Normal variable, within the strip.
    point = min(-0.5 / float(weights.min()), (mean + np.sqrt(mean**2 + 4 * variance)) / (2 * variance))
    for _ in range(_MOST_STEPS):
        tilted = weights / (1 + point * weights)
        slope = -float(shapes @ tilted) - 1 / point
        curvature = float(shapes @ tilted**2) + 1 / point**2
        distance = abs(slope) / np.sqrt(curvature)
        # Damped, so that no step leaves the interval: the function is self-concordant.
        point -= slope / curvature / (1 + distance)
        if distance < _NEAR:
            break
    return float(point)
