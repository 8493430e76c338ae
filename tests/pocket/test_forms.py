"""The shipped translator in the form of an engine: built once, whole, in the user's cache."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import platformdirs
import pytest

from referee.errors import InputError, MissingError
from referee.pocket import forms
from referee.pocket.store import TRANSLATOR, Kind
from tests.support import small_encoder


def test_forms_are_built_once_and_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")
    folder = forms.ct2_folder(forms.shipped(TRANSLATOR))
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert "model.bin" in before
    assert forms.ct2_folder(forms.shipped(TRANSLATOR)) == folder
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert list(folder.parent.iterdir()) == [folder]


def test_the_form_of_transformers_has_weights_and_tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("safetensors")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path)
    folder = forms.marian_folder(forms.shipped(TRANSLATOR))
    names = {path.name for path in folder.iterdir()}
    assert {"model.safetensors", "config.json", "source.spm", "target.spm", "vocab.json"} <= names


def test_the_vocabulary_is_that_of_the_shipped_file() -> None:
    vocabulary = forms.vocabulary(forms.shipped(TRANSLATOR))
    assert len(vocabulary.names()) == forms.shipped(TRANSLATOR).about["size"]["vocabulary"]
    assert vocabulary.names()[-1] == "<pad>"


@pytest.mark.parametrize("fault", ["flipped", "cut", "gone", "empty folder", "record"])
def test_a_damaged_form_heals_itself(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")
    folder = forms.ct2_folder(forms.shipped(TRANSLATOR))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    model = folder / "model.bin"
    whole = model.read_bytes()
    if fault == "empty folder":
        for path in folder.iterdir():
            path.unlink()
    elif fault == "gone":
        model.unlink()
    elif fault == "record":
        (folder / forms.RECORD).write_text("{")
    else:
        half = len(whole) // 2
        flipped = whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :]
        model.write_bytes(flipped if fault == "flipped" else whole[:half])
    assert forms.ct2_folder(forms.shipped(TRANSLATOR)) == folder
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert list(folder.parent.iterdir()) == [folder]
    assert ["is damaged and is built again" in message for message in caplog.messages] in ([True], [])


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("referee.pocket.ct2_form.write_ct2", full)
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\). Free some space"):
        forms.ct2_folder(forms.shipped(TRANSLATOR))
    assert list((tmp_path / "pocket").iterdir()) == []


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")
    with pytest.raises(InputError, match="XDG_CACHE_HOME"):
        forms.ct2_folder(forms.shipped(TRANSLATOR))


def test_the_encoder_is_built_like_the_translator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")
    encoder = small_encoder.stored(tmp_path)
    folder = forms.encoder_ct2_folder(encoder)
    assert {path.name for path in folder.iterdir()} == {"config.json", "model.bin", "vocabulary.json", forms.RECORD}
    (folder / "model.bin").write_bytes(b"")
    assert forms.encoder_ct2_folder(encoder) == folder
    assert (folder / "model.bin").stat().st_size > 1_000
    assert [f"the pocket encoder in {folder} is damaged and is built again"] == caplog.messages


def test_a_missing_model_is_named() -> None:
    with pytest.raises(MissingError, match=r"the bundled nothing\.npz is missing .*Install referee again"):
        forms.shipped(Kind("nothing", "pocket nothing", "nothing", "no.command"))
