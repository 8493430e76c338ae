"""The pocket encoder and its heads in one training: treebanks, text with found labels, and masked text.

The heads need a trunk that knows grammar, `mlm:pocket` one that still knows text: so both are trained together.

`python -m referee.train.recipes.encoder.join WEIGHTS PREPARED TEXT OUT --found FOUND` starts from a masked language
model and writes the weights of the encoder and of the heads.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import torch
from torch import Tensor

from referee.logs import logger
from referee.train.recipes.command import run
from referee.train.recipes.encoder import passages
from referee.train.recipes.encoder.batches import Drawer, Drawing
from referee.train.recipes.encoder.examples import Examples
from referee.train.recipes.encoder.fit import Fit, Fitting, batches, fit
from referee.train.recipes.encoder.model import Annotator
from referee.train.recipes.encoder.pretrain import Hiding, Schedule, Streams, loss_of, streams, watched
from referee.train.recipes.encoder.teach import add_duration, measured, save, started, tokens_of

_LONG_EVERY = 8
"""Every eighth step has masked rows of the full length."""


def masked_loss(
    model: Annotator, learned: Streams, hiding: Hiding, schedule: Schedule, weight: float
) -> Callable[[int], Tensor]:
    """The loss of the masked language model at a step."""
    shares = learned.shares(schedule)

    def loss(number: int) -> Tensor:
        length = schedule.longest if number % _LONG_EVERY == 0 else schedule.length
        rows = learned.rows(shares, schedule.pieces // length, length, schedule.unnamed)
        hidden, places = hiding.hide(rows, schedule.hidden, schedule.whole_words)
        return weight * loss_of(model.encoder, hidden, places, rows, hiding.ordinary)

    return loss


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--found", type=Path, help="text with found labels, see `label.py`")
    parser.add_argument("--seconds", type=float, default=900, help="how long in all (default: %(default)s)")
    add_duration(parser)
    parser.add_argument("--rows", type=int, default=64, help="of the treebanks in a batch (default: %(default)s)")
    parser.add_argument("--found-rows", type=int, default=64, help="of found labels in a batch (default: %(default)s)")
    parser.add_argument("--pieces", type=int, default=49_152, help="of masked text in a batch (default: %(default)s)")
    parser.add_argument("--peak", type=float, default=1.5e-3, help="highest rate of the heads (default: %(default)s)")
    parser.add_argument("--encoder", type=float, default=0.4, help="rate of the encoder as a share of the heads'")
    parser.add_argument("--masked", type=float, default=1.0, help="weight of the masked text (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    torch.manual_seed(7)
    torch.set_float32_matmul_precision("high")
    device = arguments.device
    begun = started(arguments.weights, arguments.prepared, device)
    model, pieces = begun.model, begun.pieces
    hiding = Hiding.of(pieces, device)
    parts = passages.read(arguments.text)
    both = (parts[passages.TRAIN], parts[passages.WATCH])
    learned, unseen = (streams(part, pieces, arguments.processes).to(device) for part in both)
    schedule = Fit(
        arguments.seconds,
        rows=arguments.rows,
        peak=arguments.peak,
        encoder=arguments.encoder,
        steps=arguments.steps,
    )
    training = Fitting(model, schedule, arguments.state)
    masking = Schedule(arguments.seconds, pieces=arguments.pieces)
    gold = Drawer(Examples.read(arguments.prepared / "train.npz"), tokens_of(pieces), Drawing(), 7, training.steps)
    drawn = [batches(gold, schedule.rows, device, arguments.processes // 2)]
    if arguments.found:
        text = Examples.read(arguments.found)
        found = Drawer(text, tokens_of(pieces), Drawing(flatness=0.0), 8, training.steps)
        drawn.append(batches(found, arguments.found_rows, device, arguments.processes // 2))
    loss = masked_loss(model, learned, hiding, masking, arguments.masked)
    fit(training, drawn, hiding.ordinary, pieces.mask, loss, arguments.until)
    losses = watched(model.encoder, unseen, hiding, masking)
    table = measured([model], arguments.prepared, pieces)
    stage = {"fit": asdict(schedule), "steps": training.steps, "seconds": round(training.spent, 1), "device": device}
    stage |= {"masking": asdict(masking), "loss on unseen films": losses, "gold tokens": table}
    save(begun, arguments.out, stage)
    logger.info(f"{training.steps} steps; unseen: { {name: round(value, 3) for name, value in losses.items()} }")
    for language, row in table.items():
        logger.info(f"{language} {row}")


if __name__ == "__main__":
    run(main)
