"""The form of CTranslate2 holds the stored numbers of the encoder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from referee.pocket.encoder_ct2_form import write_encoder_ct2
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.pocket.store import ENCODER, PocketModel
from tests.support import small_encoder

pytest.importorskip("ctranslate2")
pytest.importorskip("sentencepiece")


@pytest.fixture
def encoder(tmp_path: Path) -> PocketModel:
    return small_encoder.stored(tmp_path)


def names(encoder: PocketModel) -> list[str]:
    return EncoderVocabulary(encoder.pieces, small_encoder.LANGUAGES).names()


def test_the_stored_numbers_are_what_is_in_it(encoder: PocketModel, tmp_path: Path) -> None:
    """Nothing is lost by storing eight bits a second time: the bytes of the rows are in the file as they were."""
    write_encoder_ct2(encoder, names(encoder), tmp_path / "ct2")
    content = (tmp_path / "ct2/model.bin").read_bytes()
    with np.load(tmp_path / ENCODER.file) as stored:
        for name in ("words.weight", "layers.1.query.weight", "layers.0.output.weight"):
            assert stored[name].tobytes() in content
    # Two positions come before the first piece's.
    positions = encoder.weights["positions.weight"]
    assert positions[2:].tobytes() in content
    assert positions[1:].tobytes() not in content


def test_the_numbers_of_the_model_stay_as_they_are(encoder: PocketModel, tmp_path: Path) -> None:
    before = {name: weight.copy() for name, weight in encoder.weights.items()}
    write_encoder_ct2(encoder, names(encoder), tmp_path / "ct2")
    for name, weight in before.items():
        np.testing.assert_array_equal(encoder.weights[name], weight)


def test_tokens_are_named_in_their_order(encoder: PocketModel, tmp_path: Path) -> None:
    write_encoder_ct2(encoder, names(encoder), tmp_path / "ct2")
    assert json.loads((tmp_path / "ct2/vocabulary.json").read_text()) == names(encoder)
    config = json.loads((tmp_path / "ct2/config.json").read_text())
    assert (config["unk_token"], config["layer_norm_epsilon"]) == ("<unk>", 1e-5)


def test_the_same_numbers_are_the_same_bytes(encoder: PocketModel, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_encoder_ct2(encoder, names(encoder), tmp_path / folder)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
