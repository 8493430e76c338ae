"""Weights on their way: rounded once, in parts, and whole or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from referee.errors import InputError, MissingError  # noqa: E402
from referee.train.recipes import weights  # noqa: E402

SIZE = {"vocabulary": 10, "width": 8, "positions": 16}


def test_weights_come_back_as_bf16(tmp_path: Path) -> None:
    kept = {"a": torch.randn(3, 4), "b": torch.arange(5.0)}
    weights.save(tmp_path, SIZE, [{"steps": 7}], kept)
    size, stages, read = weights.read(tmp_path)
    assert (size, stages, list(read)) == (SIZE, [{"steps": 7}], ["a", "b"])
    for name, weight in kept.items():
        assert torch.equal(read[name], weight.to(torch.bfloat16).float())


def test_parts_are_small_and_old_ones_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "_PART", 16)
    weights.save(tmp_path, SIZE, [{"steps": 1}], {"a": torch.ones(6), "b": torch.zeros(6), "c": torch.ones(1)})
    assert sorted(path.name for path in tmp_path.glob("*.bin")) == ["weights-1-0.bin", "weights-1-1.bin"]
    weights.save(tmp_path, SIZE, [{"steps": 1}, {"steps": 2}], {"a": torch.ones(6)})
    assert [path.name for path in tmp_path.glob("*.bin")] == ["weights-3-0.bin"]
    assert list(weights.read(tmp_path)[2]) == ["a"]


def test_what_is_cut_off_or_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"weights\.json: does not exist"):
        weights.read(tmp_path)
    weights.save(tmp_path, SIZE, [{"steps": 1}], {"a": torch.ones(6)})
    (part,) = json.loads((tmp_path / "weights.json").read_text())["parts"]
    (tmp_path / part).write_bytes((tmp_path / part).read_bytes()[:-2])
    with pytest.raises(InputError, match=r"is cut off. Save the weights again"):
        weights.read(tmp_path)
