"""The stored aligner: packed tables, the projection and the weighing, and the encoder that these were made for."""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.annotate.align.combine import Layers, Weighing, on_grid
from referee.annotate.align.features import NAMES
from referee.annotate.align.tables import Table, Tables, packed
from referee.annotate.align.vectors import Projection
from referee.errors import InputError
from referee.pocket.store import PocketModel

_TABLE = "table."
# What a file lacks or has in the wrong shape.
_DAMAGE = (KeyError, ValueError, TypeError, IndexError, lzma.LZMAError, UnicodeDecodeError)


@dataclass(frozen=True)
class Parts:
    """What is learned: tables by languages, the layer that vectors are taken from, their projection, the weighing."""

    tables: Mapping[str, Table]
    layer: int
    projection: Projection
    weighing: Weighing


def stored(parts: Parts, encoder: PocketModel) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What `store.publish` writes: a description and arrays."""
    about = {
        "features": list(NAMES),
        "layer": parts.layer,
        "threshold": parts.weighing.threshold,
        "encoder": encoder.sha256,
        "pairs of words": {name: len(table.seen) for name, table in parts.tables.items()},
    }
    arrays: dict[str, np.ndarray] = {_TABLE + name: packed(table) for name, table in parts.tables.items()}
    arrays |= {"projection.mean": parts.projection.mean, "projection": parts.projection.matrix}
    for name, layers in (("first", parts.weighing.first), ("second", parts.weighing.second)):
        # One dimension each: in eight bits these few numbers would lose more than they save.
        arrays |= {f"{name}.weights": layers.weights.ravel(), f"{name}.bias": layers.bias}
        arrays |= {f"{name}.out": layers.out, f"{name}.out_bias": np.array([layers.out_bias])}
    return about, arrays


def read_parts(model: PocketModel, encoder: PocketModel) -> Parts:
    """The parts of a stored aligner; one that was made for another encoder is refused."""
    if model.about.get("encoder") != encoder.sha256:
        problem = f"the {model.kind.title} was made for another encoder"
        raise InputError(problem, f"run `python -m {model.kind.command}` again, or install referee again")
    try:
        tables = Tables(
            {name.removeprefix(_TABLE): array for name, array in model.weights.items() if name.startswith(_TABLE)}
        )
        if model.about["features"] != list(NAMES):
            raise ValueError("it has other features")
        first, second = (_layers(model.weights, name) for name in ("first", "second"))
        projection = Projection(model.weights["projection.mean"], model.weights["projection"])
        return Parts(tables, model.about["layer"], projection, Weighing(first, second, model.about["threshold"]))
    except _DAMAGE as error:
        problem = f"is not a {model.kind.title} ({error})"
        raise InputError(problem, "install referee again", model.kind.file) from None


def _layers(weights: Mapping[str, np.ndarray], name: str) -> Layers:
    bias, out = (on_grid(weights[f"{name}.{part}"].astype(np.float64)) for part in ("bias", "out"))
    matrix = on_grid(weights[f"{name}.weights"].astype(np.float64)).reshape(len(bias), -1)
    return Layers(matrix, bias, out, float(on_grid(weights[f"{name}.out_bias"].astype(np.float64))[0]))
