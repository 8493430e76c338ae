"""The file of passages."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import InputError, MissingError
from referee.train.recipes.encoder.passages import Passage, by_language, read, write

PARTS = {
    "train": [Passage("de", "It's a cup.", "Es ist eine Tasse."), Passage("ru", "", "Это\u2028чашка.")],
    "watch": [Passage("fr", "A dog.", "")],
}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write(tmp_path / "text.jsonl.xz", PARTS)
    assert read(tmp_path / "text.jsonl.xz") == PARTS


def test_a_part_that_is_missing_is_named(tmp_path: Path) -> None:
    write(tmp_path / "text.jsonl.xz", {"train": PARTS["train"]})
    with pytest.raises(InputError, match=r"text\.jsonl\.xz: has no passages for watch"):
        read(tmp_path / "text.jsonl.xz")
    with pytest.raises(MissingError):
        read(tmp_path / "none.xz")


def test_texts_of_a_language_are_there_once_and_in_order() -> None:
    passages = [Passage("de", "b", "x"), Passage("fr", "a", "y"), Passage("de", "b", "z"), Passage("de", "", "x")]
    texts = by_language(passages)
    assert texts["en"] == ["b", "a"]
    assert texts["de"] == ["x", "z"]
    assert texts["fr"] == ["y"]
    assert texts["pl"] == []
