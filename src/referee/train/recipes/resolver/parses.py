"""Documents of GUM as the pocket annotator parses them: what the resolver meets when it is used."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.annotate.document import Document
from referee.annotate.pocket.annotator import PocketAnnotator, open_pocket, shipped_lexicon
from referee.annotate.pocket.heads import read_heads
from referee.annotate.protocols import Annotator, SourceText
from referee.errors import UsageError
from referee.pocket import store
from referee.pocket.encoder import open_encoder


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that name an annotator other than the package's own."""
    parser.add_argument("--encoder", type=Path, help="encoder.npz; the package's own by default")
    parser.add_argument("--heads", type=Path, help="heads.npz; the package's own by default")


def parsed(encoder: Path | None, heads: Path | None) -> Callable[[Sequence[Document]], list[Document]]:
    """A function that parses the texts of documents."""
    annotator = _annotator(encoder, heads)

    def parse(documents: Sequence[Document]) -> list[Document]:
        return list(annotator.annotate((SourceText(each.id, each.text) for each in documents), "en"))

    return parse


def _annotator(encoder: Path | None, heads: Path | None) -> Annotator:
    if encoder is None and heads is None:
        return open_pocket()
    if encoder is None or heads is None:
        raise UsageError("--encoder and --heads belong together", "give both, or neither")
    stored = open_encoder(store.read(encoder, store.ENCODER))
    return PocketAnnotator(stored, read_heads(store.read(heads, store.HEADS)), shipped_lexicon)
