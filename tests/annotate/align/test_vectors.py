from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.align.pocket import PocketAligner
from referee.annotate.align.vectors import Projection, TokenVectors
from referee.annotate.pocket.pieces import END
from referee.annotate.protocols import Tokens
from tests.support.small_aligner import tokenised

pytest.importorskip("ctranslate2")


@pytest.fixture
def vectors(aligner: PocketAligner) -> TokenVectors:
    return aligner.vectors


def test_the_encoder_ends_at_the_layer(vectors: TokenVectors, aligner: PocketAligner) -> None:
    assert vectors.encoder.sha256 != aligner.version
    assert vectors.supports("de")
    assert not vectors.supports("fr")


def test_a_token_is_the_mean_of_its_pieces(vectors: TokenVectors) -> None:
    sentence = tokenised("The dog's", "en")
    numbers, counts = vectors.pieces.encode([" The", " dog", "'", "s"])
    (states,) = vectors.encoder.forward([[vectors.pieces.language("en"), *numbers.tolist(), END]])
    borders = np.cumsum([1, *counts]).tolist()
    expected = [states[borders[0] : borders[1]], states[borders[1] : borders[2]], states[borders[2] : borders[4]]]
    (means,) = vectors.means([sentence], "en")
    assert sentence.spans == ((0, 3), (4, 7), (7, 9))
    assert np.allclose(means, [part.mean(axis=0) for part in expected], atol=1e-5)


def test_tokens_inside_an_atom_and_tokens_without_letters(vectors: TokenVectors) -> None:
    (means,) = vectors.means([Tokens("gonna  x", ((0, 3), (3, 5), (5, 7), (7, 8), (8, 8)))], "en")
    assert np.array_equal(means[0], means[1])
    assert not means[2].any()
    assert means[3].any()
    assert not means[4].any()


def test_a_sentence_depends_on_no_other(vectors: TokenVectors) -> None:
    sentences = [tokenised(text, "en") for text in ("The dog sleeps.", "", "It's a house. " * 9, "The red dog.")]
    together = vectors.of(sentences, "en")
    for sentence, of_sentence in zip(sentences, together, strict=True):
        assert np.array_equal(vectors.of([sentence], "en")[0], of_sentence)
    assert together[1].shape == (0, 8)
    assert len(together[2]) == len(sentences[2].spans)
    assert np.allclose(np.linalg.norm(together[0], axis=1), 1, atol=1e-5)


def test_no_projection_leaves_vectors_as_they_are() -> None:
    given = np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)
    assert Projection.none(2).of(given).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 0]]
