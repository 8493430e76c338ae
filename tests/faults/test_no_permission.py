"""Folders without permission: one sentence, nothing lost. Root ignores permissions, so it gives them up meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs
import pytest

from tests.conftest import Command, Outcome
from tests.support.workspace import WRITING, content

NOBODY = 65534


@contextmanager
def ordinary(folder: Path) -> Iterator[None]:
    """Not root meanwhile; the way to the folder is opened for everybody."""
    if os.geteuid() != 0:
        yield
        return
    for parent in (folder, *folder.parents):
        if parent.stat().st_uid == 0 and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
            parent.chmod(parent.stat().st_mode | 0o055)
    try:
        os.seteuid(NOBODY)
    except PermissionError:
        pytest.skip("this process may not give up its permissions")
    try:
        yield
    finally:
        os.seteuid(0)


def assert_sentence(outcome: Outcome) -> None:
    assert outcome.code == 1, outcome
    assert outcome.err.splitlines()[-1].startswith("error: ")
    assert "Permission denied" in outcome.err or "permission denied" in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("name", WRITING)
def test_a_folder_that_cannot_be_written(name: str, here: Path, referee: Command) -> None:
    writing = WRITING[name]
    # Everything that the command imports is imported once before.
    assert referee(*writing.to(f"warm/{writing.out}")).code == 0
    (here / "closed").mkdir(mode=0o555)
    before = content(here)
    with ordinary(here):
        outcome = referee(*writing.to(f"closed/{writing.out}"))
    assert_sentence(outcome)
    assert content(here) == before


@pytest.mark.parametrize("arguments", [("list", "suites"), ("eval", "scores:a", "wsc"), ("stats", "dataset", "wsc")])
def test_a_data_folder_that_cannot_be_read(arguments: tuple[str, ...], here: Path, referee: Command) -> None:
    referee(*arguments, "--data", "nothing")
    (here / "closed").mkdir(mode=0o000)
    with ordinary(here):
        outcome = referee(*arguments, "--data", "closed/data")
    assert_sentence(outcome)


def test_files_that_cannot_be_read(here: Path, referee: Command) -> None:
    commands = [("score", "x.jsonl", "--scores", "a"), ("diagnose", "A"), ("stats", "dataset", "x.jsonl")]
    for command in commands:
        assert referee(*command).code == 0
    for path in ("x.jsonl", "A/verdicts.parquet"):
        Path(path).chmod(0o000)
    with ordinary(here):
        outcomes = [referee(*command) for command in commands]
    for outcome in outcomes:
        assert (outcome.code, outcome.err.count("\n"), "Traceback" in outcome.err) == (1, 1, False), outcome


def test_a_cache_folder_that_cannot_be_written(here: Path, referee: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("eval", "pocket", "x.jsonl", "--limit", 2)
    assert referee(*command, "--no-cache").code == 0
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: here / "closed" / "cache")
    for mode in (0o555, 0o000):
        (here / "closed").mkdir(mode=mode)
        with ordinary(here):
            outcome = referee(*command)
        assert outcome.code == 1
        assert "cannot be" in outcome.err
        assert "XDG_CACHE_HOME" in outcome.err or "--cache" in outcome.err
        assert "Traceback" not in outcome.err
        (here / "closed").rmdir()
