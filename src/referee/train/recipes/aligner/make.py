"""The pocket aligner, made by one command.

`python -m referee.train.recipes.aligner.make TEXT ALIBI --encoder ENCODER --state STATE --out FOLDER`

TEXT is the encoder's text (`text.jsonl.xz`), ALIBI the folder of its gold alignments (`align/alibi-fr-en`), ENCODER the
stored encoder. Tables are learned once and kept in STATE; with another encoder only the rest is made again.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from referee.annotate.align.model import Parts, stored
from referee.annotate.align.pocket import pair_words, paired_cells
from referee.annotate.align.tables import EMPTY, Table
from referee.annotate.align.vectors import LAYER, Projection, open_vectors
from referee.logs import logger
from referee.pocket import store
from referee.pocket.store import ALIGNER, ENCODER, PocketModel
from referee.train.recipes.aligner.gold import Gold, alibi
from referee.train.recipes.aligner.projection import linked, project
from referee.train.recipes.aligner.tables import LANGUAGES, learned
from referee.train.recipes.aligner.weighing import weigh
from referee.train.recipes.command import run

GOLD = "fr"
"""The language of the gold alignments."""
EXAMPLES = 1_500
"""Of each language that the projection is learned from."""
LARGEST = 2_500_000
"""Bytes of the file at most."""


def make(text: Path, gold: Sequence[Gold], encoder: PocketModel, state: Path) -> Parts:
    """Learn all parts."""
    tables: dict[str, Table] = {}
    examples = []
    width = encoder.about["size"]["width"]
    layer = min(LAYER, encoder.about["size"]["layers"])
    plain = open_vectors(encoder, Projection.none(width), layer)
    for language in LANGUAGES:
        kept = learned(text, language, state)
        tables[f"en-{language}"] = kept.opened()
        examples += linked(plain, kept.examples[:EXAMPLES], language)
    projection = project(examples)
    vectors = open_vectors(encoder, projection, layer)
    pairs = [one.pair for one in gold]
    words = [pair_words(pair) for pair in pairs]
    # Languages without a table have only vectors: a part of what is learned from has no table either.
    batches = [
        list(paired_cells(pairs, words, ("en", GOLD), vectors, table)) for table in (tables[f"en-{GOLD}"], EMPTY)
    ]
    return Parts(tables, layer, projection, weigh([*batches[0], *batches[1][::4]], gold))


def main() -> None:
    """Make the aligner from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("alibi", type=Path)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    encoder = store.read(arguments.encoder, ENCODER)
    parts = make(arguments.text, alibi(arguments.alibi), encoder, arguments.state)
    about, arrays = stored(parts, encoder)
    checksum = store.publish(arguments.out, ALIGNER, about, b"", arrays, LARGEST)
    logger.info(f"{ALIGNER.file}: {checksum}")


if __name__ == "__main__":
    run(main)
