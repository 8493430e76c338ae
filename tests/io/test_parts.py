"""Pieces of long work: whole, damaged, lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import RunError
from referee.io.parts import Parts

CHUNK = [1, 2, 3]


@pytest.fixture
def parts(tmp_path: Path) -> Parts[list[int]]:
    return Parts(tmp_path / "parts", list[int])


def test_a_piece_comes_back(parts: Parts[list[int]]) -> None:
    assert parts.read("0") is None
    parts.write("0", CHUNK)
    assert parts.read("0") == parts.require("0") == CHUNK
    parts.write("0", [4])
    assert parts.read("0") == [4]


def test_a_damaged_piece_does_not_count(parts: Parts[list[int]]) -> None:
    parts.write("0", CHUNK)
    (path,) = parts.folder.iterdir()
    whole = path.read_bytes()
    damaged = [b"", whole[:10], whole[:-1], whole + b"x", whole[::-1]]
    damaged += [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in range(len(whole))]
    for content in damaged:
        path.write_bytes(content)
        assert parts.read("0") is None
    path.write_bytes(whole)
    assert parts.read("0") == CHUNK


def test_a_lost_piece_is_not_passed_over(parts: Parts[list[int]]) -> None:
    with pytest.raises(RunError, match=r"the file '0' is missing or damaged. Run the same command again"):
        parts.require("0")


def test_all_pieces_go_at_once(parts: Parts[list[int]]) -> None:
    parts.remove()
    parts.write("0", CHUNK)
    parts.write("1", CHUNK)
    parts.remove()
    assert not parts.folder.exists()
