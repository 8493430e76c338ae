"""Runs with a flipped bit or a lost end: one sentence, nothing else changes, and the same command repairs them."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from referee.runs.store import RunInfo
from tests.conftest import Command
from tests.support.workspace import READING, REPAIR, content, stored

FLIPS = 200
QUICK = 3
"""Seeds per command in the default run."""


def damage(folder: Path, seed: int) -> str:
    """Flip a bit of a file, or cut its end off; the name of the file."""
    draws = random.Random(seed)
    path = draws.choice(sorted(path for path in folder.iterdir() if path.stat().st_size))
    data = bytearray(path.read_bytes())
    place = draws.randrange(len(data))
    if draws.random() < 0.3:
        path.write_bytes(data[:place])
    else:
        data[place] ^= 1 << draws.randrange(8)
        path.write_bytes(data)
    return path.name


def same_record(one: bytes, other: bytes) -> bool:
    """Whether two contents of run.json say the same."""
    try:
        return msgspec.json.decode(one, type=RunInfo) == msgspec.json.decode(other, type=RunInfo)
    except ValueError:
        return False


def check(name: str, seed: int, here: Path, before: dict[str, bytes], referee: Command) -> None:
    damaged = damage(here / "A", seed)
    harmed = content(here)
    outcome = referee(*READING[name])
    # The copy of run.json is not needed to read a run, and neither are spaces in it or names of fields without a value.
    harmless = damaged == "run.json" and same_record(harmed["A/run.json"], before["A/run.json"])
    assert outcome.code == (0 if harmless or damaged == ".lock" else 1), (damaged, outcome)
    if outcome.code:
        assert outcome.out == ""
        assert outcome.err.splitlines()[-1].startswith("error: ")
        assert "again" in outcome.err
    assert {path: text for path, text in content(here).items() if path != "read.html"} == harmed
    repair = referee(*REPAIR)
    assert repair.code == 0, (damaged, repair.err)
    after = content(here)
    times = {"A/run.json", "A/.lock"} if damaged in ("verdicts.parquet", ".lock") else set()
    assert {path for path in before if before[path] != after[path]} <= times, damaged
    assert referee(*READING[name]).code == 0
    Path("read.html").unlink(missing_ok=True)
    for path, text in before.items():
        Path(path).write_bytes(text)


@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("seed", range(QUICK))
def test_a_damaged_run(name: str, seed: int, here: Path, before: dict[str, bytes], referee: Command) -> None:
    check(name, seed, here, before, referee)


@pytest.mark.slow
@pytest.mark.parametrize("name", READING)
def test_two_hundred_damaged_runs(name: str, here: Path, before: dict[str, bytes], referee: Command) -> None:
    for seed in range(QUICK, FLIPS):
        try:
            check(name, seed, here, before, referee)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error


@pytest.mark.parametrize("lost", ["items.jsonl.gz", "verdicts.parquet", "findings.json", "run.json", ".lock"])
def test_a_lost_file(lost: str, here: Path, referee: Command) -> None:
    whole = stored(here / "A")
    Path("A", lost).unlink()
    outcome = referee("diagnose", "A")
    assert outcome.code == (0 if lost == ".lock" else 1)
    assert referee(*REPAIR).code == 0
    assert stored(here / "A") == whole
    assert referee("diagnose", "A").code == 0
