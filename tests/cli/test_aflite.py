"""`referee build aflite`."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.sets import load, save
from tests.conftest import Command
from tests.support.artifacts import planted, schemas, wordy_model
from tests.support.commands import answer


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wordy_model(tmp_path_factory.mktemp("aflite") / "xlmr")


def test_the_command(model: Path, tmp_path: Path, referee: Command) -> None:
    save(schemas(300, planted=0.4), tmp_path / "items.jsonl")
    command = ("build", "aflite", tmp_path / "items.jsonl", "--model", f"mlm:{model}", "--classifiers", 16)
    outcome = referee(*command, "--out", tmp_path / "left.jsonl")
    assert outcome.code == 0, outcome.err
    assert "accuracy of linear models (%)" in outcome.out
    left = list(load(tmp_path / "left.jsonl"))
    assert planted(left) < 0.5 * planted(schemas(300, planted=0.4))
    assert not (tmp_path / "left.jsonl.work").exists()
    again = referee(*command, "--out", tmp_path / "again.jsonl", "--work", tmp_path / "work", "--json")
    told = answer(again)
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "left.jsonl").read_bytes()
    assert told["left"] == len(left)
    assert told["items"] == told["left"] + sum(done["removed"] for done in told["rounds"])
    assert list((tmp_path / "work").rglob("vectors-*"))


def test_what_somebody_keeps_beside_it_stays(model: Path, tmp_path: Path, referee: Command) -> None:
    save(schemas(40, planted=0.0), tmp_path / "items.jsonl")
    notes = tmp_path / "left.jsonl.work" / "thesis.txt"
    notes.parent.mkdir()
    notes.write_text("mine")
    out = ("--classifiers", 2, "--out", tmp_path / "left.jsonl")
    assert referee("build", "aflite", tmp_path / "items.jsonl", "--model", f"mlm:{model}", *out).code == 0
    assert [path.name for path in notes.parent.iterdir()] == ["thesis.txt"]


def test_the_command_wants_a_masked_model(tmp_path: Path, referee: Command) -> None:
    save(schemas(20, planted=0), tmp_path / "items.jsonl")
    outcome = referee("build", "aflite", tmp_path / "items.jsonl", "--model", "causal:x", "--out", tmp_path / "o.jsonl")
    assert outcome.code == 2
    assert "'causal:x' is not a masked language model. Use a model such as mlm:NAME" in outcome.err
