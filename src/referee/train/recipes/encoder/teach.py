"""Teachers: encoder and heads fitted to the treebanks, to label running text with.

`python -m referee.train.recipes.encoder.teach WEIGHTS PREPARED OUT --seed N`, where WEIGHTS holds a masked language
model (see `pretrain.py`) and PREPARED the treebanks (see `prepare.py`).
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from referee.io.files import atomic_write, existing
from referee.logs import logger
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.train.recipes import weights
from referee.train.recipes.command import run
from referee.train.recipes.encoder.batches import Drawer, Drawing
from referee.train.recipes.encoder.examples import Examples
from referee.train.recipes.encoder.fit import Fit, batches, fit
from referee.train.recipes.encoder.inventory import Inventory
from referee.train.recipes.encoder.model import Annotator, accuracy, find
from referee.train.recipes.encoder.network import Size
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.encoder.pretrain import Hiding
from referee.train.recipes.encoder.vocabulary import PIECES

INVENTORY = "inventory.json"


def started(folder: Path, prepared: Path, device: str) -> tuple[Annotator, Inventory, EncoderVocabulary]:
    """An annotator whose encoder is a masked language model and whose heads know nothing."""
    size, _, stored = weights.read(folder)
    inventory = Inventory.from_json(json.loads(existing(prepared / INVENTORY).read_text(encoding="utf-8")))
    model = Annotator(Size(**size), inventory)
    model.encoder.load_state_dict(stored)
    pieces = EncoderVocabulary(existing(prepared / PIECES).read_bytes(), LANGUAGES)
    return model.to(device), inventory, pieces


def save(model: Annotator, out: Path, about: dict[str, Any], inventory: Inventory) -> None:
    """Write encoder and heads apart, in parts that travel; styles are needed for training only."""
    size = asdict(model.encoder.size)
    weights.save(out / "encoder", size, [about], dict(model.encoder.named_parameters()))
    weights.save(out / "heads", size, [about], model.heads.stored())
    with atomic_write(out / "heads" / INVENTORY) as file:
        file.write(json.dumps(inventory.as_json(), ensure_ascii=False).encode())


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
    return bool(pieces <= 254 and gold.first_word[number + 1] - gold.first_word[number] <= 200)


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=150)
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=0, help="that draw batches (default: %(default)s)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_float32_matmul_precision("high")
    model, inventory, pieces = started(arguments.weights, arguments.prepared, arguments.device)
    hiding = Hiding.of(pieces, arguments.device)
    examples = Examples.read(arguments.prepared / "train.npz")
    drawer = Drawer(examples, tokens_of(pieces), Drawing(), arguments.seed)
    schedule = Fit(arguments.seconds, rows=arguments.rows, seed=arguments.seed)
    drawn = batches(drawer, schedule.rows, arguments.device, arguments.processes)
    steps = fit(model, schedule, [drawn], hiding.ordinary, pieces.mask)
    save(model, arguments.out, {"fit": asdict(schedule), "steps": steps, "device": arguments.device}, inventory)
    logger.info(f"seed {arguments.seed}: {steps} steps")
    for language, row in measured([model], arguments.prepared, pieces).items():
        logger.info(f"{language} {row}")


if __name__ == "__main__":
    run(main)
