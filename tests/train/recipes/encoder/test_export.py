"""The exported encoder: what it says of itself, and its pieces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.errors import InputError, MissingError  # noqa: E402
from referee.pocket import store  # noqa: E402
from referee.pocket.encoder_vocabulary import EncoderVocabulary  # noqa: E402
from referee.pocket.store import ENCODER  # noqa: E402
from referee.train.recipes import weights  # noqa: E402
from referee.train.recipes.encoder import export  # noqa: E402
from referee.train.recipes.encoder.vocabulary import PIECES, prepared  # noqa: E402
from tests.support import small_encoder  # noqa: E402
from tests.support.small_translator import called  # noqa: E402


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a training leaves: weights, and pieces that get a space in front."""
    monkeypatch.setattr(export, "LANGUAGES", small_encoder.LANGUAGES)
    pieces = small_encoder.pieces(add_dummy_prefix=True)
    size = small_encoder.size(pieces)
    arrays = small_encoder.weights(int(size["vocabulary"]))
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    weights.save(tmp_path / "trained", size, [{"steps": 3, "loss": 2.1}], tensors)
    (tmp_path / "trained" / PIECES).write_bytes(pieces)
    return tmp_path / "trained"


def test_what_the_file_says_of_itself(trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called(export.main, trained, tmp_path / "out")
    checksum = capsys.readouterr().out.strip()
    assert store.checksums(tmp_path / "out") == {"encoder.npz": checksum}
    encoder = store.read(tmp_path / "out" / ENCODER.file, ENCODER, checksum)
    assert encoder.about["languages"] == list(small_encoder.LANGUAGES)
    assert encoder.about["stages"] == [{"steps": 3, "loss": 2.1}]
    assert encoder.about["licence"] == "CC-BY-SA-4.0"
    learnt = weights.read(trained)[2]
    assert list(encoder.weights) == list(learnt)
    np.testing.assert_allclose(encoder.weights["words.weight"], learnt["words.weight"].numpy(), atol=0.01)


def test_the_same_weights_give_the_same_bytes(trained: Path, tmp_path: Path) -> None:
    assert export.export(trained, tmp_path / "one") == export.export(trained, tmp_path / "two")
    assert (tmp_path / "one/encoder.npz").read_bytes() == (tmp_path / "two/encoder.npz").read_bytes()


def test_pieces_get_no_space_of_their_own(trained: Path, tmp_path: Path) -> None:
    """An atom says itself whether a space precedes it; otherwise nothing changes."""
    before = EncoderVocabulary((trained / PIECES).read_bytes(), small_encoder.LANGUAGES)
    after = EncoderVocabulary(prepared(before.model), small_encoder.LANGUAGES)
    assert after.names() == before.names()
    assert after.encode([" The", " Häuser"]) == before.encode(["The", "Häuser"])
    assert after.encode(["'", "t"]) == [[before.names().index("'")], [before.names().index("t")]]
    assert before.encode(["'"]) != after.encode(["'"])


def test_pieces_of_another_training_are_refused(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "LANGUAGES", ("en", "de"))
    with pytest.raises(InputError, match=r"pieces\.model: expected \d+ tokens, as the weights have, but found \d+"):
        export.export(trained, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_missing_pieces_are_named(trained: Path, tmp_path: Path) -> None:
    (trained / PIECES).unlink()
    with pytest.raises(MissingError, match=r"pieces\.model: does not exist"):
        export.export(trained, tmp_path / "out")


def test_a_file_that_is_too_large_is_not_written(
    trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "LARGEST", 1_000)
    with pytest.raises(InputError, match=r"encoder\.npz: expected at most 1,000 bytes"):
        export.export(trained, tmp_path / "out")
    assert not (tmp_path / "out").exists()
