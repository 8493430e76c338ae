"""A run that is killed at any moment is continued by the same command and ends in the same bytes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from referee import sets
from referee.runs.store import read_info
from tests.support.twins import of_first_noun, twins

COPIES = 1000
KILLS = 10


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set that takes seconds to judge: long outputs, whose last sentence must be found."""
    folder = tmp_path_factory.mktemp("inputs")
    items = [
        msgspec.structs.replace(item, id=f"{item.id}.{copy}", group=f"{item.group}.{copy}")
        for copy in range(COPIES)
        for item in twins()
    ]
    sets.save(items, folder / "items.jsonl")
    outputs = (
        f"Das ist der {number}. Satz. Es geht weiter. {of_first_noun(item)}\n" for number, item in enumerate(items)
    )
    (folder / "out.de").write_text("".join(outputs))
    return folder


def start(inputs: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from referee.cli.main import main; main()", "eval"]
    command += [f"translations:{inputs / 'out.de'}", str(inputs / "items.jsonl"), "--out", str(out)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(inputs: Path, out: Path) -> None:
    with start(inputs, out) as process:
        _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()


def kill(inputs: Path, out: Path, after: float) -> None:
    with start(inputs, out) as process:
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.communicate()


@pytest.mark.slow
def test_killed_runs_end_in_the_same_bytes(inputs: Path, tmp_path: Path) -> None:
    began = time.monotonic()
    finish(inputs, tmp_path / "whole")
    duration = time.monotonic() - began
    whole = (tmp_path / "whole/verdicts.parquet").read_bytes()
    moments = random.Random(7)
    interrupted = 0
    for number in range(KILLS):
        out = tmp_path / f"killed-{number}"
        kill(inputs, out, moments.uniform(0, duration))
        interrupted += not (out / "run.json").exists() or read_info(out).status == "running"
        finish(inputs, out)
        assert (out / "verdicts.parquet").read_bytes() == whole
        assert read_info(out).counts == read_info(tmp_path / "whole").counts
        assert (out / "findings.json").read_bytes() == (tmp_path / "whole/findings.json").read_bytes()
        left = {path.name for path in out.iterdir()}
        assert left == {".lock", "run.json", "verdicts.parquet", "findings.json", "items.jsonl.gz"}
    assert interrupted >= KILLS // 2, "most kills came too late to prove anything"


@pytest.mark.slow
def test_one_run_killed_again_and_again_gets_there(inputs: Path, tmp_path: Path) -> None:
    finish(inputs, tmp_path / "whole")
    out = tmp_path / "killed"
    moments = random.Random(11)
    parts = []
    for _ in range(5):
        kill(inputs, out, moments.uniform(1.0, 2.5))
        parts.append(len(list(out.glob("parts/*"))))
    finish(inputs, out)
    # Work is kept from start to start, whether or not one of them already came to the end.
    assert max(parts) > 0
    assert (out / "verdicts.parquet").read_bytes() == (tmp_path / "whole/verdicts.parquet").read_bytes()
