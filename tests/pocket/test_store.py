"""The file of a pocket model: what goes in comes out, and nothing that was changed gets in."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from referee.errors import InputError, MissingError
from referee.pocket import store
from referee.pocket.store import ENCODER, HEADS, TRANSLATOR, Kind

ABOUT = {"languages": ["de", "fr"], "size": {"width": 4}, "stages": [{"steps": 3, "note": "é"}]}
PIECES = b"\0\1pieces\xff"


def weights() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(1)
    return {
        "shared.weight": chance.normal(size=(6, 4)).astype(np.float32),
        "layer.weight": np.array([[0.0, 0.0], [-3.0, 1.5]], np.float32),
        "layer.bias": np.array([0.1, -0.2], np.float32),
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    store.write(tmp_path / TRANSLATOR.file, TRANSLATOR, ABOUT, PIECES, weights())
    return tmp_path / TRANSLATOR.file


def repacked(path: Path, **changed: np.ndarray | None) -> Path:
    """The same archive with some arrays changed, or left out where None."""
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files} | changed
    content = io.BytesIO()
    np.savez(content, **{name: array for name, array in arrays.items() if array is not None})
    path.write_bytes(content.getvalue())
    return path


def test_what_was_written_is_read(path: Path) -> None:
    found = store.read(path, TRANSLATOR)
    assert (found.about, found.pieces) == (ABOUT, PIECES)
    assert list(found.weights) == list(weights())
    for name, weight in weights().items():
        assert found.weights[name].dtype == np.float32
        # Half of the 127th part of a row's largest number.
        largest = np.abs(weight).max(axis=-1, keepdims=True)
        assert np.all(np.abs(found.weights[name] - weight) <= largest / 254 + 1e-7)
    np.testing.assert_array_equal(found.weights["layer.bias"], weights()["layer.bias"])
    np.testing.assert_array_equal(found.weights["layer.weight"][0], [0, 0])


def test_stored_numbers_are_kept_when_stored_again(path: Path, tmp_path: Path) -> None:
    found = store.read(path, TRANSLATOR)
    store.write(tmp_path / "again.npz", TRANSLATOR, ABOUT, PIECES, found.weights)
    for name, weight in store.read(tmp_path / "again.npz", TRANSLATOR).weights.items():
        np.testing.assert_allclose(weight, found.weights[name], rtol=1e-6)
    whole, scale = store.quantised(found.weights["shared.weight"])
    assert np.abs(whole).max(axis=1).tolist() == [127] * 6
    np.testing.assert_allclose(whole * scale[:, None], found.weights["shared.weight"], rtol=1e-6)


def test_the_same_numbers_are_the_same_bytes(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 86_400)
    digest = store.write(tmp_path / "later.npz", TRANSLATOR, dict(reversed(ABOUT.items())), PIECES, weights())
    assert (tmp_path / "later.npz").read_bytes() == path.read_bytes()
    assert digest == store.read(path, TRANSLATOR).sha256


def test_another_file_than_the_checksum_names_is_refused(path: Path) -> None:
    right = store.read(path, TRANSLATOR).sha256
    assert store.read(path, TRANSLATOR, right).sha256 == right
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match="differs from the bundled file"):
        store.read(path, TRANSLATOR, right)


@pytest.mark.parametrize("length", [0, 1, 100, -1, -200])
def test_a_cut_off_file_is_refused(path: Path, length: int) -> None:
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(InputError, match="is not a pocket translator"):
        store.read(path, TRANSLATOR)


@pytest.mark.parametrize("content", [b"hello", b"PK\x03\x04 nothing", b"\x80\x04N."])
def test_what_is_no_archive_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a pocket translator"):
        store.read(path, TRANSLATOR)


def test_every_damaged_byte_of_the_data_is_noticed(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo("shared.weight.npy").header_offset + 200
    content = bytearray(path.read_bytes())
    content[place] ^= 255
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a pocket translator"):
        store.read(path, TRANSLATOR)


class Trap:
    """Says so if it is ever unpickled."""

    sprung = False

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return setattr, (Trap, "sprung", True)


@pytest.mark.parametrize("name", ["about", "layer.bias", "anything"])
def test_nothing_is_unpickled(path: Path, name: str) -> None:
    repacked(path, **{name: np.array([Trap()], dtype=object)})
    with pytest.raises(InputError, match="allow_pickle=False"):
        store.read(path, TRANSLATOR)
    assert not Trap.sprung


@pytest.mark.parametrize("name", ["about", "pieces", "shared.weight.scale"])
def test_a_missing_part_is_refused(path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"is not a pocket translator.*{name}"):
        store.read(repacked(path, **{name: None}), TRANSLATOR)


def test_a_missing_file_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="does not exist"):
        store.read(tmp_path / "no.npz", TRANSLATOR)


@pytest.mark.parametrize("kind", [ENCODER, HEADS])
def test_every_kind_is_written_and_read_the_same_way(kind: Kind, tmp_path: Path) -> None:
    store.write(tmp_path / kind.file, kind, ABOUT, b"", weights())
    found = store.read(tmp_path / kind.file, kind)
    assert (found.kind, found.about, found.pieces) == (kind, {**ABOUT, "kind": kind.name}, b"")
    assert list(found.weights) == list(weights())


def test_another_kind_is_refused_by_name(path: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a pocket encoder \(the file says 'translator'\)"):
        store.read(path, ENCODER)
    store.write(tmp_path / "h.npz", HEADS, ABOUT, b"", weights())
    with pytest.raises(InputError, match=r"is not a pocket encoder .*Give a file .*recipes\.encoder\.export"):
        store.read(tmp_path / "h.npz", ENCODER)
    (tmp_path / "h.npz").write_bytes(b"nothing")
    with pytest.raises(InputError, match="is not a file of pocket heads"):
        store.read(tmp_path / "h.npz", HEADS)


def test_what_is_published_is_listed_with_its_hash(tmp_path: Path) -> None:
    assert store.checksums(tmp_path) == {}
    first = store.publish(tmp_path, HEADS, ABOUT, b"", weights(), 10**6)
    encoder = store.publish(tmp_path, ENCODER, ABOUT, PIECES, weights(), 10**6)
    assert store.checksums(tmp_path) == {"heads.npz": first, "encoder.npz": encoder}
    second = store.publish(tmp_path, HEADS, {"size": 1}, b"", weights(), 10**6)
    assert (tmp_path / store.CHECKSUM).read_text() == f"{encoder}  encoder.npz\n{second}  heads.npz\n"
    assert store.read(tmp_path / "heads.npz", HEADS, second).sha256 == second != first


def test_what_is_too_large_is_not_published(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"heads\.npz: expected at most 100 bytes, but found [\d,]+"):
        store.publish(tmp_path, HEADS, ABOUT, b"", weights(), 100)
    assert list(tmp_path.iterdir()) == []
