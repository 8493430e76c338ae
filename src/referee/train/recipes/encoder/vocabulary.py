"""Pieces of the encoder, learned from as much text of each language, in the form that is shipped."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping, Sequence
from typing import Any

from referee.errors import UsageError

SAMPLE = 3_000_000
"""Characters of a language that the pieces are learned from."""
PIECES = "pieces.model"
_MOST = 2**15
"""Tokens that 16 bits can number, as the prepared text does."""
_FINENESS = 2**12
"""Steps between two whole numbers that scores are rounded to: sums below 2,048 are exact in 24 bits."""


def learn(texts: Mapping[str, Sequence[str]], size: int, threads: int = 4, seed: int = 1) -> bytes:
    """Learn a sentencepiece model of the texts by language; `size` counts all tokens of the encoder."""
    import sentencepiece

    if size > _MOST:
        raise UsageError(f"a vocabulary of {size:,} tokens is too large", f"choose at most {_MOST:,}")

    sample: list[str] = []
    for language in sorted(texts):
        chosen = list(texts[language])
        random.Random(seed).shuffle(chosen)  # noqa: S311 no secret
        left = SAMPLE
        for text in chosen:
            sample.append(text)
            left -= len(text)
            if left < 0:
                break
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sample),
        model_writer=model,
        vocab_size=size - len(texts) - 2,
        hard_vocab_limit=False,
        model_type="unigram",
        character_coverage=0.9999,
        # Annotations are mapped to characters: nothing may be normalised away.
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        split_digits=True,
        max_sentence_length=4_000,
        num_threads=threads,
        minloglevel=2,
    )
    return prepared(model.getvalue())


def prepared(pieces: bytes) -> bytes:
    """The same sentencepiece model as it is shipped: it adds no space, and its scores are rounded.

    Atoms are spelled with their space. Sums of rounded scores are exact, so two ways to cut a word that are equally
    probable are so in every library, whether it adds in 32 bits or in 64.
    """
    from sentencepiece import sentencepiece_model_pb2

    model: Any = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    model.ParseFromString(pieces)
    model.normalizer_spec.add_dummy_prefix = False
    for piece in model.pieces:
        piece.score = round(piece.score * _FINENESS) / _FINENESS
    return bytes(model.SerializeToString(deterministic=True))
