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
    if type(tokenizer).__name__ == "FSMTTokenizer":
        from referee.models.hf.fsmt import fsmt_encoder

        return fsmt_encoder(tokenizer)
    pieces_of = _marian(tokenizer) if type(tokenizer).__name__ == "MarianTokenizer" else None

    def encode(texts: Sequence[str], side: Side) -> list[Tokens]:
        encoded: list[Tokens | None] = [None] * len(texts)
        if pieces_of is not None:
            encoded = pieces_of(texts, side)
        rest = [index for index, tokens in enumerate(encoded) if tokens is None]
        if rest:
            others = [texts[index] for index in rest]
            by_tokenizer = tokenizer(text_target=others) if side == "target" else tokenizer(others)
            for index, tokens in zip(rest, by_tokenizer.input_ids, strict=True):
                encoded[index] = tuple(tokens)
        return [tokens for tokens in encoded if tokens is not None]

    return encode


def _marian(tokenizer: Any) -> Callable[[Sequence[str], Side], list[Tokens | None]]:
    special = tuple(tokenizer.added_tokens_encoder)

    @cache
    def vocabulary(side: Side) -> tuple[Any, dict[str, int], list[int]]:
        """The sentencepiece model of a side, its vocabulary, and what the model's numbers are called there."""
        model = tokenizer.spm_target if side == "target" else tokenizer.spm_source
        separate = side == "target" and tokenizer.separate_vocabs
        entries: dict[str, int] = tokenizer.target_encoder if separate else tokenizer.encoder
        unknown = entries[str(tokenizer.unk_token)]
        ids = [entries.get(model.id_to_piece(piece), unknown) for piece in range(model.get_piece_size())]
        return model, entries, ids

    def encode(texts: Sequence[str], side: Side) -> list[Tokens | None]:
        model, entries, ids = vocabulary(side)
        unknown, end = model.unk_id(), tokenizer.eos_token_id
        encoded: list[Tokens | None] = []
        coded = [_language_code(text) for text in texts]
        for (code, text), pieces in zip(coded, model.encode([text for _, text in coded], out_type=int), strict=True):
            # A piece that the model does not know may still stand in the vocabulary, under its letters.
            plain = unknown not in pieces and not any(token in text for token in special)
            if plain and (not code or code in entries):
                first = [entries[code]] if code else []
                encoded.append((*first, *[ids[piece] for piece in pieces], end))
            else:
                encoded.append(None)
        return encoded

    return encode


def _language_code(text: str) -> tuple[str, str]:
    """A code such as `>>fr<<` that a text begins with, and the rest."""
    end = text.find("<<") + 2 if text.startswith(">>") else 0
    return (text[:end], text[end:]) if end > 2 else ("", text)
