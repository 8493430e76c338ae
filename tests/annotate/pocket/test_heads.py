from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from referee.annotate.pocket.heads import Heads, publish_heads, read_heads, write_heads
from referee.annotate.pocket.scripts import LemmaScript, SplitScript
from referee.errors import InputError
from referee.pocket import store
from tests.support.tiny_annotator import about, arrays


def stored(folder: Path) -> Heads:
    return read_heads(store.read(folder / "heads.npz", store.HEADS))


def test_heads_come_back(tmp_path: Path) -> None:
    weights = arrays(8)
    sha256 = write_heads(tmp_path / "heads.npz", about(), weights)
    heads = stored(tmp_path)
    assert heads.sha256 == sha256
    assert heads.about.upos == tuple(about()["upos"])
    assert heads.about.lemma_scripts[2] == LemmaScript(False, 0, "", 1, "en")
    assert heads.about.split_scripts[1] == SplitScript(1, "e", ("le",))
    for name, (whole, scale) in heads.matrices.items():
        assert np.abs(whole * scale[:, None] - weights[name]).max() <= scale.max() / 1.99
    for name, vector in heads.vectors.items():
        assert np.abs(vector - weights[name]).max() <= (0.01 if name == "parts" else 0)
    assert {*heads.matrices, *heads.vectors} == {*weights}


def test_features_keep_the_order_of_their_rows(tmp_path: Path) -> None:
    write_heads(tmp_path / "heads.npz", about(), arrays(8))
    assert [name for name, _ in stored(tmp_path).about.features] == ["Number", "Case", "Gender"]


def test_equal_heads_are_equal_bytes(tmp_path: Path) -> None:
    one, other = (write_heads(tmp_path / name, about(), arrays(8)) for name in ("one.npz", "other.npz"))
    assert one == other


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"upos": ["NOUN"]}, "upos has the shape"),
        ({"deprels": ["root"]}, "label.weight has the shape"),
        ({"features": {"Case": ["Nom", "", *"abcdefgh"]}}, "must be empty"),
        ({"split_scripts": [[1, "e", ["le"]]] * 3}, "must keep the token whole"),
        ({"lemmas": {"en": [0, 7]}}, "lemmas of en are not numbers below 3"),
        ({"marked": {"en": ["Case", "Mood"]}}, "marked of en has features"),
        ({"splits": {"en": [1]}}, "must keep the token whole"),
    ],
)
def test_heads_that_do_not_fit_are_not_written(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write_heads(tmp_path / "heads.npz", about() | change, arrays(8))
    assert not list(tmp_path.iterdir())


def test_a_record_without_its_fields_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(msgspec.ValidationError, match="upos"):
        write_heads(tmp_path / "heads.npz", {key: value for key, value in about().items() if key != "upos"}, arrays(8))


def test_a_missing_array_is_found(tmp_path: Path) -> None:
    weights = arrays(8)
    del weights["root"]
    pairs = {**about(), "features": [["Number", ["", *"abcdefghi"]]]}
    store.write(tmp_path / "heads.npz", store.HEADS, pairs, b"", weights)
    with pytest.raises(InputError, match=r"do not fit each other \(KeyError: 'root'\)"):
        stored(tmp_path)


def test_heads_are_published_with_their_hash(tmp_path: Path) -> None:
    sha256 = publish_heads(tmp_path, about(), arrays(8))
    assert store.checksums(tmp_path) == {"heads.npz": sha256}
    assert stored(tmp_path).sha256 == sha256
