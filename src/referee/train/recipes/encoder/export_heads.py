"""The file of the heads that is shipped, made of trained weights.

`python -m referee.train.recipes.encoder.export_heads WEIGHTS PREPARED OUT`: WEIGHTS is what `join.py` wrote for the
heads, PREPARED holds the treebanks (see `prepare.py`), OUT the encoder that the heads were trained with.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from referee.annotate.pocket.heads import publish_heads
from referee.errors import InputError
from referee.pocket import store
from referee.train.recipes.command import run
from referee.train.recipes.encoder.examples import LEMMA, SPLIT, TAG, Examples
from referee.train.recipes.encoder.inventory import INVENTORY, Inventory
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.weights import read


def export_heads(weights: Path, prepared: Path, out: Path) -> str:
    """Write the file and its checksum, and return the checksum."""
    inventory = Inventory.read(weights / INVENTORY)
    encoder = store.checksums(out).get(store.ENCODER.file)
    if encoder is None:
        raise InputError(
            f"does not list {store.ENCODER.file}", "run the export of the encoder first", out / store.CHECKSUM
        )
    arrays = {name: weight.numpy() for name, weight in read(weights)[2].items()}
    return publish_heads(out, about(inventory, Examples.read(prepared / "train.npz"), encoder), arrays)


def about(inventory: Inventory, learned: Examples, encoder: str) -> dict[str, Any]:
    """The meaning of the rows, and which of them each language has."""
    language = np.repeat(learned.language, np.diff(learned.first_word))
    followed = np.repeat(learned.treebank, np.diff(learned.first_word)) == 0
    return {
        "languages": list(LANGUAGES),
        "upos": list(inventory.upos),
        "features": {name: list(values) for name, values in inventory.features.items()},
        "deprels": list(inventory.deprels),
        "lemma_scripts": [list(script) for script in inventory.lemmas],
        "split_scripts": [list(script) for script in inventory.splits],
        "encoder": encoder,
        **{
            name: _seen(learned.words[:, column], language)
            for name, column in (("lemmas", LEMMA), ("splits", SPLIT), ("tags", TAG))
        },
        "marked": {
            code: [
                name
                for column, name in enumerate(inventory.features)
                if (learned.feats[(language == number) & followed, column] > 0).any()
            ]
            for number, code in enumerate(LANGUAGES)
        },
    }


def _seen(labels: np.ndarray, language: np.ndarray) -> dict[str, list[int]]:
    return {
        code: [int(label) for label in np.unique(labels[language == number]) if label >= 0]
        for number, code in enumerate(LANGUAGES)
    }


def main() -> None:
    """Export from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    print(export_heads(arguments.weights, arguments.prepared, arguments.out))  # noqa: T201


if __name__ == "__main__":
    run(main)
