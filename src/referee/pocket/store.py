"""The one file of a pocket model: weights in eight bits with their scales, pieces, and what is known of them.

It is a numpy archive without pickles. A row of a matrix is stored as whole numbers from -127 to 127 and the number that
they are multiples of. Both engines start from these numbers. Bytes (packed tables) are stored as they are. The file
`sha256` next to it has a line per model.
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

CHECKSUM = "sha256"
"""The name of the file next to the models that holds their hashes."""

_ABOUT, _PIECES, _SCALE, _KIND = "about", "pieces", ".scale", "kind"
_LIMIT = 127
# A zip archive that is cut off, a pickle where an array should be, a part that is missing: all of them are damage.
_DAMAGE = (ValueError, KeyError, IndexError, AttributeError, TypeError, OSError, EOFError, zipfile.BadZipFile)


@dataclass(frozen=True)
class Kind:
    """A kind of pocket model: what messages call it, the folder it is shipped in, and the command that writes it.

    A stored model names its kind in `about`; translators, which came first, do not.
    """

    name: str
    title: str
    folder: str
    command: str

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.npz"


_RECIPES = "referee.train.recipes"
TRANSLATOR = Kind("translator", "pocket translator", "translator", f"{_RECIPES}.translator.export")
ENCODER = Kind("encoder", "pocket encoder", "encoder", f"{_RECIPES}.encoder.export")
HEADS = Kind("heads", "file of pocket heads", "encoder", f"{_RECIPES}.encoder.export_heads")
RESOLVER = Kind("resolver", "pocket resolver", "encoder", f"{_RECIPES}.resolver.train")
ALIGNER = Kind("aligner", "pocket aligner", "encoder", f"{_RECIPES}.aligner.make")


@dataclass(frozen=True)
class PocketModel:
    """A pocket model as it is stored: what is known of it, its sentencepiece model or nothing, weights, the hash."""

    kind: Kind
    about: Mapping[str, Any]
    pieces: bytes
    weights: Mapping[str, np.ndarray]
    sha256: str


def quantised(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows as whole numbers and the number that each is multiples of."""
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    scale = np.where(largest > 0, largest, 1).astype(np.float32) / np.float32(_LIMIT)
    return np.rint(matrix / scale).astype(np.int8), scale[:, 0]


def write(path: Path, kind: Kind, about: Mapping[str, Any], pieces: bytes, weights: Mapping[str, np.ndarray]) -> str:
    """Writes the file; its hash is what the card names. A model without pieces has `b""`."""
    return _put(path, _packed(kind, about, pieces, weights))


def publish(
    folder: Path, kind: Kind, about: Mapping[str, Any], pieces: bytes, weights: Mapping[str, np.ndarray], largest: int
) -> str:
    """Writes the file as it is shipped, with its line in the list of hashes; more bytes than `largest` are refused."""
    content = _packed(kind, about, pieces, weights)
    if len(content) > largest:
        problem = f"expected at most {largest:,} bytes, but found {len(content):,}"
        raise InputError(problem, "train a smaller network", folder / kind.file)
    checksum = _put(folder / kind.file, content)
    listed = {**checksums(folder), kind.file: checksum}
    _put(folder / CHECKSUM, "".join(f"{listed[name]}  {name}\n" for name in sorted(listed)).encode())
    return checksum


def checksums(folder: Path) -> dict[str, str]:
    """The hashes that a folder lists, by the names of the files."""
    path = folder / CHECKSUM
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: checksum for checksum, name in (line.split() for line in lines)}


def read(path: Path, kind: Kind, sha256: str | None = None) -> PocketModel:
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
        found = about.get(_KIND, TRANSLATOR.name)
    except _DAMAGE as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise _not_a(kind, f"{type(error).__name__}: {reason}", path) from None
    if found != kind.name:
        raise _not_a(kind, f"the file says '{found}'", path)
    return PocketModel(kind, about, pieces, weights, actual)


def _put(path: Path, content: bytes) -> str:
    with atomic_write(path) as file:
        file.write(content)
    return hashlib.sha256(content).hexdigest()


def _not_a(kind: Kind, reason: str, path: Path) -> InputError:
    return InputError(f"is not a {kind.title} ({reason})", f"give a file that `python -m {kind.command}` wrote", path)


def _packed(kind: Kind, about: Mapping[str, Any], pieces: bytes, weights: Mapping[str, np.ndarray]) -> bytes:
    known = dict(about) if kind == TRANSLATOR else {**about, _KIND: kind.name}
    arrays: dict[str, np.ndarray] = {
        _ABOUT: np.frombuffer(json.dumps(known, sort_keys=True).encode(), np.uint8),
        _PIECES: np.frombuffer(pieces, np.uint8),
    }
    for name, weight in weights.items():
        if weight.dtype == np.uint8:
            arrays[name] = weight
        elif weight.ndim == 2:
            arrays[name], arrays[name + _SCALE] = quantised(weight)
        else:
            arrays[name] = weight.astype(np.float32)
    content = io.BytesIO()
    # Every entry bears the same date, so equal numbers are equal bytes; whole numbers and floats are never pickled.
    np.savez(content, **arrays)  # type: ignore[arg-type]
    return content.getvalue()


def _plain(name: str, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    array = arrays[name]
    plain: np.ndarray = array.astype(np.float32) * arrays[name + _SCALE][:, None] if array.dtype == np.int8 else array
    return plain
