"""A BERT of a few random numbers in a folder, with its tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = ["the", "dog", "sleeps", "der", "hund", "sch", "##läft", ".", "x", "y", "es", "is", "##t", "it", "'", "s"]


def saved_bert(folder: Path, layers: int = 9, positions: int = 24) -> str:
    import torch
    import transformers

    tools: Any = transformers

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    tools.BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=True).save_pretrained(folder)
    torch.manual_seed(1)
    config = tools.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=positions,
    )
    tools.BertModel(config).save_pretrained(folder, safe_serialization=True)
    return str(folder)
