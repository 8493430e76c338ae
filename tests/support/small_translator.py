"""A small translator, by the documented commands one after the other, on invented films: prepare, learn, export."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.pocket import store
from referee.pocket.store import TRANSLATOR, PocketModel
from referee.train.recipes.translator import export, loop, prepare
from referee.train.recipes.translator.loop import Schedule
from referee.train.recipes.translator.network import Size
from tests.support import tiny_translator as tiny

VOCABULARY = 180
STEPS = 250


@dataclass(frozen=True)
class Trained:
    """What the commands left behind."""

    prepared: Path
    weights: Path
    out: Path
    translator: PocketModel


def called(main: Callable[[], None], *arguments: object) -> None:
    """Run the function of a command as if these arguments had been typed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["command", *map(str, arguments)])
        main()


def make(folder: Path) -> Trained:
    """Run all three commands."""
    data = tiny.write(folder / "data")
    prepared, learnt, out = folder / "prepared", folder / "weights", folder / "out"
    called(prepare.main, data, prepared, "--vocabulary", VOCABULARY)
    # So little time is too little for a network of the size that is shipped.
    size = Size(VOCABULARY, width=48, inner=96, heads=4, encoder_layers=2, decoder_layers=1, positions=64)
    schedule = Schedule(0, tokens=1_500, peak=3e-3, warm_up=30, averaging=0.95, steps=STEPS)
    loop.train(prepared, learnt, size, schedule, "cpu")
    called(export.main, learnt, prepared, out)
    checksum = (out / store.CHECKSUM).read_text().split()[0]
    return Trained(prepared, learnt, out, store.read(out / TRANSLATOR.file, TRANSLATOR, checksum))
