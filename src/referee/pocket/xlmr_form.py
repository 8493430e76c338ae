"""The pocket encoder in the form of transformers: an XLM-RoBERTa checkpoint in float32, from the same numbers.

Its tokenizer gives the pieces that the annotators use: a text falls into atoms, and each atom into pieces of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from referee.pocket.encoder_ct2_form import EPSILON, OFFSET
from referee.pocket.encoder_vocabulary import BEGIN, END, MASK, PAD, SPECIAL, UNKNOWN, EncoderVocabulary
from referee.pocket.store import PocketModel

_SPACE = "\N{LOWER ONE EIGHTH BLOCK}"
"""What sentencepiece writes for a space."""
_NAMES = {
    "words": "roberta.embeddings.word_embeddings",
    "positions": "roberta.embeddings.position_embeddings",
    "embeddings_norm": "roberta.embeddings.LayerNorm",
    "head": "lm_head.dense",
    "head_norm": "lm_head.layer_norm",
}
_LAYER_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attention_out": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "intermediate": "intermediate.dense",
    "output": "output.dense",
    "output_norm": "output.LayerNorm",
}


def write_xlmr(encoder: PocketModel, vocabulary: EncoderVocabulary, atom: str, folder: Path) -> None:
    """Weights, configuration and tokenizer; `atom` is the pattern of an atom."""
    from safetensors.numpy import save_file

    size = encoder.about["size"]
    weights = {_their_name(name): np.ascontiguousarray(weight) for name, weight in encoder.weights.items()}
    weights["roberta.embeddings.token_type_embeddings.weight"] = np.zeros((1, size["width"]), np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(_config(size), indent=1), encoding="utf-8")
    write_tokenizer(vocabulary, atom, size["positions"], folder)


def write_tokenizer(vocabulary: EncoderVocabulary, atom: str, positions: int, folder: Path) -> None:
    """The files of a tokenizer; a text without a language starts with `<s>`."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    scores = vocabulary.scores()
    tokenizer = Tokenizer(models.Unigram([(name, scores.get(name, 0.0)) for name in vocabulary.names()], UNKNOWN))
    # White space is one space, wherever it is and whatever it consists of. A text begins with one.
    tokenizer.normalizer = normalizers.Replace(Regex(r"[\p{Cc}\s]+"), " ")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement=" ", prepend_scheme="first", split=False),
            pre_tokenizers.Split(Regex(f" ?(?:{atom})"), behavior="removed", invert=True),
            pre_tokenizers.Metaspace(replacement=_SPACE, prepend_scheme="never", split=False),
        ]
    )
    tokenizer.decoder = decoders.Metaspace(replacement=_SPACE, prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> $B </s>",
        special_tokens=[("<s>", BEGIN), ("</s>", END)],
    )
    languages = [f"<{language}>" for language in vocabulary.languages]
    tokenizer.add_special_tokens([*SPECIAL, *languages, AddedToken(MASK, lstrip=True, special=True)])
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": positions,
        "bos_token": "<s>",
        "cls_token": "<s>",
        "eos_token": "</s>",
        "sep_token": "</s>",
        "pad_token": "<pad>",
        "unk_token": "<unk>",
        "mask_token": MASK,
        "additional_special_tokens": languages,
        "clean_up_tokenization_spaces": False,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=1), encoding="utf-8")


def _their_name(name: str) -> str:
    """The name of a weight in `XLMRobertaForMaskedLM`."""
    if name == "head_bias":
        return "lm_head.bias"
    module, _, kind = name.rpartition(".")
    if not module.startswith("layers."):
        return f"{_NAMES[module]}.{kind}"
    _, number, part = module.split(".")
    return f"roberta.encoder.layer.{number}.{_LAYER_NAMES[part]}.{kind}"


def _config(size: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "architectures": ["XLMRobertaForMaskedLM"],
        "model_type": "xlm-roberta",
        "vocab_size": size["vocabulary"],
        "hidden_size": size["width"],
        "num_hidden_layers": size["layers"],
        "num_attention_heads": size["heads"],
        "intermediate_size": size["inner"],
        "hidden_act": "gelu",
        "hidden_dropout_prob": size["dropout"],
        "attention_probs_dropout_prob": 0.0,
        "max_position_embeddings": size["positions"] + OFFSET,
        "type_vocab_size": 1,
        "layer_norm_eps": EPSILON,
        # CTranslate2's own converter asks for this, and newer versions of transformers do not set it.
        "position_embedding_type": "absolute",
        "bos_token_id": BEGIN,
        "pad_token_id": PAD,
        "eos_token_id": END,
        "tie_word_embeddings": True,
        "dtype": "float32",
    }
