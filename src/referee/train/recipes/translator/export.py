"""The one file that is shipped, made of trained weights.

`python -m referee.train.recipes.translator.export WEIGHTS FOLDER OUT`: WEIGHTS is what the training wrote, FOLDER
what `prepare` wrote (the vocabulary and the counts of the data), OUT gets `translator.npz` and its checksum,
`sha256`. The same weights give the same bytes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from referee import __version__
from referee.errors import InputError
from referee.io.files import existing
from referee.pocket import store
from referee.pocket.vocabulary import Vocabulary
from referee.train.recipes.command import run
from referee.train.recipes.translator.corpus import LANGUAGES
from referee.train.recipes.translator.network import Size
from referee.train.recipes.weights import read

LARGEST = 24 * 10**6
"""Bytes that the package has room for."""


def export(weights: Path, folder: Path, out: Path) -> str:
    """Write the file and its checksum, and return the checksum."""
    dimensions, stages, learnt = read(weights)
    size = Size(**dimensions)
    settings = json.loads(existing(folder / "settings.json").read_text())
    vocabulary = Vocabulary(existing(folder / "vocabulary.spm").read_bytes(), LANGUAGES)
    if len(vocabulary.names()) != size.vocabulary:
        problem = f"expected {size.vocabulary} tokens, as the weights have, but found {len(vocabulary.names())}"
        raise InputError(problem, "give the folder that the weights were trained on", folder / "vocabulary.spm")
    arrays = {name: weight.numpy() for name, weight in learnt.items()}
    return store.publish(out, store.TRANSLATOR, _about(size, stages, settings), vocabulary.model, arrays, LARGEST)


def _about(size: Size, stages: list[dict[str, Any]], settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": "pocket",
        "referee": __version__,
        "languages": list(LANGUAGES),
        "size": asdict(size),
        "stages": stages,
        "data": settings.get("data", {}),
        "licence": "CC-BY-SA-4.0",
    }


def main() -> None:
    """Export from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    print(export(arguments.weights, arguments.folder, arguments.out))  # noqa: T201


if __name__ == "__main__":
    run(main)
