"""The pocket encoder, run by CTranslate2 on one thread: numbers of pieces in, a vector for each piece out.

CTranslate2 rounds the inputs of every product to eight bits. What a row is padded with, and so the batch it is in,
would show in the last bits, and after rounding in more than these. A batch here has rows of one length, which need no
padding: the vectors of a row depend on nothing but the row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.pocket import forms
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.pocket.store import ENCODER, PocketModel

BATCH = 2_048
"""Pieces in a batch. More make no difference to the speed, and need more memory."""


@dataclass(frozen=True)
class PocketEncoder:
    """An opened encoder; `positions` is the longest row."""

    engine: Any
    vocabulary: EncoderVocabulary
    positions: int
    width: int
    sha256: str

    def forward(self, rows: Sequence[Sequence[int]]) -> list[np.ndarray]:
        """The vectors of each row in order, as an array of its length and the width.

        A row is a language's token, pieces, and the end token: `open_encoder().vocabulary` has their numbers.
        """
        vectors: list[np.ndarray] = [np.empty((0, self.width), np.float32)] * len(rows)
        for numbers, states in self.batches(rows):
            for number, of_row in zip(numbers, states, strict=True):
                vectors[number] = of_row
        return vectors

    def batches(self, rows: Sequence[Sequence[int]], pieces: int = BATCH) -> Iterator[tuple[list[int], np.ndarray]]:
        """Indices of rows of one length and their vectors (rows, length, width), the longest rows first."""
        by_length: dict[int, list[int]] = {}
        for number, row in enumerate(rows):
            by_length.setdefault(len(row), []).append(number)
        for length in sorted(by_length, reverse=True):
            if length > self.positions:
                raise ValueError(f"a row has {length} pieces, more than the {self.positions} positions")
            if not length:
                continue
            together = max(1, pieces // length)
            alike = by_length[length]
            for start in range(0, len(alike), together):
                numbers = alike[start : start + together]
                yield numbers, self._states([list(rows[number]) for number in numbers])

    def _states(self, rows: list[list[int]]) -> np.ndarray:
        return np.asarray(self.engine.forward_batch(rows).last_hidden_state)


def open_encoder(model: PocketModel | None = None, compute_type: str = "int8") -> PocketEncoder:
    """Opens the shipped encoder, or another stored one; `float32` computes what transformers computes."""
    import ctranslate2

    stored = model or forms.shipped(ENCODER)
    size = stored.about["size"]
    engine = ctranslate2.Encoder(
        str(forms.encoder_ct2_folder(stored)),
        device="cpu",
        compute_type=compute_type,
        inter_threads=1,
        intra_threads=1,
    )
    vocabulary = forms.encoder_vocabulary(stored)
    return PocketEncoder(engine, vocabulary, size["positions"], size["width"], stored.sha256)
