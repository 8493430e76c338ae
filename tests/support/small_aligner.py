"""A pocket aligner of a few numbers: a table of six words, random vectors, and a weighing that trusts the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from referee.annotate.align.blocks import Vocabulary
from referee.annotate.align.combine import FIRST, INPUTS, SECOND, Layers, Weighing
from referee.annotate.align.features import NAMES
from referee.annotate.align.model import Parts, stored
from referee.annotate.align.pocket import PocketAligner, open_model
from referee.annotate.align.tables import Table
from referee.annotate.align.tokens import token_spans
from referee.annotate.align.vectors import Projection
from referee.annotate.protocols import SentencePair, Tokens
from referee.pocket import store
from referee.pocket.store import ALIGNER, PocketModel
from tests.support import small_encoder

WORDS = {"the": "das", "dog": "hund", "house": "haus", "sleeps": "schläft", "sees": "sieht", ".": "."}


def table() -> Table:
    """Every word has one translation."""
    sources = {word: number for number, word in enumerate(sorted(WORDS))}
    targets = {word: number for number, word in enumerate(sorted(WORDS.values()))}
    words = Vocabulary(sources, targets)
    keys = np.array(sorted(sources[one] * words.width + targets[two] for one, two in WORDS.items()))
    return Table(words, keys, np.full(len(keys), -0.5, np.float32), np.full(len(keys), -1.0, np.float32))


def weighing() -> Weighing:
    """A link is what the table pairs, or what is spelled alike."""
    first = np.zeros((FIRST, len(NAMES)))
    first[0, NAMES.index("table")], first[1, NAMES.index("same letters")] = 1, 1
    out = np.zeros(FIRST)
    out[:2] = 1, 8
    second = np.zeros((SECOND, INPUTS))
    # Of what the second part sees, the logit (a quarter of it) comes after the features and the neighbours.
    second[0, len(NAMES) + 8] = 4
    seconds = np.zeros(SECOND)
    seconds[0] = 1
    bias = np.zeros(SECOND)
    bias[0] = 20
    return Weighing(Layers(first, np.zeros(FIRST), out, -4.0), Layers(second, bias, seconds, -20.0), 0.5)


def parts() -> Parts:
    matrix = np.random.default_rng(2).normal(size=(8, int(small_encoder.SIZE["width"]))).astype(np.float32)
    projection = Projection(np.zeros(matrix.shape[1], np.float32), matrix)
    return Parts({"en-de": table()}, 1, projection, weighing())


def published(folder: Path) -> tuple[PocketModel, PocketModel]:
    """Written and read again: the aligner and its encoder."""
    encoder = small_encoder.stored(folder)
    about, arrays = stored(parts(), encoder)
    store.publish(folder, ALIGNER, about, b"", arrays, 10**6)
    return store.read(folder / ALIGNER.file, ALIGNER), encoder


def opened(folder: Path) -> PocketAligner:
    return open_model(*published(folder))


def tokenised(text: str, language: str) -> Tokens:
    return Tokens(text, tuple(token_spans(text, language)))


def pair(source: str, target: str, languages: tuple[str, str] = ("en", "de")) -> SentencePair:
    return SentencePair(tokenised(source, languages[0]), tokenised(target, languages[1]))
