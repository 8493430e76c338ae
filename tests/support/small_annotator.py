"""A small encoder with heads that has learned a few sentences by heart."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import torch

from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.train.recipes.encoder.batches import Drawer, Drawing
from referee.train.recipes.encoder.fit import Fit, Fitting, batches, fit
from referee.train.recipes.encoder.model import Annotator
from referee.train.recipes.encoder.network import Size
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.encoder.pretrain import Hiding
from tests.support import small_treebanks

STEPS = 80


class Taught(NamedTuple):
    """The annotator, and the last loss of its training."""

    model: Annotator
    loss: float


@cache
def vocabulary() -> EncoderVocabulary:
    return EncoderVocabulary(small_treebanks.pieces_model(), LANGUAGES)


def tokens() -> list[int]:
    """The tokens of the languages."""
    return [vocabulary().language(language) for language in LANGUAGES]


def size(width: int = 16) -> Size:
    return Size(len(vocabulary()), width=width, inner=2 * width, heads=2, layers=2, positions=128, dropout=0.0)


def untaught(width: int = 16, seed: int = 1) -> Annotator:
    torch.manual_seed(seed)
    return Annotator(size(width), small_treebanks.inventory())


def teach() -> Taught:
    """Fit a network to the examples; nothing is dropped or hidden, so it learns them by heart."""
    model = untaught(32)
    model.heads.dropout.p = 0.0
    training = Fitting(model, Fit(0, rows=2, peak=1e-2, encoder=0.5, warm_up=10, hidden=0.0, steps=STEPS))
    drawer = Drawer(small_treebanks.examples(), tokens(), Drawing(), 1)
    ordinary = Hiding.of(vocabulary(), "cpu").ordinary
    losses = fit(training, [batches(drawer, 2, "cpu")], ordinary, vocabulary().mask)
    return Taught(model, losses[0])
