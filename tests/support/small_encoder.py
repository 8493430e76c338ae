"""A pocket encoder of a few random numbers, stored as the shipped one is."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from referee.pocket import store
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.pocket.store import ENCODER, PocketModel

LANGUAGES = ("en", "de", "ru")
TEXTS = [
    f"{start} {noun} {what}."
    for start in ("The old", "I saw the", "Der neue", "It's a", "Это")
    for noun in ("dog", "house", "Hund", "Häuser", "дом", "собака")
    for what in ("is red", "sleeps", "schläft nicht", "don't know", "спит")
]
SIZE = {"width": 16, "inner": 24, "heads": 2, "layers": 2, "positions": 40, "dropout": 0.1}


def pieces(*, add_dummy_prefix: bool = False) -> bytes:
    """A small sentencepiece model, learnt as the recipe learns it."""
    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS),
        model_writer=model,
        vocab_size=60,
        hard_vocab_limit=False,
        model_type="unigram",
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        add_dummy_prefix=add_dummy_prefix,
        num_threads=1,
        minloglevel=2,
    )
    return model.getvalue()


def size(model: bytes) -> dict[str, float]:
    return {"vocabulary": len(EncoderVocabulary(model, LANGUAGES)), **SIZE}


def weights(vocabulary: int) -> dict[str, np.ndarray]:
    chance = np.random.default_rng(1)
    width, inner, positions = 16, 24, 40

    def numbers(*shape: int) -> np.ndarray:
        return chance.normal(scale=0.4, size=shape).astype(np.float32)

    arrays = {
        "head_bias": numbers(vocabulary),
        "words.weight": numbers(vocabulary, width),
        "positions.weight": numbers(positions + 2, width),
    }
    dense = {"head": (width, width)}
    norms = ["embeddings_norm", "head_norm"]
    for layer in range(2):
        for part in ("query", "key", "value", "attention_out"):
            dense[f"layers.{layer}.{part}"] = (width, width)
        dense[f"layers.{layer}.intermediate"] = (inner, width)
        dense[f"layers.{layer}.output"] = (width, inner)
        norms += [f"layers.{layer}.attention_norm", f"layers.{layer}.output_norm"]
    for name, shape in dense.items():
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = numbers(*shape), numbers(shape[0])
    for name in norms:
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = 1 + numbers(width), numbers(width)
    return arrays


def stored(folder: Path) -> PocketModel:
    """Written and read again, as it would be shipped."""
    model = pieces()
    of_model = size(model)
    about = {"size": of_model, "languages": list(LANGUAGES)}
    store.publish(folder, ENCODER, about, model, weights(int(of_model["vocabulary"])), 10**6)
    return store.read(folder / ENCODER.file, ENCODER, store.checksums(folder)[ENCODER.file])
