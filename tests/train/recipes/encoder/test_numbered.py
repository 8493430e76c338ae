"""Running text as numbers of pieces."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.annotate.pocket.atoms import atoms
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.train.recipes.encoder import numbered
from referee.train.recipes.encoder.passages import LANGUAGES
from tests.support import small_treebanks

TEXTS = [small_treebanks.sentence(language, number).text for language in LANGUAGES for number in range(5)]


def test_pieces_and_atoms_of_a_text() -> None:
    vocabulary = EncoderVocabulary(small_treebanks.pieces_model(), LANGUAGES)
    for text, one in zip(TEXTS, numbered.number_all(TEXTS, vocabulary.model, 1), strict=True):
        spelled, starts, ends = atoms(text)
        encoded = vocabulary.encode(spelled)
        assert one.pieces.tolist() == [number for part in encoded for number in part]
        assert one.counts.tolist() == list(map(len, encoded))
        assert (one.starts.tolist(), one.ends.tolist()) == (starts, ends)


def test_processes_give_the_same_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbered, "_CHUNK", 7)
    model = small_treebanks.pieces_model()
    alone, shared = (list(numbered.number_all(TEXTS, model, processes)) for processes in (1, 2))
    assert len(alone) == len(shared) == len(TEXTS)
    for one, other in zip(alone, shared, strict=True):
        for left, right in zip(one, other, strict=True):
            np.testing.assert_array_equal(left, right)
