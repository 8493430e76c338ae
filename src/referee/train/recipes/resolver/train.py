"""Training of the pocket resolver, from GUM to the file that is shipped, by one command.

`python -m referee.train.recipes.resolver.train GUM FOLDER`: GUM is the folder UD_English-GUM, FOLDER gets
`resolver.npz` and its line in `sha256`. Only genres with a free licence are read, and of them only documents that are
neither in dev nor in test. Every document is an example twice: as the annotators parsed it, and as the pocket annotator
parses it. Cross-validation by documents comes first; its figures go into the file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch

from referee.annotate.document import Document
from referee.annotate.resolve.pocket import PocketResolver
from referee.annotate.resolve.ranker import ranker_of
from referee.errors import RefereeError
from referee.logs import logger
from referee.pocket import store
from referee.pocket.store import PocketModel
from referee.train.recipes.command import run
from referee.train.recipes.resolver import gum
from referee.train.recipes.resolver.examples import examples_of, together
from referee.train.recipes.resolver.gum import GoldDocument
from referee.train.recipes.resolver.measure import Counts, counted, figures, measured
from referee.train.recipes.resolver.network import Schedule, trained, weights_of
from referee.train.recipes.resolver.parses import add_options, parsed
from referee.train.recipes.resolver.pronouns import ANTECEDENTS

SEEDS = (1, 2, 3, 4)
FOLDS = 4
PRECISION = 0.6
"""The precision for *it, they, them* on unseen documents that the threshold is chosen for."""
LARGEST = 300_000
"""Bytes of the file at most."""


class Parsed(NamedTuple):
    """A training document with its predicted parse."""

    gold: GoldDocument
    predicted: Document


def train(documents: Sequence[Parsed], seeds: Sequence[int], schedule: Schedule) -> dict[str, Any]:
    """Weights of one network per seed."""
    examples = together(
        [
            examples_of(parse, each.gold)
            for each in documents
            for parse in (
                (each.gold.document,) if each.predicted is each.gold.document else (each.gold.document, each.predicted)
            )
        ]
    )
    logger.info(f"{len(examples.pronouns):,} pronouns of {len(documents)} documents")
    return weights_of([trained(examples, seed, schedule) for seed in seeds])


def cross_validated(documents: Sequence[Parsed], schedule: Schedule) -> tuple[float, dict[str, Any]]:
    """A threshold, and its figures on documents that the networks did not see, in their predicted parses."""
    antecedents = {}
    for fold in range(FOLDS):
        seen = [each for number, each in enumerate(documents) if number % FOLDS != fold]
        resolver = _resolver(train(seen, SEEDS[:2], schedule))
        for each in documents[fold::FOLDS]:
            antecedents[each.predicted.id] = resolver.ranked(each.predicted)
    forms = next(iter(ANTECEDENTS.values()))
    counts = [counted(each.gold, each.predicted, antecedents[each.predicted.id], forms) for each in documents]
    threshold = threshold_for(counts, PRECISION)
    return threshold, measured(
        [each.gold for each in documents],
        [each.predicted for each in documents],
        lambda document: antecedents[document.id],
        threshold,
    )


def threshold_for(counts: Sequence[Counts], precision: float) -> float:
    """The lowest confidence, in steps of 0.01, from which on answers have this precision."""
    for percent in range(10, 100):
        if figures(counts, percent / 100).precision >= precision:
            return percent / 100
    raise RefereeError(f"no threshold reaches a precision of {precision}", "train longer, or on more documents")


def _resolver(weights: dict[str, Any]) -> PocketResolver:
    return PocketResolver(ranker_of(PocketModel(store.RESOLVER, {}, b"", weights, "")), 0.0, "")


def main() -> None:
    """Train, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m referee.train.recipes.resolver.train", description=__doc__)
    parser.add_argument("gum", type=Path, help="the folder UD_English-GUM")
    parser.add_argument("folder", type=Path, help="gets resolver.npz")
    add_options(parser)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)  # noqa: FBT003 the name says it
    golds = gum.training(arguments.gum)
    logger.info(f"parsing {len(golds)} documents")
    parses = parsed(arguments.encoder, arguments.heads)([gold.document for gold in golds])
    documents = [Parsed(*pair) for pair in zip(golds, parses, strict=True)]
    schedule = Schedule()
    threshold, results = cross_validated(documents, schedule)
    sys.stdout.write(json.dumps(results, indent=1) + "\n")
    about = {
        "threshold": threshold,
        "seeds": list(SEEDS),
        "schedule": asdict(schedule),
        "genres": list(gum.FREE),
        "documents": len(documents),
        "annotator": parses[0].annotator,
        "cross-validation": results,
    }
    arguments.folder.mkdir(parents=True, exist_ok=True)
    weights = train(documents, SEEDS, schedule)
    sha256 = store.publish(arguments.folder, store.RESOLVER, about, b"", weights, LARGEST)
    logger.info(f"{arguments.folder / store.RESOLVER.file}: sha256 {sha256}")


if __name__ == "__main__":
    run(main)
