"""Texts as vectors: the mean of a model's last hidden states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from referee.errors import InputError
from referee.models.hf import batches
from referee.models.hf.batches import padded
from referee.models.hf.load import Loaded
from referee.models.tokens import too_long

Vectors = NDArray[np.float32]


def embedded(loaded: Loaded, texts: Sequence[str]) -> Vectors:
    """One row per text: the mean over its tokens but the special ones; a text too long for the model is an error."""
    encodings = loaded.tokenizer(list(texts), return_special_tokens_mask=True).encodings
    for text, encoding in zip(texts, encodings, strict=True):
        if refusal := too_long(len(encoding.ids), loaded.max_length):
            raise InputError(f"a text cannot be embedded ({refusal}): {text[:60]!r}", "remove that item")

    @torch.inference_mode()
    def work(batch: list[Any]) -> batches.Done[Vectors]:
        tokens, mask = padded([encoding.ids for encoding in batch], int(loaded.tokenizer.pad_token_id), loaded.device)
        plain = [[1 - special for special in encoding.special_tokens_mask] for encoding in batch]
        words, _ = padded(plain, 0, loaded.device)
        states = loaded.model.base_model(input_ids=tokens, attention_mask=mask).last_hidden_state.float()
        weights = words.unsqueeze(-1).float()
        means = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        return batches.read(loaded.device, lambda: list(means.cpu().numpy()))

    # No output layer: larger batches fit than when words are predicted.
    budget = loaded.budget(cpu=4_000, gpu=64_000)
    vectors = dict(batches.run(encodings, [len(encoding.ids) for encoding in encodings], budget, work))
    return np.stack([vectors[index] for index in range(len(texts))]).astype(np.float32)
