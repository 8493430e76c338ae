"""SimAlign itself on a tiny encoder where it is installed; else its answer as it was recorded."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from referee.annotate.align.simalign import SimAligner, open_simalign
from referee.annotate.protocols import Aligner
from referee.errors import RefereeError
from tests.support.small_aligner import pair
from tests.support.tiny_bert import saved_bert

INSTALLED = find_spec("simalign") is not None
needs_simalign = pytest.mark.skipif(not INSTALLED, reason="simalign is not installed")


class Recorded:
    """Answers as `SentenceAligner` of simalign 0.4 does: links by method, not sorted."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[str], list[str]]] = []

    def get_word_aligns(self, source: list[str], target: list[str]) -> dict[str, list[tuple[int, int]]]:
        self.asked.append((source, target))
        return {"itermax": [(1, 1), (0, 0)]}


def test_words_go_in_and_sorted_links_come_out() -> None:
    recorded = Recorded()
    aligner = SimAligner(recorded, "bert", "0.4")
    assert isinstance(aligner, Aligner)
    assert aligner.name == "simalign:bert"
    assert aligner.align([pair("The dog", "Der Hund"), pair("", "x")], "en", "de") == [((0, 0), (1, 1)), ()]
    assert recorded.asked == [(["The", "dog"], ["Der", "Hund"])]


@needs_simalign
def test_simalign_itself(tmp_path: Path) -> None:
    aligner = open_simalign(saved_bert(tmp_path))
    pairs = [pair("The dog sleeps.", "Der Hund schläft."), pair("x", "y")]
    links = aligner.align(pairs, "en", "de")
    assert links[1] == ((0, 0),)
    assert links[0]
    assert all(i < 4 and j < 4 for i, j in links[0])


@needs_simalign
def test_an_encoder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match=r"cannot be opened .* simalign:FOLDER"):
        open_simalign(str(tmp_path / "nothing"))
