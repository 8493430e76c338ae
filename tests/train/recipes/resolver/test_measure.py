from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from referee.annotate.document import Antecedent, Document
from referee.annotate.resolve.spans import mention_of
from referee.pocket import store
from referee.train.recipes.resolver import gum, measure
from referee.train.recipes.resolver.measure import Answer, Counts, counted, figures, measured, precision_at
from tests.support import tiny_annotator
from tests.support.rankers import random_weights

IT = frozenset(("it",))


def _named(
    document: Document, sentence: int, head: int, pronoun: tuple[int, int], confidence: float = 1.0
) -> Antecedent:
    return Antecedent(
        mention_of(document.sentences, *pronoun), mention_of(document.sentences, sentence, head), confidence
    )


def test_answers_are_compared_with_the_entity(gum_folder: Path) -> None:
    [gold, *_] = gum.measured(gum_folder)
    document = gold.document
    subject, other = _named(document, 0, 1, (1, 0)), _named(document, 0, 4, (1, 0))
    rain = _named(document, 0, 1, (2, 1))
    assert counted(gold, document, [subject], IT) == Counts((Answer(1.0, True, True),), 1)
    assert counted(gold, document, [other, rain], IT) == Counts(
        (Answer(1.0, False, True), Answer(1.0, False, False)), 1
    )
    assert counted(gold, document, [subject], frozenset(("they",))) == Counts((), 0)
    assert counted(gold, document, [_named(document, 1, 0, (1, 0))], IT).answers[0].correct is False


def test_precision_and_recall() -> None:
    correct, wrong, other = Answer(0.9, True, True), Answer(0.8, False, True), Answer(0.3, True, False)
    counts = [Counts((correct, wrong), 3), Counts((other,), 1)]
    result = figures(counts, 0.0)
    assert (result.precision, result.recall, result.answered, result.expected) == (2 / 3, 1 / 4, 3, 4)
    assert result.precision_interval[0] <= 2 / 3 <= result.precision_interval[1]
    assert figures(counts, 0.85).precision == 1.0
    assert figures(counts, 0.95).precision == 0.0
    assert precision_at(counts, 0.25) == 1.0
    assert precision_at(counts, 0.3) is None


def test_a_perfect_resolver(gum_folder: Path) -> None:
    golds = gum.measured(gum_folder)
    parses = [gold.document for gold in golds]
    results = measured(golds, parses, lambda document: [_named(document, 0, 1, (1, 0))], 0.5)
    for group in results.values():
        assert (group["precision"], group["recall"], group["expected"]) == (1.0, 1.0, len(golds))


def test_the_command(
    gum_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_annotator.annotator(tmp_path)
    store.write(tmp_path / "resolver.npz", store.RESOLVER, {"threshold": 0.2}, b"", random_weights(1))
    files = [f"--{name}={tmp_path / name}.npz" for name in ("resolver", "encoder", "heads")]
    monkeypatch.setattr(sys, "argv", ["measure", str(gum_folder), *files])
    measure.main()
    results = json.loads(capsys.readouterr().out)
    assert results["threshold"] == 0.2
    baseline = results["gold parses, dev+test"]["nearest agreeing subject"]["it, they, them"]
    assert (baseline["precision"], baseline["recall"], baseline["answered"]) == (0.5, 1.0, 44)
    assert set(results["predicted parses, test"]) == {
        "nearest agreeing subject",
        "pocket, any mention",
        "pocket, nouns",
    }
