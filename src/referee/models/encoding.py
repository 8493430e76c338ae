"""Texts to tokens, many at a time.

Marian's tokenizer is written in Python and takes longer than a GPU does for the rest. Its work is a sentencepiece model
and a vocabulary: for texts without special tokens both can be asked directly, with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

Tokens = tuple[int, ...]
Side = Literal["source", "target"]
Encoder = Callable[[Sequence[str], Side], list[Tokens]]


def encoder(tokenizer: Any) -> Encoder:
    """The fastest way there is to do what the tokenizer does."""
    pieces_of = _marian(tokenizer) if type(tokenizer).__name__ == "MarianTokenizer" else None

    def encode(texts: Sequence[str], side: Side) -> list[Tokens]:
        found: list[Tokens | None] = [None] * len(texts)
        if pieces_of is not None:
            found = pieces_of(texts, side)
        rest = [place for place, tokens in enumerate(found) if tokens is None]
        if rest:
            asked = [texts[place] for place in rest]
            encoded = tokenizer(text_target=asked) if side == "target" else tokenizer(asked)
            for place, tokens in zip(rest, encoded.input_ids, strict=True):
                found[place] = tuple(tokens)
        return [tokens for tokens in found if tokens is not None]

    return encode


def _marian(tokenizer: Any) -> Callable[[Sequence[str], Side], list[Tokens | None]]:
    special = tuple(tokenizer.added_tokens_encoder)

    @cache
    def vocabulary(side: Side) -> tuple[Any, list[int]]:
        """The sentencepiece model of a side, and what its numbers are called in the vocabulary."""
        model = tokenizer.spm_target if side == "target" else tokenizer.spm_source
        entries = tokenizer.target_encoder if side == "target" and tokenizer.separate_vocabs else tokenizer.encoder
        unknown = entries[str(tokenizer.unk_token)]
        return model, [entries.get(model.id_to_piece(piece), unknown) for piece in range(model.get_piece_size())]

    def encode(texts: Sequence[str], side: Side) -> list[Tokens | None]:
        model, ids = vocabulary(side)
        unknown, end = model.unk_id(), tokenizer.eos_token_id
        found: list[Tokens | None] = []
        for text, pieces in zip(texts, model.encode(list(texts), out_type=int), strict=True):
            # A piece that the model does not know may still stand in the vocabulary, under its letters.
            plain = not text.startswith(">>") and unknown not in pieces and not any(token in text for token in special)
            found.append((*[ids[piece] for piece in pieces], end) if plain else None)
        return found

    return encode
