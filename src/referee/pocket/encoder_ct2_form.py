"""The pocket encoder in the form of CTranslate2, built from its numbers with nothing but numpy."""

from __future__ import annotations

from pathlib import Path

from referee.pocket.ct2_form import set_linear, set_norm
from referee.pocket.store import PocketModel

OFFSET = 2
"""The number of the first position: XLM-RoBERTa counts from one more than its padding's number."""
EPSILON = 1e-5


def write_encoder_ct2(encoder: PocketModel, names: list[str], folder: Path) -> None:
    """Writes `model.bin`, its vocabulary and configuration; `names` are the tokens in the order of their numbers."""
    from ctranslate2 import specs

    size, weights = encoder.about["size"], encoder.weights
    body = specs.TransformerEncoderSpec(
        size["layers"],
        size["heads"],
        pre_norm=False,
        activation=specs.Activation.GELU,
        layernorm_embedding=True,
    )
    body.scale_embeddings = False
    # CTranslate2 rounds the numbers where they are: those of the model must stay.
    body.embeddings[0].weight = weights["words.weight"].copy()
    # CTranslate2 counts positions from 0.
    body.position_encodings.encodings = weights["positions.weight"][OFFSET:]
    set_norm(body.layernorm_embedding, weights, "embeddings_norm")
    for number, layer in enumerate(body.layer):
        prefix = f"layers.{number}"
        set_linear(layer.self_attention.linear[0], weights, *(f"{prefix}.{one}" for one in ("query", "key", "value")))
        set_linear(layer.self_attention.linear[1], weights, f"{prefix}.attention_out")
        set_norm(layer.self_attention.layer_norm, weights, f"{prefix}.attention_norm")
        set_linear(layer.ffn.linear_0, weights, f"{prefix}.intermediate")
        set_linear(layer.ffn.linear_1, weights, f"{prefix}.output")
        set_norm(layer.ffn.layer_norm, weights, f"{prefix}.output_norm")
    spec = specs.TransformerEncoderModelSpec(body)
    spec.register_vocabulary(names)
    spec.config.unk_token, spec.config.layer_norm_epsilon = "<unk>", EPSILON
    spec.validate()
    # The rows are multiples of their scale already: eight bits give the same numbers back.
    spec.optimize(quantization="int8")
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))
