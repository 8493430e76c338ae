"""The file of the encoder that is shipped, made of trained weights.

`python -m referee.train.recipes.encoder.export WEIGHTS OUT`: WEIGHTS is what the training wrote (weights and
`pieces.model`), OUT gets `encoder.npz` and its line in the list of checksums, `sha256`. The same weights give the same
bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee import __version__
from referee.errors import InputError
from referee.io.files import existing
from referee.pocket import store
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.train.recipes.command import run
from referee.train.recipes.weights import read

LANGUAGES = ("en", "de", "es", "fr", "it", "pl", "pt", "ru")
LARGEST = 10 * 10**6
"""Bytes that the package has room for."""
PIECES = "pieces.model"
_FINENESS = 2**12
"""Steps between two whole numbers that scores are rounded to: sums below 2,048 are exact in 24 bits."""


def export(weights: Path, out: Path) -> str:
    """Write the file and its checksum, and return the checksum."""
    size, stages, learnt = read(weights)
    path = existing(weights / PIECES)
    pieces = prepared(path.read_bytes())
    count = len(EncoderVocabulary(pieces, LANGUAGES))
    if count != size["vocabulary"]:
        problem = f"expected {size['vocabulary']} tokens, as the weights have, but found {count}"
        raise InputError(problem, "give the pieces that the weights were trained on", path)
    arrays = {name: weight.numpy() for name, weight in learnt.items()}
    return store.publish(out, store.ENCODER, _about(size, stages), pieces, arrays, LARGEST)


def prepared(pieces: bytes) -> bytes:
    """The same sentencepiece model as it is shipped: it adds no space, and its scores are rounded.

    Atoms are spelled with their space. Sums of rounded scores are exact, so two ways to cut a word that are equally
    probable are so in every library, whether it adds in 32 bits or in 64.
    """
    from sentencepiece import sentencepiece_model_pb2

    model: Any = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    model.ParseFromString(pieces)
    model.normalizer_spec.add_dummy_prefix = False
    for piece in model.pieces:
        piece.score = round(piece.score * _FINENESS) / _FINENESS
    return bytes(model.SerializeToString(deterministic=True))


def _about(size: Mapping[str, Any], stages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "name": "pocket",
        "referee": __version__,
        "languages": list(LANGUAGES),
        "size": dict(size),
        "stages": list(stages),
        "licence": "CC-BY-SA-4.0",
    }


def main() -> None:
    """Export from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    print(export(arguments.weights, arguments.out))  # noqa: T201


if __name__ == "__main__":
    run(main)
