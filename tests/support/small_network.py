"""A pocket translator of a few numbers, and what CTranslate2 makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from referee.pocket import store
from referee.pocket.store import TRANSLATOR, PocketModel

WORDS = [f"word{number}" for number in range(20)]
NAMES = ["</s>", "<unk>", *WORDS, ">>de<<", ">>fr<<", "<pad>"]
SIZE = {
    "vocabulary": len(NAMES),
    "width": 16,
    "inner": 24,
    "heads": 2,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "positions": 32,
    "dropout": 0.1,
}
SOURCE = [">>fr<<", "word3", "word1", "word4", "</s>"]
TARGET = ["word1", "word5", "word9"]


def weights() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(1)
    width, inner = 16, 24

    def numbers(*shape: int) -> np.ndarray:
        return chance.normal(scale=0.4, size=shape).astype(np.float32)

    tensors = {"shared.weight": numbers(len(NAMES) - 1, width)}
    for side, attentions in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "encoder_attn"])):
        for layer in range(2):
            prefix = f"{side}.layers.{layer}"
            for attention in attentions:
                for part in ("q", "k", "v", "out"):
                    name = f"{prefix}.{attention}.{part}_proj"
                    tensors[f"{name}.weight"], tensors[f"{name}.bias"] = numbers(width, width), numbers(width)
            tensors[f"{prefix}.fc1.weight"], tensors[f"{prefix}.fc1.bias"] = numbers(inner, width), numbers(inner)
            tensors[f"{prefix}.fc2.weight"], tensors[f"{prefix}.fc2.bias"] = numbers(width, inner), numbers(width)
            for norm in (*(f"{attention}_layer_norm" for attention in attentions), "final_layer_norm"):
                tensors[f"{prefix}.{norm}.weight"] = 1 + numbers(width)
                tensors[f"{prefix}.{norm}.bias"] = numbers(width)
    return tensors


def stored(folder: Path) -> PocketModel:
    """Written and read again, as it would be shipped."""
    store.write(folder / TRANSLATOR.file, TRANSLATOR, {"size": SIZE, "languages": ["de", "fr"]}, b"", weights())
    return store.read(folder / TRANSLATOR.file, TRANSLATOR)


def scores(folder: Path, compute_type: str) -> np.ndarray:
    import ctranslate2

    engine: Any = ctranslate2.Translator(str(folder), compute_type=compute_type, intra_threads=1)
    (result,) = engine.score_batch([SOURCE], [TARGET])
    return np.array(result.log_probs)
