from __future__ import annotations

import logging
from pathlib import Path

import pytest

from referee.annotate.align.pharaoh import open_pharaoh
from referee.annotate.protocols import Aligner
from referee.errors import RefereeError
from tests.support.small_aligner import pair

PAIRS = [pair("The dog sleeps.", "Der Hund schläft."), pair("Yes", "Ja"), pair("", "Nein")]


def written(folder: Path, text: str) -> str:
    path = folder / "links.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_links_count_words_between_spaces(tmp_path: Path) -> None:
    aligner = open_pharaoh(written(tmp_path, "0-0 1-1 2-2\n0-0\n\n"))
    assert isinstance(aligner, Aligner)
    assert aligner.align(PAIRS, "en", "de") == [((0, 0), (1, 1), (2, 2), (3, 3)), ((0, 0),), ()]
    assert aligner.name == f"pharaoh:{tmp_path / 'links.txt'}"
    assert len(aligner.version) == 12


def test_possible_links_are_counted_and_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    aligner = open_pharaoh(written(tmp_path, "0-0 1p1 2p2\n0-0\n\n"))
    with caplog.at_level(logging.WARNING, "referee"):
        assert aligner.align(PAIRS, "en", "de")[0] == ((0, 0),)
    assert "2 possible links (0p0) are not used" in caplog.text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0-0\n", ":2: expected 3 lines, one per en-de sentence pair, but found 1. Write an alignment of these texts."),
        ("0-0\n\n\n\n", ":4: expected 3 lines, one per en-de sentence pair, but found 4. Write"),
        ("0-0\n0-1\n\n", ":2: '0-1' is out of range (1 source and 1 target tokens). Correct the line"),
        ("0-0\n0-0\n0-0\n", ":3: '0-0' is out of range (0 source and 1 target tokens). Correct"),
        ("0-0 1=1\n\n\n", ":1: '1=1' is not a link such as 0-0. Correct the line"),
    ],
)
def test_a_file_that_does_not_fit(tmp_path: Path, text: str, problem: str) -> None:
    aligner = open_pharaoh(written(tmp_path, text))
    with pytest.raises(RefereeError) as caught:
        aligner.align(PAIRS, "en", "de")
    assert str(caught.value).startswith(f"{tmp_path / 'links.txt'}{problem}")


def test_a_file_is_needed(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match="Write pharaoh:FILE"):
        open_pharaoh("")
    with pytest.raises(RefereeError, match="does not exist"):
        open_pharaoh(str(tmp_path / "nothing"))
