"""`referee eval`: a model on sets, with or without a run folder."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Command
from tests.support.commands import answer, overall


def test_eval_keeps_the_run(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "scores:scores", "x.jsonl", "--out", "run")
    assert (outcome.code, outcome.err) == (0, "Verdicts written to run.\n")
    names = {path.name for path in (folder / "run").iterdir()}
    assert names == {".lock", "run.json", "verdicts.parquet", "findings.json", "items.jsonl.gz"}
    info = json.loads((folder / "run" / "run.json").read_text())
    assert info["command"] == ["referee", "eval", "scores:scores", "x.jsonl", "--out", "run"]
    assert info["status"] == "done"
    before = (folder / "run" / "verdicts.parquet").stat().st_mtime_ns
    again = referee("eval", "scores:scores", "x.jsonl", "--out", "run")
    assert again.out == outcome.out
    assert again.err.startswith("run already contains this run, finished 20")
    assert (folder / "run" / "verdicts.parquet").stat().st_mtime_ns == before


def test_eval_json_is_what_the_folder_holds(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "translations:out.de", "x.jsonl", "--out", "run", "--json")
    assert outcome.err == ""
    value = answer(outcome)
    assert set(value) == {"run", "findings"}
    assert value["run"] == json.loads((folder / "run" / "run.json").read_text())
    assert value["findings"] == json.loads((folder / "run" / "findings.json").read_text())
    # Also where there is something to remark.
    again = referee("eval", "translations:out.de", "x.jsonl", "--out", "run", "--json")
    assert (again.out, "already contains" in again.err) == (outcome.out, True)


def test_eval_refuses_a_folder_with_another_run(folder: Path, referee: Command) -> None:
    referee("eval", "scores:scores", "x.jsonl", "--out", "run")
    outcome = referee("eval", "translations:out.de", "x.jsonl", "--out", "run")
    assert (outcome.code, outcome.out) == (1, "")
    assert (
        "run: already contains a different run (the model was scores:scores, is now translations:out.de). Use another"
        in outcome.err
    )


def test_a_usage_error_comes_before_the_work(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "scores:scores", "x.jsonl", "--match", "paper", "--out", "run")
    assert (outcome.code, outcome.out) == (2, "")
    assert not (folder / "run").exists()


def test_paper_needs_a_perturbation(folder: Path, referee: Command) -> None:
    outcome = referee("eval", "scores:scores", "x.jsonl", "--paper")
    assert (outcome.code, outcome.out) == (2, "")
    assert "--perturb" in outcome.err


def test_limit(folder: Path, referee: Command) -> None:
    (folder / "two").write_text("".join((folder / "scores").read_text().splitlines(keepends=True)[:6]))
    outcome = referee("eval", "scores:two", "x.jsonl", "--limit", "2", "--json")
    assert overall(outcome) == [(None, 2, 2)]
    assert answer(outcome)["run"]["inputs"]["suites"][0]["items"] == 2
    too_many = referee("eval", "scores:scores", "x.jsonl", "--limit", "2")
    assert (too_many.code, "expected 6 scores, one per candidate, but found 12" in too_many.err) == (1, True)
    all_of_them = referee("eval", "scores:scores", "x.jsonl", "--limit", "99", "--json")
    assert overall(all_of_them) == [(None, 4, 2)]


def test_eval_of_a_public_suite(folder: Path, referee: Command, published_data: Path) -> None:
    (folder / "suite").write_text("1\n0\n" * 3)
    outcome = referee("eval", "scores:suite", "wino-x/lm/en-de", "--limit", "3", "--data", published_data, "--json")
    assert answer(outcome)["run"]["inputs"]["suites"][0]["name"] == "wino-x/lm/en-de"
