"""A pocket translator in the form of transformers: a Marian checkpoint in float32, from the same numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from referee.pocket.ct2_form import sinusoids
from referee.pocket.store import PocketModel
from referee.pocket.vocabulary import Vocabulary

_STEERING = ("forced_eos_token_id", "bad_words_ids", "num_beams", "max_length")
_TOKENS = ("pad_token_id", "decoder_start_token_id", "eos_token_id", "bos_token_id")


def write_marian(translator: PocketModel, vocabulary: Vocabulary, folder: Path) -> None:
    """Weights, configuration and tokenizer."""
    from safetensors.numpy import save_file

    size = translator.about["size"]
    weights = {f"model.{name}": np.ascontiguousarray(weight) for name, weight in translator.weights.items()}
    # Padding is all zeros, and the last token.
    weights["model.shared.weight"] = np.pad(translator.weights["shared.weight"], ((0, 1), (0, 0)))
    weights["final_logits_bias"] = np.zeros((1, size["vocabulary"]), np.float32)
    for side in ("encoder", "decoder"):
        weights[f"model.{side}.embed_positions.weight"] = sinusoids(size["positions"], size["width"])
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    settings = _config(size)
    # What only steers generation lives in a file of its own.
    steering = {name: settings.pop(name) for name in _STEERING} | {name: settings[name] for name in _TOKENS}
    (folder / "config.json").write_text(json.dumps(settings, indent=1), encoding="utf-8")
    (folder / "generation_config.json").write_text(json.dumps(steering, indent=1), encoding="utf-8")
    vocabulary.save(folder)


def _config(size: Mapping[str, Any]) -> dict[str, Any]:
    pad = size["vocabulary"] - 1
    return {
        "architectures": ["MarianMTModel"],
        "model_type": "marian",
        "vocab_size": size["vocabulary"],
        "decoder_vocab_size": size["vocabulary"],
        "d_model": size["width"],
        "encoder_layers": size["encoder_layers"],
        "decoder_layers": size["decoder_layers"],
        "encoder_attention_heads": size["heads"],
        "decoder_attention_heads": size["heads"],
        "encoder_ffn_dim": size["inner"],
        "decoder_ffn_dim": size["inner"],
        "max_position_embeddings": size["positions"],
        "activation_function": "relu",
        "scale_embedding": True,
        "share_encoder_decoder_embeddings": True,
        "tie_word_embeddings": True,
        "dropout": size["dropout"],
        "attention_dropout": 0.0,
        "activation_dropout": size["dropout"],
        "pad_token_id": pad,
        "decoder_start_token_id": pad,
        "eos_token_id": 0,
        "bos_token_id": 0,
        "forced_eos_token_id": 0,
        "bad_words_ids": [[pad]],
        "num_beams": 1,
        "max_length": size["positions"],
        "dtype": "float32",
    }
