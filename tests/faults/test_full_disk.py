"""A full disk in every command that writes: one sentence, nothing lost, and the same command succeeds later."""

from __future__ import annotations

import errno
import io
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command, Outcome
from tests.support.full_disk import limited
from tests.support.workspace import READING, WRITING, content

SEEDS = 40
QUICK = 2


@contextmanager
def full(room: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk with room for so many bytes in the files that we open: then ENOSPC."""
    left = [room]

    class Raw(io.FileIO):
        def write(self, data: Any) -> int:
            left[0] -= len(data)
            if left[0] < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return super().write(data) or 0

    def opened(handle: int, mode: str = "r", buffering: int = -1) -> Any:
        raw = Raw(handle, mode)
        return raw if buffering == 0 else io.BufferedWriter(raw)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", opened)
        yield


def check(name: str, outcome: Outcome, here: Path, before: dict[str, bytes], referee: Command) -> None:
    """The command failed in one sentence or succeeded, the rest is as it was, and it succeeds now."""
    writing = WRITING[name]
    assert outcome.code in (0, 1), outcome
    if outcome.code:
        line = outcome.err.splitlines()[-1]
        assert line.startswith("error: "), outcome.err
        assert "cannot be written (" in line
        assert "Traceback" not in outcome.err
        left = content(here)
        assert {path: left.get(path) for path in before} == before
        allowed = (writing.out, "p.html", f"{writing.out}/")
        assert not [path for path in left if path not in before and not path.startswith(allowed)]
        assert not [path for path in left if path.endswith(".part")]
    again = referee(*writing.to(writing.out))
    assert again.code == 0, again.err
    made = {path: text for path, text in content(here).items() if path not in before}
    for path in made:
        Path(path).unlink()
    shutil.rmtree(writing.out, ignore_errors=True)
    assert referee(*writing.to(writing.out)).code == 0
    undisturbed = {path: text for path, text in content(here).items() if path not in before}
    times = {path for path in made if path.endswith(("run.json", ".lock"))}
    assert {path for path in made.keys() | undisturbed.keys() if made.get(path) != undisturbed.get(path)} <= times


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("seed", range(QUICK))
def test_a_file_that_may_not_grow(name: str, seed: int, here: Path, before: dict[str, bytes], referee: Command) -> None:
    size = random.Random(seed).randrange(2_000) if seed else 0
    with limited(size):
        outcome = referee(*WRITING[name].to(WRITING[name].out))
    assert seed or outcome.code == 1
    check(name, outcome, here, before, referee)


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("seed", range(QUICK))
def test_a_disk_that_is_full(
    name: str, seed: int, here: Path, before: dict[str, bytes], referee: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = random.Random(seed).randrange(4_000) if seed else 0
    with full(room, monkeypatch):
        outcome = referee(*WRITING[name].to(WRITING[name].out))
    assert seed or outcome.code == 1
    check(name, outcome, here, before, referee)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITING)
def test_many_sizes(
    name: str, here: Path, before: dict[str, bytes], referee: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws = random.Random(name)
    for number in range(SEEDS):
        room = int(10 ** draws.uniform(0, 5))
        with limited(room) if number % 2 else full(room, monkeypatch):
            outcome = referee(*WRITING[name].to(WRITING[name].out))
        check(name, outcome, here, before, referee)
        for path in [path for path in content(here) if path not in before]:
            Path(path).unlink()
        shutil.rmtree(WRITING[name].out, ignore_errors=True)


@pytest.mark.parametrize("name", ["score", *READING])
def test_commands_that_only_read_or_use_temporary_files(
    name: str, here: Path, before: dict[str, bytes], referee: Command
) -> None:
    arguments = READING.get(name, ("score", "x.jsonl", "--scores", "a"))
    with limited(0):
        outcome = referee(*arguments)
    assert "Traceback" not in outcome.err
    assert (outcome.code, "cannot be written" in outcome.err) in ((1, True), (0, False))
    assert content(here) == before


def test_a_device_that_is_full(here: Path, before: dict[str, bytes], referee: Command) -> None:
    outcome = referee(*WRITING["flips"].to("/dev/full"))
    assert (outcome.code, outcome.out) == (1, "")
    assert "error: /dev/full: cannot be written (No space left on device). Free some space" in outcome.err
    assert Path("/dev/full").is_char_device()
    assert referee(*WRITING["flips"].to("/dev/null")).code == 0
    assert Path("/dev/null").is_char_device()
    assert content(here) == before


def test_a_cache_on_a_full_disk(here: Path, before: dict[str, bytes], referee: Command) -> None:
    with limited(8_192):
        outcome = referee("eval", "pocket", "x.jsonl", "--cache", "c.sqlite", "--out", "P")
    assert outcome.code == 1
    assert outcome.err.splitlines()[-1].startswith("error: ")
    assert "Traceback" not in outcome.err
    assert referee("eval", "pocket", "x.jsonl", "--cache", "c.sqlite", "--out", "P").code == 0
    assert not Path("c.sqlite.damaged").exists()
    assert {path: text for path, text in content(here).items() if path in before} == before


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITING)
def test_a_small_file_system(name: str, here: Path, referee: Command) -> None:
    """A real disk of 64 KB, where the system allows us to make one."""
    small = here / "small"
    small.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system needs root")
    try:
        (small / "filler").write_bytes(b"x" * 60_000)
        outcome = referee(*WRITING[name].to(f"small/{WRITING[name].out}"))
        assert "Traceback" not in outcome.err
        assert (outcome.code, "cannot be written" in outcome.err) in ((1, True), (0, False))
        assert (small / "filler").read_bytes() == b"x" * 60_000
    finally:
        subprocess.run(["umount", str(small)], check=True)
