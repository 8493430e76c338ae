"""The vocabulary of a pocket translator: one sentencepiece model for all languages, numbered as Marian numbers it.

`</s>` and `<unk>` come first, then the pieces, the language tokens, and `<pad>` last, where CTranslate2 wants it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Vocabulary:
    """Pieces and their numbers."""

    model: bytes
    languages: tuple[str, ...]

    def processor(self) -> Any:  # noqa: ANN401 a class without types
        """What cuts texts into pieces."""
        import sentencepiece

        return sentencepiece.SentencePieceProcessor(model_proto=self.model)

    def names(self) -> list[str]:
        """The tokens in the order of their numbers."""
        processor = self.processor()
        pieces = [processor.id_to_piece(number) for number in range(processor.get_piece_size())]
        plain = [piece for piece in pieces if piece not in ("<unk>", "<s>", "</s>")]
        return ["</s>", "<unk>", *plain, *(f">>{language}<<" for language in self.languages), "<pad>"]

    def encode(self, texts: Sequence[str], threads: int = 1) -> list[list[int]]:
        """Numbers of the pieces of each text, without the end."""
        processor = self.processor()
        numbers = {name: number for number, name in enumerate(self.names())}
        unknown = numbers["<unk>"]
        of_pieces = [numbers.get(processor.id_to_piece(piece), unknown) for piece in range(processor.get_piece_size())]
        return [[of_pieces[piece] for piece in pieces] for pieces in processor.encode(list(texts), num_threads=threads)]

    def save(self, folder: Path) -> None:
        """The files of a Marian tokenizer."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("source.spm", "target.spm"):
            (folder / name).write_bytes(self.model)
        numbers = {name: number for number, name in enumerate(self.names())}
        (folder / "vocab.json").write_text(json.dumps(numbers, ensure_ascii=False), encoding="utf-8")
        config = {
            "tokenizer_class": "MarianTokenizer",
            "source_lang": "en",
            "target_lang": None,
            "separate_vocabs": False,
            "model_max_length": 512,
        }
        (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
