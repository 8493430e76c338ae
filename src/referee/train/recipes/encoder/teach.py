"""Teachers: encoder and heads fitted to the treebanks, to label running text with.

`python -m referee.train.recipes.encoder.teach WEIGHTS PREPARED OUT --seed N`, where WEIGHTS holds a masked language
model (see `pretrain.py`) and PREPARED the treebanks (see `prepare.py`).
"""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch

from referee.io.files import atomic_write, existing
from referee.logs import logger
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.train.recipes import weights
from referee.train.recipes.command import run
from referee.train.recipes.encoder.batches import Drawer, Drawing
from referee.train.recipes.encoder.examples import LENGTH, WORDS, Examples
from referee.train.recipes.encoder.fit import Fit, Fitting, batches, fit
from referee.train.recipes.encoder.inventory import INVENTORY, Inventory
from referee.train.recipes.encoder.model import Annotator, accuracy, find
from referee.train.recipes.encoder.network import Size
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.encoder.pretrain import Hiding
from referee.train.recipes.encoder.vocabulary import PIECES


class Started(NamedTuple):
    """An annotator whose heads know nothing yet, with what it was made of."""

    model: Annotator
    inventory: Inventory
    pieces: EncoderVocabulary
    stages: list[dict[str, Any]]
    """How the encoder was trained so far."""


def started(folder: Path, prepared: Path, device: str) -> Started:
    """An annotator whose encoder is a masked language model and whose heads know nothing."""
    size, stages, stored = weights.read(folder)
    inventory = Inventory.read(prepared / INVENTORY)
    model = Annotator(Size(**size), inventory)
    model.encoder.load_state_dict(stored)
    pieces = EncoderVocabulary(existing(prepared / PIECES).read_bytes(), LANGUAGES)
    return Started(model.to(device), inventory, pieces, stages)


def save(begun: Started, out: Path, stage: dict[str, Any]) -> None:
    """Write encoder and heads apart, in parts that travel; styles are needed for training only."""
    model, stages = begun.model, [*begun.stages, stage]
    size = asdict(model.encoder.size)
    weights.save(out / "encoder", size, stages, dict(model.encoder.named_parameters()))
    with atomic_write(out / "encoder" / PIECES) as file:
        file.write(begun.pieces.model)
    weights.save(out / "heads", size, stages, model.heads.stored())
    begun.inventory.save(out / "heads" / INVENTORY)


def load(model: Annotator, folder: Path) -> None:
    """Take over what `save` wrote."""
    model.encoder.load_state_dict(weights.read(folder / "encoder")[2])
    model.heads.load(weights.read(folder / "heads")[2])


def tokens_of(pieces: EncoderVocabulary) -> list[int]:
    """The tokens of the languages."""
    return [pieces.language(language) for language in LANGUAGES]


def measured(models: list[Annotator], prepared: Path, pieces: EncoderVocabulary) -> dict[str, dict[str, float]]:
    """Accuracy on the measured files, gold tokens, every sentence alone."""
    gold = Examples.read(prepared / "measured.npz")
    alone = [range(number, number + 1) for number in range(len(gold)) if _fits(gold, number)]
    table = accuracy(gold, find(models, gold, alone, tokens_of(pieces)))
    return {LANGUAGES[int(number)]: row for number, row in table.items()}


def _fits(gold: Examples, number: int) -> bool:
    pieces = gold.first_piece[number + 1] - gold.first_piece[number]
    return bool(pieces + 2 <= LENGTH and gold.first_word[number + 1] - gold.first_word[number] <= WORDS)


def add_duration(parser: argparse.ArgumentParser) -> None:
    """Add the options of a training that can be stopped."""
    parser.add_argument("--steps", type=int, help="how many steps, in place of seconds")
    parser.add_argument("--state", type=Path, help="a folder; a training that it holds resumes")
    parser.add_argument("--until", type=float, default=math.inf, help="how many seconds in this call")


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=150, help="how long in all (default: %(default)s)")
    add_duration(parser)
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=0, help="that draw batches (default: %(default)s)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_float32_matmul_precision("high")
    begun = started(arguments.weights, arguments.prepared, arguments.device)
    pieces = begun.pieces
    hiding = Hiding.of(pieces, arguments.device)
    examples = Examples.read(arguments.prepared / "train.npz")
    schedule = Fit(arguments.seconds, rows=arguments.rows, seed=arguments.seed, steps=arguments.steps)
    training = Fitting(begun.model, schedule, arguments.state)
    drawer = Drawer(examples, tokens_of(pieces), Drawing(), arguments.seed, training.steps)
    drawn = batches(drawer, schedule.rows, arguments.device, arguments.processes)
    fit(training, [drawn], hiding.ordinary, pieces.mask, until=arguments.until)
    save(begun, arguments.out, {"fit": asdict(schedule), "steps": training.steps, "device": arguments.device})
    logger.info(f"seed {arguments.seed}: {training.steps} steps")
    for language, row in measured([begun.model], arguments.prepared, pieces).items():
        logger.info(f"{language} {row}")


if __name__ == "__main__":
    run(main)
