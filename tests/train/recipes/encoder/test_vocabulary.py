"""Pieces that are learned on the spot."""

from __future__ import annotations

import pytest

pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.annotate.pocket.atoms import atoms
from referee.errors import UsageError
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.train.recipes.encoder import vocabulary
from referee.train.recipes.encoder.passages import LANGUAGES
from tests.support import small_treebanks


def test_the_size_counts_all_tokens() -> None:
    assert len(EncoderVocabulary(small_treebanks.pieces_model(), LANGUAGES)) == small_treebanks.VOCABULARY


def test_nothing_is_normalised_and_no_space_is_added() -> None:
    pieces = EncoderVocabulary(small_treebanks.pieces_model(), LANGUAGES)
    text = "Der  Hund schläft zum Tisch."
    spelled = atoms(text)[0]
    names = pieces.names()
    again = [
        "".join(names[number] for number in part).replace("\N{LOWER ONE EIGHTH BLOCK}", " ")
        for part in pieces.encode(spelled)
    ]
    assert again == spelled
    assert max(map(len, pieces.encode(spelled))) > 1


def test_scores_are_rounded() -> None:
    scores = EncoderVocabulary(small_treebanks.pieces_model(), LANGUAGES).scores().values()
    assert all((score * 2**12).is_integer() for score in scores)
    assert any(not score.is_integer() for score in scores)


def test_the_sample_of_a_language_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "SAMPLE", 300)
    texts = {"de": ["aa bb"] * 60, "en": [f"word{number} zz" for number in range(2_000)]}
    limited = EncoderVocabulary(vocabulary.learn(texts, 60, threads=1), ("de", "en"))
    whole = {"de": texts["de"], "en": [*texts["en"], "Q" * 50]}
    monkeypatch.setattr(vocabulary, "SAMPLE", 10**6)
    assert "Q" in "".join(EncoderVocabulary(vocabulary.learn(whole, 60, threads=1), ("de", "en")).names())
    assert "Q" not in "".join(limited.names())


def test_more_tokens_than_16_bits_are_refused() -> None:
    with pytest.raises(UsageError, match=r"40,000 tokens is too large"):
        vocabulary.learn({"de": ["a"]}, 40_000)
