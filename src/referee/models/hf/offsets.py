"""Character offsets of the tokens of a text.

Fast tokenizers give them. Those written in Python do not; if they wrap a sentencepiece model (Marian, M2M100), that
model gives the characters of every piece.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.errors import MissingError
from referee.models.hf.tokens import Side, Tokens, encoder
from referee.protocols import Characters


@dataclass(frozen=True)
class TokenOffsets:
    """The tokens of a text and the characters of each: None for a token that is not in it, such as a language code.

    A token that is nothing but a space stands where the word behind it begins.
    """

    tokens: Tokens
    characters: tuple[Characters | None, ...]

    def of(self, start: int, end: int) -> tuple[int, ...]:
        """Which tokens hold any of these characters."""
        return tuple(
            index
            for index, span in enumerate(self.characters)
            if span is not None and span[0] < end and start < span[1]
        )


Locator = Callable[[Sequence[str], Side], list[TokenOffsets | None]]
"""Texts to tokens with offsets; None for a text that holds what looks like a special token."""


def locator(tokenizer: Any) -> Locator:
    """The function that locates the tokens of a tokenizer; a tokenizer without offsets is refused."""
    if tokenizer.is_fast:
        return _fast(tokenizer)
    if type(tokenizer).__name__ == "FSMTTokenizer":
        from referee.models.hf.fsmt import fsmt_locator

        return fsmt_locator(tokenizer)
    if hasattr(tokenizer, "spm_source") or hasattr(tokenizer, "sp_model"):
        return _sentencepiece(tokenizer)
    problem = f"the tokenizer {type(tokenizer).__name__} does not return token offsets"
    raise MissingError(problem, "use a model with a fast or a sentencepiece tokenizer")


def _fast(tokenizer: Any) -> Locator:
    def locate(texts: Sequence[str], side: Side) -> list[TokenOffsets | None]:
        asked = list(texts)
        encodings = (tokenizer(text_target=asked) if side == "target" else tokenizer(asked)).encodings
        return [
            TokenOffsets(
                tuple(encoding.ids),
                tuple(
                    None if special else _word_start(text, *offsets)
                    for special, offsets in zip(encoding.special_tokens_mask, encoding.offsets, strict=True)
                ),
            )
            for text, encoding in zip(texts, encodings, strict=True)
        ]

    return locate


def _sentencepiece(tokenizer: Any) -> Locator:
    from sentencepiece import sentencepiece_pb2

    encode = encoder(tokenizer)
    message: Any = vars(sentencepiece_pb2)["SentencePieceText"]  # made when the module is loaded

    def locate(texts: Sequence[str], side: Side) -> list[TokenOffsets | None]:
        return [in_text(text, tokens, side) for text, tokens in zip(texts, encode(texts, side), strict=True)]

    def in_text(text: str, tokens: Tokens, side: Side) -> TokenOffsets | None:
        model = getattr(tokenizer, "spm_target" if side == "target" else "spm_source", None) or tokenizer.sp_model
        end = len(text) - len(_without_code(tokenizer, text))
        pieces = message.FromString(model.encode(text[end:], out_type="serialized_proto")).pieces
        before = len(tokens) - len(pieces) - 1
        if before not in (0, 1) or tokens[before:-1] != _numbers(tokenizer, [piece.piece for piece in pieces], side):
            return None
        characters: list[Characters | None] = [None] * before
        for piece in pieces:
            # The surfaces of all pieces are the text, but for spaces at its ends.
            start = text.find(piece.surface, end)
            if start < 0 or text[end:start].strip():
                return None
            end = start + len(piece.surface)
            characters.append(_word_start(text, start, end))
        return TokenOffsets(tokens, (*characters, None))

    return locate


def _without_code(tokenizer: Any, text: str) -> str:
    """The text behind a code such as `>>fr<<`, which Marian's tokenizer takes off first."""
    return str(tokenizer.remove_language_code(text)[1]) if hasattr(tokenizer, "remove_language_code") else text


def _numbers(tokenizer: Any, pieces: Sequence[str], side: Side) -> Tokens:
    if side == "target" and getattr(tokenizer, "separate_vocabs", False):
        entries = tokenizer.target_encoder
        return tuple(entries.get(piece, entries[str(tokenizer.unk_token)]) for piece in pieces)
    return tuple(tokenizer.convert_tokens_to_ids(pieces))


def _word_start(text: str, start: int, end: int) -> Characters:
    """The characters of a token; one that is only a space belongs to the word behind it."""
    return (start, end) if text[start:end].strip() else (start, min(end + 1, len(text)))
