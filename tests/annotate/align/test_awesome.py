"""awesome-align's method on a tiny encoder, against the formula computed piece by piece."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from referee.annotate.align.awesome import LAYER, THRESHOLD, AwesomeAligner, open_awesome
from referee.annotate.align.links import Link
from referee.annotate.protocols import Aligner
from referee.errors import RefereeError
from tests.support.small_aligner import pair
from tests.support.tiny_bert import saved_bert

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def aligner(tmp_path_factory: pytest.TempPathFactory) -> AwesomeAligner:
    return open_awesome(saved_bert(tmp_path_factory.mktemp("bert")))


def by_hand(aligner: AwesomeAligner, source: list[str], target: list[str]) -> set[Link]:
    """The published method for one pair, with numpy."""
    vectors, owners = [], []
    for words in (source, target):
        encoded = aligner.tokenizer(words, is_split_into_words=True, return_tensors="pt")
        owners.append(encoded.word_ids()[1:-1])
        with torch.no_grad():
            states = aligner.encoder(**encoded, output_hidden_states=True).hidden_states[LAYER]
        vectors.append(states[0, 1:-1].numpy().astype(np.float64))
    powers = np.exp(vectors[0] @ vectors[1].T)
    shares = powers / powers.sum(axis=1, keepdims=True), powers / powers.sum(axis=0, keepdims=True)
    places = np.argwhere((shares[0] > THRESHOLD) & (shares[1] > THRESHOLD))
    return {(owners[0][i], owners[1][j]) for i, j in places}


def test_links_are_those_of_the_method(aligner: AwesomeAligner) -> None:
    assert isinstance(aligner, Aligner)
    assert aligner.name.startswith("awesome-align:")
    (links,) = aligner.align([pair("The dog sleeps.", "Der Hund schläft.")], "en", "de")
    assert set(links) == by_hand(aligner, ["The", "dog", "sleeps", "."], ["Der", "Hund", "schläft", "."])
    assert links == tuple(sorted(links))
    assert links


def test_empty_and_unknown_words(aligner: AwesomeAligner) -> None:
    assert aligner.align([pair("", "x"), pair("\u200b", "x"), pair("🜁", "🜂")], "en", "de") == [(), ((0, 0),), ((0, 0),)]


def test_sentences_longer_than_the_encoder_are_counted(
    aligner: AwesomeAligner, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "referee"):
        (links,) = aligner.align([pair("dog " * 40, "Hund")], "en", "de")
    assert max(i for i, _ in links) < 24
    assert "1 pairs are longer than the encoder; their ends are not aligned" in caplog.text


def test_a_shallow_encoder_gives_its_last_layer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "referee"):
        assert open_awesome(saved_bert(tmp_path, layers=2)).layer == 2
    assert "the last one is used instead of layer 8" in caplog.text


def test_an_encoder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match=r"cannot be opened .*awesome-align:FOLDER"):
        open_awesome(str(tmp_path / "nothing"))
