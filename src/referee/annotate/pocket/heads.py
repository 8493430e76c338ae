"""The file of the annotator's heads: matrices in eight bits by rows, other arrays as they are, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from referee.annotate.pocket.scripts import LemmaScript, SplitScript
from referee.errors import InputError
from referee.pocket import store
from referee.pocket.store import PocketModel

LARGEST = 1_500_000
"""Bytes that the shipped file may have."""

PARTS = 4
"""Kinds of words in a token: the only one, the first, the second, a further one."""


class About(msgspec.Struct, frozen=True):
    """The meaning of the rows."""

    languages: tuple[str, ...]
    upos: tuple[str, ...]
    features: tuple[tuple[str, tuple[str, ...]], ...]
    """Features and their values in the order of the rows; the first value is empty, for words without the feature."""
    deprels: tuple[str, ...]
    lemma_scripts: tuple[LemmaScript, ...]
    split_scripts: tuple[SplitScript, ...]
    encoder: str
    """SHA-256 of the encoder that the heads were trained with."""
    lemmas: dict[str, tuple[int, ...]] = {}
    """Lemma scripts by language, where only some can occur in it; split scripts and tags alike."""
    splits: dict[str, tuple[int, ...]] = {}
    tags: dict[str, tuple[int, ...]] = {}
    marked: dict[str, tuple[str, ...]] = {}
    """Features by language, where only some are marked in it: the others stay empty."""
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
    return store.write(path, store.HEADS, _checked(about, arrays), b"", arrays)


def publish_heads(folder: Path, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    """Write the file as it is shipped, with its line in the list of hashes."""
    return store.publish(folder, store.HEADS, _checked(about, arrays), b"", arrays, LARGEST)


def read_heads(model: PocketModel) -> Heads:
    """The heads of a stored file, which `store.read(path, store.HEADS)` or `forms.shipped(store.HEADS)` opened."""
    try:
        about = msgspec.convert(model.about, About)
        _check(about, {name: array.shape for name, array in model.weights.items()})
    except (ValueError, LookupError, msgspec.MsgspecError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        problem = f"the heads of the pocket annotator do not fit each other ({type(error).__name__}: {reason})"
        raise InputError(problem, "install referee again", store.HEADS.file) from None
    # The store gave the rows back as ordinary numbers: they are multiples of the same scale as before.
    matrices = {
        name: Matrix(*store.quantised(array))
        for name, array in model.weights.items()
        if array.ndim == 2 and name != "parts"
    }
    vectors = {name: array for name, array in model.weights.items() if name not in matrices}
    return Heads(about, matrices, vectors, model.sha256)


def _checked(about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The record as it is stored. The store sorts keys, and features must keep their order: they become pairs."""
    features = about["features"]
    pairs = [list(pair) for pair in features.items()] if isinstance(features, Mapping) else list(features)
    record = {**about, "features": pairs}
    _check(msgspec.convert(record, About), {name: array.shape for name, array in arrays.items()})
    return record


def _check(about: About, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Whether all arrays are there and fit each other."""
    both = shapes["parts"][1]
    rows = {
        "border": 3,
        "split.out": len(about.split_scripts),
        "upos": len(about.upos),
        "feats": sum(len(values) for _, values in about.features),
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
    names = {name for name, _ in about.features}
    for language, features in about.marked.items():
        if not names.issuperset(features):
            raise ValueError(f"marked of {language} has features that are not among those of the heads")
    if about.split_scripts[0].further or any(0 not in numbers for numbers in about.splits.values()):
        raise ValueError("the first split script must keep the token whole")
    if any(values[0] for _, values in about.features):
        raise ValueError("the first value of each feature must be empty")
