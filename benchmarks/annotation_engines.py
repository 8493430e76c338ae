"""The annotator on its two engines: eight bits by CTranslate2, float32 by transformers, on the same words."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from referee.annotate.document import Document
from referee.annotate.pocket.annotator import PocketAnnotator, shipped_lexicon
from referee.annotate.pocket.atoms import ATOM
from referee.annotate.pocket.heads import read_heads
from referee.logs import logger
from referee.pocket import forms, store
from referee.pocket.encoder import open_encoder

FIELDS = ("upos", "feats", "lemma", "head", "deprel")


@dataclass(frozen=True)
class _Output:
    last_hidden_state: np.ndarray


class TransformersEngine:
    """The encoder as transformers runs it, with the method that the annotator calls."""

    def __init__(self, folder: Path) -> None:
        import torch
        from transformers import AutoModel

        torch.set_num_threads(1)
        self._torch = torch
        self._model = AutoModel.from_pretrained(folder, add_pooling_layer=False).eval()

    def forward_batch(self, rows: list[list[int]]) -> _Output:
        with self._torch.no_grad():
            return _Output(self._model(self._torch.tensor(rows)).last_hidden_state.numpy())


def compare_engines(
    annotator: PocketAnnotator, weights: Path | None, samples: Iterable[tuple[str, Iterable[Document]]]
) -> dict[str, Any]:
    """The share of words with the same answer, by language and field."""
    if find_spec("transformers") is None or find_spec("torch") is None:
        logger.warning("transformers is not installed: the engines are not compared")
        return {}
    other = with_transformers(weights)
    figures = {}
    for language, documents in samples:
        given = list(documents)
        figures[language] = agreement(list(annotator.tag(given)), list(other.tag(given)))
        logger.info("%s: %s", language, figures[language])
    return figures


def with_transformers(weights: Path | None) -> PocketAnnotator:
    from referee.pocket.xlmr_form import write_xlmr

    folder = weights or Path(store.__file__).parent / "encoder"
    stored = store.read(folder / store.ENCODER.file, store.ENCODER)
    heads = read_heads(store.read(folder / store.HEADS.file, store.HEADS))
    with tempfile.TemporaryDirectory() as written:
        write_xlmr(stored, forms.encoder_vocabulary(stored), ATOM.pattern, Path(written))
        engine = TransformersEngine(Path(written))
    return PocketAnnotator(replace(open_encoder(stored), engine=engine), heads, shipped_lexicon)


def agreement(ours: list[Document], theirs: list[Document]) -> dict[str, Any]:
    equal = dict.fromkeys(FIELDS, 0)
    words = tags = 0
    values: Counter[bool] = Counter()
    for one, other in zip(ours, theirs, strict=True):
        pairs = [
            (left, right)
            for first, second in zip(one.sentences, other.sentences, strict=True)
            for left, right in zip(first.words, second.words, strict=True)
        ]
        words += len(pairs)
        tags += sum(left.upos == right.upos and left.feats == right.feats for left, right in pairs)
        values.update(same for left, right in pairs for same in same_values(left.feats, right.feats))
        for field in FIELDS:
            equal[field] += sum(getattr(left, field) == getattr(right, field) for left, right in pairs)
    return {"words": words, "tags": tags, **equal, "features": values.total(), "feature values": values[True]}


def same_values(one: str, other: str) -> list[bool]:
    """For each feature that either answer has, whether both have the same value."""
    first, second = (dict(pair.split("=", 1) for pair in feats.split("|") if pair) for feats in (one, other))
    return [first.get(name) == second.get(name) for name in first.keys() | second.keys()]
