"""A full disk in the commands that compute with a model: one sentence, nothing lost, and the command succeeds later."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import sets
from referee.demo.run import demo
from referee.errors import RefereeError
from tests.conftest import Command
from tests.support.artifacts import schemas, wordy_model
from tests.support.full_disk import limited
from tests.support.small_demo import SHARE, remember_samples
from tests.support.workspace import content

SIZES = (0, 300, 3_000, 30_000)


def check(arguments: tuple[object, ...], here: Path, referee: Command, *ours: str) -> None:
    """The command under each limit, and at last without one; nothing but files whose names begin so is new."""
    before = content(here)
    for size in SIZES:
        with limited(size):
            outcome = referee(*arguments)
        assert "Traceback" not in outcome.err
        assert (outcome.code, "cannot be written" in outcome.err) in ((1, True), (0, False)), outcome.err
        after = content(here)
        assert {path: after.get(path) for path in before} == before
        assert [path for path in after if path not in before and not path.startswith(ours)] == []
    outcome = referee(*arguments)
    assert outcome.code == 0, outcome.err


@pytest.mark.slow
def test_salience(here: Path, referee: Command) -> None:
    pytest.importorskip("transformers")
    for name in ("P", "warm"):
        assert referee("eval", "pocket", "x.jsonl", "--no-cache", "--out", name).code == 0
    # Libraries are loaded once before: some of them warn of a full disk when they are.
    assert referee("diagnose", "warm", "--salience", "--limit", 1).code == 0
    check(("diagnose", "P", "--salience", "--limit", 2), here, referee, "P/salience-")


@pytest.mark.slow
def test_aflite(here: Path, referee: Command) -> None:
    pytest.importorskip("transformers")
    model = wordy_model(here / "xlmr")
    sets.save(schemas(40, planted=0.4), here / "s.jsonl")
    command = ("build", "aflite", "s.jsonl", "--model", f"mlm:{model}", "--classifiers", 4, "--out", "left.jsonl")
    check(command, here, referee, "left.jsonl")


@pytest.mark.slow
def test_the_demo(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember_samples(monkeypatch)
    before = content(here)
    for size in (*SIZES, 100_000):
        with limited(size), pytest.raises(RefereeError, match=r"cannot be written"):
            demo(here / "demo", SHARE)
        assert {path: text for path, text in content(here).items() if not path.startswith("demo/")} == before
    demo(here / "demo", SHARE)
    assert (here / "demo" / "report.html").is_file()
