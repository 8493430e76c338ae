"""A RoBERTa with one small layer, random weights and the letters as its vocabulary, for tools that load one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def letters_config(path: Path) -> Any:
    """Write the tokenizer; returns the configuration of a network for it."""
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import RobertaConfig, RobertaTokenizerFast

    tokens = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet())]
    (path / "vocab.json").write_text(json.dumps({token: number for number, token in enumerate(tokens)}))
    (path / "merges.txt").write_text("#version: 0.2\n")
    files: dict[str, Any] = {"vocab_file": str(path / "vocab.json"), "merges_file": str(path / "merges.txt")}
    RobertaTokenizerFast(**files, add_prefix_space=True).save_pretrained(path)
    return RobertaConfig(
        vocab_size=len(tokens), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=520, pad_token_id=1,
    )  # fmt: skip
