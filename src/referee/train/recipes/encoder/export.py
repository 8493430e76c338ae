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
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.encoder.vocabulary import PIECES, prepared
from referee.train.recipes.weights import read

LARGEST = 10 * 10**6
"""Bytes that the package has room for."""


def export(weights: Path, out: Path) -> str:
    """Write the file and its checksum, and return the checksum."""
    size, stages, learned = read(weights)
    path = existing(weights / PIECES)
    pieces = prepared(path.read_bytes())
    count = len(EncoderVocabulary(pieces, LANGUAGES))
    if count != size["vocabulary"]:
        problem = f"expected {size['vocabulary']} tokens, as the weights have, but found {count}"
        raise InputError(problem, "give the pieces that the weights were trained on", path)
    arrays = {name: weight.numpy() for name, weight in learned.items()}
    return store.publish(out, store.ENCODER, _about(size, stages), pieces, arrays, LARGEST)


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
