"""Texts as vectors: the mean of a masked language model's last hidden states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from referee.errors import InputError
from referee.models.hf import batches
from referee.models.hf.load import budget
from referee.models.hf.masked import Masked
from referee.models.hf.padding import padded
from referee.models.tokens import too_long

Vectors = NDArray[np.float32]


def embed(model: Masked, texts: Sequence[str]) -> Vectors:
    """One row a text: the mean over its tokens but the special ones; a text too long for the model is an error."""
    loaded = model.loaded
    encoded = loaded.tokenizer(list(texts), return_special_tokens_mask=True).encodings
    for text, own in zip(texts, encoded, strict=True):
        if refusal := too_long(len(own.ids), loaded.max_length):
            raise InputError(f"a text cannot be embedded ({refusal}): {text[:60]!r}", "leave that item out")

    @torch.inference_mode()
    def work(batch: list[Any]) -> batches.Done[Vectors]:
        tokens, mask = padded([own.ids for own in batch], int(loaded.tokenizer.pad_token_id), loaded.device)
        words, _ = padded([[1 - special for special in own.special_tokens_mask] for own in batch], 0, loaded.device)
        states = loaded.model.base_model(input_ids=tokens, attention_mask=mask).last_hidden_state.float()
        weights = words.unsqueeze(-1).float()
        means = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        return batches.read(loaded.device, lambda: list(means.cpu().numpy()))

    found = dict(batches.run(encoded, [len(own.ids) for own in encoded], _budget(model), work))
    return np.stack([found[place] for place in range(len(texts))]).astype(np.float32)


def _budget(model: Masked) -> int:
    # No output layer: larger batches fit than when words are predicted.
    return budget(model.loaded, model.spec, cpu=4_000, gpu=64_000)
