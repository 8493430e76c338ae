"""Abilities are recognised by their methods, and what a model leaves out has one default."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from referee.models.files import ScoreFile, TranslationFile
from referee.protocols import (
    Explains,
    Identity,
    RecordedOutputs,
    RecordedScores,
    ScoresCandidates,
    TranslateDoc,
    refuses,
    spread,
    together,
)

DOC = TranslateDoc(("It fell.",), "en", "de")


class Bare:
    def identity(self) -> Identity:
        return Identity("0" * 64)


class Full(Bare):
    together = 7

    def spread(self, ability: str, batches: list[list[Any]]) -> Iterator[tuple[int, list[tuple[int, Any]]]]:
        yield 0, []

    def refuses(self, source: TranslateDoc) -> str:
        return f"too long: {len(source.sentences)}"


def test_defaults_of_what_a_model_leaves_out() -> None:
    assert (together(Bare()), spread(Bare()), refuses(Bare())(DOC)) == (0, None, "")


def test_a_model_says_how_it_is_asked() -> None:
    model = Full()
    way = spread(model)
    assert (together(model), refuses(model)(DOC)) == (7, "too long: 1")
    assert way is not None and list(way("translate", [[DOC]])) == [(0, [])]


def test_files_are_records_and_no_explainers(tmp_path: Any) -> None:
    scores, outputs = ScoreFile(tmp_path / "scores"), TranslationFile(tmp_path / "outputs")
    assert isinstance(scores, RecordedScores) and not isinstance(scores, RecordedOutputs)
    assert isinstance(outputs, RecordedOutputs) and not isinstance(outputs, RecordedScores)
    assert not isinstance(scores, Explains)


def test_abilities_need_no_class() -> None:
    assert isinstance(SimpleNamespace(identity=Bare().identity, score_candidates=iter), ScoresCandidates)
    assert not isinstance(SimpleNamespace(score_candidates=iter), ScoresCandidates)
