"""The file of the annotator's heads: matrices in eight bits by rows, other arrays as they are, and what they mean."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from referee.annotate.pocket.scripts import LemmaScript, SplitScript
from referee.errors import InputError, MissingError
from referee.io.files import atomic_write
from referee.pocket.store import quantised

FILE = "heads.npz"

PARTS = 4
"""Kinds of words in a token: the only one, the first, the second, a further one."""

_ABOUT, _SCALE = "about", ".scale"
_PLAIN = ("parts", "root")
# Few numbers, added rather than multiplied: they stay as they are.
_DAMAGE = (ValueError, LookupError, AttributeError, OSError, EOFError, zipfile.BadZipFile, msgspec.MsgspecError)
_REMEDY = "install referee again"


class About(msgspec.Struct, frozen=True):
    """The meaning of the rows."""

    languages: tuple[str, ...]
    upos: tuple[str, ...]
    features: dict[str, tuple[str, ...]]
    """Values of each feature in the order of the rows; the first is empty, for a word that does not have it."""
    deprels: tuple[str, ...]
    lemma_scripts: tuple[LemmaScript, ...]
    split_scripts: tuple[SplitScript, ...]
    encoder: str
    """SHA-256 of the encoder that the heads were trained with."""
    lemmas: dict[str, tuple[int, ...]] = {}
    """Lemma scripts by language, where only some can occur in it; split scripts and tags alike."""
    splits: dict[str, tuple[int, ...]] = {}
    tags: dict[str, tuple[int, ...]] = {}
    reach: float = 16.0
    """The largest number of the encoder's vectors; beyond it they are cut."""


class Matrix(NamedTuple):
    """A matrix in eight bits: whole numbers, and what those of each row are multiples of."""

    whole: np.ndarray
    scale: np.ndarray


class Heads(NamedTuple):
    """The file, read and checked."""

    about: About
    matrices: Mapping[str, Matrix]
    vectors: Mapping[str, np.ndarray]
    """Biases (`NAME.bias`), `parts`, `root` and `arc.bias`."""
    sha256: str


def write_heads(path: Path, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    """Write the file and return its SHA-256. `arrays` are float32; matrices have a row per output."""
    checked = msgspec.convert(dict(about), About)
    _check(checked, {name: array.shape for name, array in arrays.items()})
    stored: dict[str, np.ndarray] = {_ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8)}
    for name, array in sorted(arrays.items()):
        if array.ndim == 2 and name not in _PLAIN:
            stored[name], stored[name + _SCALE] = quantised(array)
        else:
            stored[name] = array.astype(np.float32)
    content = io.BytesIO()
    np.savez(content, **stored)  # type: ignore[arg-type]
    with atomic_write(path) as file:
        file.write(content.getvalue())
    return hashlib.sha256(content.getvalue()).hexdigest()


def read_heads(path: Path, sha256: str | None = None) -> Heads:
    """Read the file; with `sha256` given, anything else is refused."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise MissingError("does not exist", _REMEDY, path) from None
    actual = hashlib.sha256(content).hexdigest()
    if sha256 is not None and actual != sha256:
        raise InputError("differs from the bundled file (SHA-256)", _REMEDY, path)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = msgspec.json.decode(arrays.pop(_ABOUT).tobytes(), type=About)
        _check(about, {name: array.shape for name, array in arrays.items()})
        matrices = {
            name: Matrix(array, arrays[name + _SCALE]) for name, array in arrays.items() if array.dtype == np.int8
        }
    except _DAMAGE as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        problem = f"does not contain an annotator's heads ({type(error).__name__}: {reason})"
        raise InputError(problem, _REMEDY, path) from None
    vectors = {name: array for name, array in arrays.items() if array.dtype == np.float32 and not name.endswith(_SCALE)}
    return Heads(about, matrices, vectors, actual)


def _check(about: About, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Whether all arrays are there and fit each other."""
    both = shapes["parts"][1]
    rows = {
        "border": 3,
        "split.out": len(about.split_scripts),
        "upos": len(about.upos),
        "feats": sum(map(len, about.features.values())),
        "lemma.out": len(about.lemma_scripts),
    }
    wide = ("border", "split.down", "tag.hidden", "lemma.down", "arc.dependent", "arc.head")
    columns = dict.fromkeys((*wide, "label.dependent", "label.head"), both)
    inner = {"split.out": "split.down", "upos": "tag.hidden", "feats": "tag.hidden", "lemma.out": "lemma.down"}
    columns |= {name: shapes[below][0] for name, below in inner.items()}
    expected: dict[str, tuple[int, ...]] = {
        name: (rows.get(name, shapes[name][0]), width) for name, width in columns.items()
    }
    expected |= {f"{name}.bias": (shape[0],) for name, shape in expected.items()}
    expected["arc.weight"] = (shapes["arc.dependent"][0], shapes["arc.head"][0])
    expected["arc.bias"] = (shapes["arc.head"][0],)
    dependent, head = (shapes[f"label.{side}"][0] + 1 for side in ("dependent", "head"))
    expected["label.weight"] = (len(about.deprels) * dependent, head)
    expected |= {"parts": (PARTS, both), "root": (both,)}
    for name, shape in expected.items():
        if shapes[name] != shape:
            raise ValueError(f"{name} has the shape {shapes[name]}, not {shape}")
    for kind, known in (("lemmas", about.lemma_scripts), ("splits", about.split_scripts), ("tags", about.upos)):
        for language, numbers in getattr(about, kind).items():
            if not numbers or not 0 <= min(numbers) <= max(numbers) < len(known):
                raise ValueError(f"{kind} of {language} are not numbers below {len(known)}")
    if about.split_scripts[0].further or any(0 not in numbers for numbers in about.splits.values()):
        raise ValueError("the first split script must keep the token whole")
    if any(values[0] for values in about.features.values()):
        raise ValueError("the first value of each feature must be empty")
