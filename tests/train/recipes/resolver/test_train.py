from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs PyTorch (`pip install 'referee[hf]'`)")

from referee.annotate.resolve.pocket import resolver_of
from referee.errors import RefereeError
from referee.pocket import store
from referee.train.recipes.resolver import gum, train
from referee.train.recipes.resolver.measure import Answer, Counts
from referee.train.recipes.resolver.network import Schedule
from tests.support import tiny_annotator

SMALL = Schedule(hidden=8, inner=4, epochs=12, batch=8, warm_up=5, peak=2e-2)


def test_from_the_treebank_to_the_file(
    gum_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The parses of random heads are of no use, so only the gold parses can be learned."""
    tiny_annotator.annotator(tmp_path)
    monkeypatch.setattr(train, "Schedule", lambda: SMALL)
    monkeypatch.setattr(train, "SEEDS", (1,))
    monkeypatch.setattr(train, "PRECISION", 0.0)
    out = tmp_path / "out"
    files = [f"--{name}={tmp_path / name}.npz" for name in ("encoder", "heads")]
    monkeypatch.setattr(sys, "argv", ["train", str(gum_folder), str(out), *files])
    train.main()
    assert "precision" in capsys.readouterr().out
    stored = store.read(out / "resolver.npz", store.RESOLVER, store.checksums(out)["resolver.npz"])
    assert stored.about["genres"] == list(gum.FREE)
    assert stored.about["documents"] == 20
    assert stored.about["threshold"] == 0.1
    resolver = resolver_of(stored)
    for gold in gum.measured(gum_folder, "test"):
        [antecedent] = [each for each in resolver.ranked(gold.document) if each.pronoun.sentence == 1]
        assert (antecedent.antecedent.sentence, antecedent.antecedent.head) == (0, 1)


def test_the_threshold_is_the_lowest_that_is_precise_enough() -> None:
    counts = [Counts((Answer(0.91, True, True), Answer(0.42, False, True), Answer(0.2, True, True)), 3)]
    assert train.threshold_for(counts, 0.6) == 0.1
    assert train.threshold_for(counts, 0.9) == 0.43
    with pytest.raises(RefereeError, match="no threshold"):
        train.threshold_for([Counts((Answer(0.5, False, True),), 1)], 0.65)
