"""`referee demo`: what it prints, and what it says where it cannot."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.demo import plan
from tests.conftest import Command
from tests.support.small_demo import SHARE, remember_samples


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder; `--quick` is quicker still."""
    remember_samples(monkeypatch)
    monkeypatch.setattr(plan, "QUICK", SHARE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_demo(folder: Path, referee: Command) -> None:
    outcome = referee("demo", "--quick", "--out", "my demo")
    assert outcome.code == 0, outcome.err
    assert "Noun gender " in outcome.out
    assert "\nResult: The pocket translator " in outcome.out
    assert "\nFull report with examples: my demo/report.html\n" in outcome.out
    assert (folder / "my demo/report.html").is_file()
    progress = outcome.err.splitlines()
    assert progress[0] == "[0/7] drawing items"
    assert [line[:5] for line in progress] == [f"[{number}/7]" for number in range(8)]
    for line in outcome.out.splitlines()[-2:]:
        offered = shlex.split(line)
        assert offered[0] == "referee"
        assert referee(*offered[1:]).code == 0
    # The commands of the page work too, and agree with it.
    again = json.loads(referee(*plan.STEPS["de-attacks"].command(Path("my demo"))[1:], "--no-cache", "--json").out)
    value = json.loads(referee("demo", "--quick", "--out", "my demo", "--json").out)
    assert drops(again["findings"]) == drops(value["steps"]["de-attacks"])
    assert list(value) == ["quick", "report", "sentence", "summary", "steps"]
    assert value["report"] == "my demo/report.html"
    assert f"Result: {value['sentence']}\n" in outcome.out
    assert list(value["steps"]) == list(plan.STEPS)
    assert set(value["summary"][0]) == {"phenomenon", "items", "accuracy", "interval", "baseline", "interpretation"}
    assert value == json.loads((folder / "my demo/demo.json").read_text("utf-8"))["found"]


def drops(findings: list[dict[str, Any]]) -> list[tuple[str, float]]:
    """Every attack and the accuracy after it."""
    return [
        (drop["perturbation"], drop["after"])
        for each in findings
        if each["attacks"] is not None
        for drop in each["attacks"]["drops"]
    ]


def test_out_is_a_file(folder: Path, referee: Command) -> None:
    (folder / "file").write_text("mine")
    outcome = referee("demo", "--quick", "--out", "file")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "error: file: is a file, not a folder. Choose another --out.\n"


def test_out_cannot_be_written(folder: Path, referee: Command) -> None:
    (folder / "file").write_text("mine")
    outcome = referee("demo", "--quick", "--out", "file/below")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "error: file/below: cannot be used (Not a directory). Choose another --out.\n"


def test_the_cache_cannot_be_written(folder: Path, referee: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("mine")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "file"))
    outcome = referee("demo", "--quick")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"error: {folder}/file/")
    assert outcome.err.endswith("Set XDG_CACHE_HOME to a writable folder.\n")
    assert outcome.err.count("\n") == 1
    assert not (folder / "referee-demo").exists()


def test_without_ctranslate2(folder: Path, referee: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    outcome = referee("demo", "--quick")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("error: ")
    assert "pip install" in outcome.err
    assert outcome.err.count("\n") == 1
    assert not (folder / "referee-demo").exists()
