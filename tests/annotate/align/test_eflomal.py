"""eflomal itself where it is installed; else files as it writes them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.annotate.align.eflomal import EflomalAligner, open_eflomal
from referee.annotate.protocols import Aligner, Tokens
from referee.errors import RefereeError
from tests.support.gold_alignments import gold
from tests.support.small_aligner import pair


class Recorded:
    """Writes links as eflomal 2.0.0 does: a line per pair, `i-j` separated by spaces, both with the source first."""

    calls: list[tuple[list[str], list[str]]]

    def __init__(self, model: int) -> None:
        assert model == 3

    def align(self, sources: Iterable[str], targets: Iterable[str], **files: Any) -> None:
        Recorded.calls.append((list(sources), list(targets)))
        Path(files["links_filename_fwd"]).write_text("0-0 1-1 2-1\n0-0\n", encoding="utf-8")
        Path(files["links_filename_rev"]).write_text("0-0 1-1 1-0\n\n", encoding="utf-8")


@pytest.fixture
def recorded() -> EflomalAligner:
    Recorded.calls = []
    return EflomalAligner(SimpleNamespace(Aligner=Recorded), "2.0.0")


def test_links_in_which_both_directions_agree(recorded: EflomalAligner) -> None:
    spaced = pair("1 000 cats sleep", "1000 Katzen")._replace(
        source=Tokens("1 000 cats sleep", ((0, 5), (6, 10), (11, 16)))
    )
    assert recorded.align([pair("", "x"), spaced, pair("yes", "ja")], "en", "de") == [(), ((0, 0), (1, 1)), ()]
    assert Recorded.calls == [(["1_000 cats sleep\n", "yes\n"], ["1000 Katzen\n", "ja\n"])]


def test_nothing_is_run_for_nothing(recorded: EflomalAligner) -> None:
    assert recorded.align([pair("", "x")], "en", "de") == [()]
    assert recorded.align([], "en", "de") == []
    assert Recorded.calls == []


def test_a_failure_is_one_sentence(recorded: EflomalAligner, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("no such program")

    monkeypatch.setattr(Recorded, "align", fail)
    with pytest.raises(RefereeError, match=r"eflomal failed \(no such program\). Install it again"):
        recorded.align([pair("a", "b")], "en", "de")


def test_it_takes_no_argument() -> None:
    with pytest.raises(RefereeError, match="Write eflomal"):
        open_eflomal("large")


@pytest.mark.skipif(find_spec("eflomal") is None, reason="eflomal is not installed (GPL, an extra)")
def test_eflomal_itself() -> None:
    aligner = open_eflomal()
    assert isinstance(aligner, Aligner)
    assert aligner.version == sys.modules["importlib.metadata"].version("eflomal")
    sentences = gold()
    pairs = [pair(" ".join(source), " ".join(target)) for source, target, _ in sentences]
    links = aligner.align(pairs, "en", "de")
    hits = sum(len(set(own) & right) for own, (_, _, right) in zip(links, sentences, strict=True))
    assert hits / sum(len(right) for _, _, right in sentences) > 0.4
