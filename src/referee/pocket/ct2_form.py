"""A pocket translator in the form of CTranslate2, built from its numbers with nothing but numpy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from referee.pocket.store import PocketModel

Weights = Mapping[str, np.ndarray]


def write_ct2(translator: PocketModel, names: list[str], folder: Path) -> None:
    """Writes `model.bin`, its vocabulary and configuration; `names` are the tokens in the order of their numbers."""
    from ctranslate2 import specs

    size = translator.about["size"]
    weights = dict(translator.weights)
    # Padding is all zeros, and the last token.
    weights["shared.weight"] = np.pad(weights["shared.weight"], ((0, 1), (0, 0)))
    spec = specs.TransformerSpec.from_config(
        (size["encoder_layers"], size["decoder_layers"]),
        size["heads"],
        pre_norm=False,
        activation=specs.Activation.RELU,
    )
    positions = sinusoids(size["positions"], size["width"])
    for side, name in ((spec.encoder, "encoder"), (spec.decoder, "decoder")):
        side.scale_embeddings = True
        side.position_encodings.encodings = positions
        embeddings = side.embeddings[0] if isinstance(side.embeddings, list) else side.embeddings
        embeddings.weight = weights["shared.weight"]
        for number, layer in enumerate(side.layer):
            _layer(layer, weights, f"{name}.layers.{number}")
    spec.decoder.projection.weight = weights["shared.weight"]
    spec.register_source_vocabulary(names)
    spec.register_target_vocabulary(names)
    spec.config.bos_token, spec.config.eos_token, spec.config.unk_token = "</s>", "</s>", "<unk>"
    spec.config.decoder_start_token = "<pad>"  # noqa: S105 no secret
    spec.validate()
    # The rows are multiples of their scale already: eight bits give the same numbers back.
    spec.optimize(quantization="int8")
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))


def sinusoids(positions: int, width: int) -> np.ndarray:
    """Sines in the first half of the columns, cosines in the second, as Marian has them."""
    column = np.arange(width)
    angle = np.arange(positions)[:, None] / np.power(10_000, 2 * (column // 2) / width)[None, :]
    table: np.ndarray = np.concatenate([np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2])], axis=1).astype(np.float32)
    return table


def _layer(spec: Any, weights: Weights, prefix: str) -> None:  # noqa: ANN401 a class without types
    attention = f"{prefix}.self_attn"
    set_linear(spec.self_attention.linear[0], weights, *(f"{attention}.{one}_proj" for one in "qkv"))
    set_linear(spec.self_attention.linear[1], weights, f"{attention}.out_proj")
    set_norm(spec.self_attention.layer_norm, weights, f"{prefix}.self_attn_layer_norm")
    if hasattr(spec, "attention"):
        attention = f"{prefix}.encoder_attn"
        set_linear(spec.attention.linear[0], weights, f"{attention}.q_proj")
        set_linear(spec.attention.linear[1], weights, *(f"{attention}.{one}_proj" for one in "kv"))
        set_linear(spec.attention.linear[2], weights, f"{attention}.out_proj")
        set_norm(spec.attention.layer_norm, weights, f"{prefix}.encoder_attn_layer_norm")
    set_linear(spec.ffn.linear_0, weights, f"{prefix}.fc1")
    set_linear(spec.ffn.linear_1, weights, f"{prefix}.fc2")
    set_norm(spec.ffn.layer_norm, weights, f"{prefix}.final_layer_norm")


def set_linear(spec: Any, weights: Weights, *names: str) -> None:  # noqa: ANN401 a class without types
    """Dense layers of these names, one below the other."""
    spec.weight = np.concatenate([weights[f"{name}.weight"] for name in names])
    spec.bias = np.concatenate([weights[f"{name}.bias"] for name in names])


def set_norm(spec: Any, weights: Weights, name: str) -> None:  # noqa: ANN401 a class without types
    """The layer norm of this name."""
    spec.gamma, spec.beta = weights[f"{name}.weight"], weights[f"{name}.bias"]
