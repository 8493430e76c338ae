"""FSMT models (facebook/wmt19-en-de): Moses words, BPE, a vocabulary for each side, and no language codes.

The tokenizer of transformers reads targets as if they were sources, so both sides are read here. The decoder cannot
take several tokens after a cache, so nothing is shared between targets; and it looks ahead unless it gets `input_ids`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from referee.models.hf.offsets import Locator, TokenOffsets
from referee.models.hf.tokens import Encoder, Side, Tokens
from referee.protocols import Characters

Reader = Callable[[str, Side], list[tuple[str, tuple[str, ...]]]]
Numbering = Callable[[Sequence[str], Side], Tokens]

_END_OF_WORD = "</w>"
_DASH = "@-@"
"""What Moses makes of a dash between words."""
_ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|#124|#91|#93);|.", re.DOTALL)


def is_fsmt(model: Any) -> bool:
    """Whether a network is one of this family."""
    return bool(model.config.model_type == "fsmt")


def decoder_options(model: Any, inputs: Any) -> dict[str, Any]:
    """Further arguments for a pass of the decoder: a network of this family is causal only if it gets `input_ids`."""
    return {"input_ids": inputs} if is_fsmt(model) else {}


def source_embeddings(model: Any) -> Any:
    """The module that embeds the tokens of a source, which not every encoder names in the same way."""
    return model.get_encoder().embed_tokens if is_fsmt(model) else model.get_encoder().get_input_embeddings()


def fsmt_encoder(tokenizer: Any) -> Encoder:
    """Texts to tokens, by the language and the vocabulary of their side."""
    read, numbers = _reader(tokenizer), _numbering(tokenizer)

    def encode(texts: Sequence[str], side: Side) -> list[Tokens]:
        return [numbers([piece for _, pieces in read(text, side) for piece in pieces], side) for text in texts]

    return encode


def fsmt_locator(tokenizer: Any) -> Locator:
    """Texts to tokens with offsets: words are found in the normalised text, and that is aligned with the text."""
    read, numbers = _reader(tokenizer), _numbering(tokenizer)

    def in_text(text: str, side: Side) -> TokenOffsets | None:
        normal = _normalised(tokenizer, text, side)
        back = _origins(text, normal)
        words = read(text, side)
        characters: list[Characters | None] = []
        end = 0
        for word, pieces in words:
            surface, places = _surface(word)
            start = normal.find(surface, end)
            if start < 0 or normal[end:start].strip():
                return None
            end = start + len(surface)
            characters += [(back[start + first][0], back[start + last][1]) for first, last in _spans(pieces, places)]
        tokens = numbers([piece for _, pieces in words for piece in pieces], side)
        return TokenOffsets(tokens, (*characters, None))

    return lambda texts, side: [in_text(text, side) for text in texts]


def _reader(tokenizer: Any) -> Reader:
    """A function from a text to its Moses words, each with its pieces."""

    @cache
    def pieces_of(word: str) -> tuple[str, ...]:
        return tuple(tokenizer.bpe(word).split(" "))

    def read(text: str, side: Side) -> list[tuple[str, tuple[str, ...]]]:
        words = tokenizer.moses_tokenize(_normalised(tokenizer, text, side), lang=_language(tokenizer, side))
        return [(word, pieces_of(word)) for word in words if word]

    return read


def _normalised(tokenizer: Any, text: str, side: Side) -> str:
    text = text.lower() if tokenizer.do_lower_case else text
    return str(tokenizer.moses_pipeline(text, lang=_language(tokenizer, side)))


def _language(tokenizer: Any, side: Side) -> str:
    return str(tokenizer.tgt_lang if side == "target" else tokenizer.src_lang)


def _numbering(tokenizer: Any) -> Numbering:
    """A function from pieces to tokens, the end included, by the vocabulary of a side."""
    targets = {piece: number for number, piece in tokenizer.decoder.items()}

    def numbers(pieces: Sequence[str], side: Side) -> Tokens:
        entries = targets if side == "target" else tokenizer.encoder
        unknown, end = entries[str(tokenizer.unk_token)], entries[str(tokenizer.sep_token)]
        return (*(entries.get(piece, unknown) for piece in pieces), end)

    return numbers


def _surface(word: str) -> tuple[str, list[int]]:
    """The characters that a word stands for, and for each of its own characters which of them it is part of."""
    if word == _DASH:
        return "-", [0, 0, 0]
    parts = _ESCAPED.findall(word)
    names = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}
    names |= {"&#124;": "|", "&#91;": "[", "&#93;": "]"}
    places = [index for index, part in enumerate(parts) for _ in part]
    return "".join(names.get(part, part) for part in parts), places


def _spans(pieces: Sequence[str], places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last character of the surface that each piece holds some of."""
    start = 0
    for piece in pieces:
        end = start + len(piece.removesuffix(_END_OF_WORD))
        yield places[start], places[end - 1]
        start = end


def _origins(text: str, normal: str) -> list[Characters]:
    """The characters of the text that each character of its normalised form comes from."""
    if text == normal:
        return [(index, index + 1) for index in range(len(text))]
    back: list[Characters] = [(0, 0)] * len(normal)
    for kind, first, last, start, end in SequenceMatcher(None, text, normal, autojunk=False).get_opcodes():
        block = text[first:last]
        # What was replaced as a whole stands where it stood, without the spaces around it.
        whole = (last - len(block.lstrip()), first + len(block.rstrip())) if block.strip() else (first, last)
        for offset in range(end - start):
            back[start + offset] = (first + offset, first + offset + 1) if kind == "equal" else whole
    return back
