"""The vocabulary of the pocket encoder: one sentencepiece model for all languages, numbered as XLM-RoBERTa numbers it.

`<s>`, `<pad>`, `</s>` and `<unk>` come first, then the pieces, a token per language (`<de>`), and `<mask>` last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

BEGIN, PAD, END, UNKNOWN = range(4)
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
MASK = "<mask>"
_OWN = 3
"""Tokens of sentencepiece before its pieces: `<unk>`, `<s>`, `</s>`."""


@dataclass(frozen=True)
class EncoderVocabulary:
    """Pieces and their numbers."""

    model: bytes
    languages: tuple[str, ...]

    @cached_property
    def processor(self) -> Any:  # noqa: ANN401 a class without types
        """What cuts texts into pieces."""
        import sentencepiece

        return sentencepiece.SentencePieceProcessor(model_proto=self.model)

    def __len__(self) -> int:
        return len(SPECIAL) + int(self.processor.get_piece_size()) - _OWN + len(self.languages) + 1

    def names(self) -> list[str]:
        """The tokens in the order of their numbers."""
        pieces = [self.processor.id_to_piece(number) for number in range(_OWN, self.processor.get_piece_size())]
        return [*SPECIAL, *pieces, *(f"<{language}>" for language in self.languages), MASK]

    def scores(self) -> dict[str, float]:
        """The log-probability of each piece."""
        numbers = range(_OWN, self.processor.get_piece_size())
        return {self.processor.id_to_piece(number): self.processor.get_score(number) for number in numbers}

    @property
    def mask(self) -> int:
        """The number of the mask."""
        return len(self) - 1

    def language(self, language: str) -> int:
        """The number of a language's token."""
        return self.mask - len(self.languages) + self.languages.index(language)

    def encode(self, spelled: Sequence[str]) -> list[list[int]]:
        """Numbers of the pieces of each part of a text; a part says itself whether a space precedes it."""
        # Sentencepiece has three tokens where XLM-RoBERTa has four: everything but <unk> moves by one.
        return [
            [piece + 1 if piece else UNKNOWN for piece in pieces] for pieces in self.processor.encode(list(spelled))
        ]
