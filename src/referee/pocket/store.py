"""The one file of a pocket translator: weights in eight bits with their scales, pieces, and what is known of them.

It is a numpy archive without pickles. A row of a matrix is stored as whole numbers from -127 to 127 and the number that
they are multiples of. Both engines start from these numbers.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from referee.errors import InputError, MissingError
from referee.io.files import atomic_write

FILE, CHECKSUM = "translator.npz", "sha256"
"""The name of the file, and of the one next to it that holds its hash."""

_ABOUT, _PIECES, _SCALE = "about", "pieces", ".scale"
_LIMIT = 127
# A zip archive that is cut off, a pickle where an array should be, a part that is missing: all of them are damage.
_DAMAGE = (ValueError, KeyError, IndexError, AttributeError, OSError, EOFError, zipfile.BadZipFile)


@dataclass(frozen=True)
class Translator:
    """A pocket translator as it is stored: sizes and history, sentencepiece model, weights, and the file's hash."""

    about: Mapping[str, Any]
    pieces: bytes
    weights: Mapping[str, np.ndarray]
    sha256: str


def quantised(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows as whole numbers and the number that each is multiples of."""
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    scale = np.where(largest > 0, largest, 1).astype(np.float32) / np.float32(_LIMIT)
    return np.rint(matrix / scale).astype(np.int8), scale[:, 0]


def write(path: Path, about: Mapping[str, Any], pieces: bytes, weights: Mapping[str, np.ndarray]) -> str:
    """Writes the file; its hash is what the card names."""
    arrays: dict[str, np.ndarray] = {
        _ABOUT: np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8),
        _PIECES: np.frombuffer(pieces, np.uint8),
    }
    for name, weight in weights.items():
        if weight.ndim == 2:
            arrays[name], arrays[name + _SCALE] = quantised(weight)
        else:
            arrays[name] = weight.astype(np.float32)
    content = io.BytesIO()
    # Every entry bears the same date, so equal numbers are equal bytes; whole numbers and floats are never pickled.
    np.savez(content, **arrays)  # type: ignore[arg-type]
    with atomic_write(path) as file:
        file.write(content.getvalue())
    return hashlib.sha256(content.getvalue()).hexdigest()


def read(path: Path, sha256: str | None = None) -> Translator:
    """Reads the file, its weights as ordinary numbers again; with `sha256` given, anything else is refused."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise MissingError("does not exist", "check the path", path) from None
    actual = hashlib.sha256(content).hexdigest()
    if sha256 is not None and actual != sha256:
        raise InputError("differs from the bundled file (SHA-256)", "install referee again", path)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(arrays.pop(_ABOUT).tobytes())
        pieces = arrays.pop(_PIECES).tobytes()
        weights = {name: _plain(name, arrays) for name in arrays if not name.endswith(_SCALE)}
    except _DAMAGE as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        problem = f"is not a pocket translator ({type(error).__name__}: {reason})"
        raise InputError(
            problem, "give a file that `python -m referee.train.recipes.translator.export` wrote", path
        ) from None
    return Translator(about, pieces, weights, actual)


def _plain(name: str, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    array = arrays[name]
    plain: np.ndarray = array.astype(np.float32) * arrays[name + _SCALE][:, None] if array.dtype == np.int8 else array
    return plain
