"""The form of CTranslate2 holds the stored numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from referee.pocket.ct2_form import sinusoids, write_ct2
from referee.pocket.store import TRANSLATOR, PocketModel
from tests.support.small_network import NAMES, TARGET, scores, stored

pytest.importorskip("ctranslate2")


@pytest.fixture
def translator(tmp_path: Path) -> PocketModel:
    return stored(tmp_path)


def test_the_stored_numbers_are_what_is_in_it(translator: PocketModel, tmp_path: Path) -> None:
    """Nothing is lost by storing eight bits a second time: the bytes of the rows are in the file as they were."""
    write_ct2(translator, NAMES, tmp_path / "ct2")
    content = (tmp_path / "ct2/model.bin").read_bytes()
    with np.load(tmp_path / TRANSLATOR.file) as stored:
        for name in ("shared.weight", "encoder.layers.1.fc2.weight", "decoder.layers.0.encoder_attn.v_proj.weight"):
            assert stored[name].tobytes() in content
    assert not any(path.suffix == ".npz" for path in (tmp_path / "ct2").iterdir())


def test_tokens_are_named_in_their_order(translator: PocketModel, tmp_path: Path) -> None:
    write_ct2(translator, NAMES, tmp_path)
    assert json.loads((tmp_path / "shared_vocabulary.json").read_text()) == NAMES
    config = json.loads((tmp_path / "config.json").read_text())
    assert (config["eos_token"], config["unk_token"], config["decoder_start_token"]) == ("</s>", "<unk>", "<pad>")


def test_the_same_numbers_are_the_same_bytes(translator: PocketModel, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_ct2(translator, NAMES, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_eight_bits_are_close_to_floats(translator: PocketModel, tmp_path: Path) -> None:
    write_ct2(translator, NAMES, tmp_path)
    found = scores(tmp_path, "int8")
    assert len(found) == len(TARGET) + 1
    np.testing.assert_allclose(found, scores(tmp_path, "float32"), atol=0.3)


def test_positions() -> None:
    table = sinusoids(3, 4)
    by_hand = [[0, 0, 1, 1], [np.sin(1), np.sin(0.01), np.cos(1), np.cos(0.01)]]
    np.testing.assert_allclose(table[:2], by_hand, atol=1e-7)
    assert table.dtype == np.float32
