"""What `eval` and `score` print about a run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.cli.result import check_match, command_line, show_run
from referee.errors import UsageError
from referee.runs.evaluate import evaluate
from referee.runs.run import Run
from tests.support.items import item


@pytest.fixture
def run() -> Run:
    """Translations by both matching rules, of a set and its perturbed form."""
    context = {"source_context": ("A dog came.",), "target_context": ("Ein Hund kam.",)}
    items = [item(id=name, candidates=(), gold=None, expected=("er",), **context) for name in "abcd"]
    items.append(item(id="bare", candidates=(), gold=None, expected=("er",)))
    return evaluate(lambda texts: ["Da war er."] * len(texts), items, perturb=["phrase/he-said"], name="he")


def test_matching_rules_are_those_there_are() -> None:
    check_match(None)
    check_match("paper")
    with pytest.raises(UsageError, match=r"'fuzzy' is not a matching rule. Choose paper or token"):
        check_match("fuzzy")


def test_the_command_line_begins_with_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["anything", "eval", "pocket"])
    assert command_line() == ["referee", "eval", "pocket"]


def test_tables_on_stdout_and_remarks_on_stderr(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    show_run(run, None, None, None, json=False)
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1] == f"signature: {run.signature}"
    first, last = shown.err.splitlines()
    assert first == "items+phrase/he-said: 4 of 5 items perturbed. Skipped: no context (1)."
    assert last.startswith("To keep the verdict on every item")


def test_one_rule_where_it_was_asked_for(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    show_run(run, "token", ["nothing"], Path("run"), json=False)
    shown = capsys.readouterr()
    assert "(token)" in shown.out
    assert "(paper)" not in shown.out
    assert "no item has 'nothing'" in shown.err
    assert shown.err.endswith("Verdicts written to run.\n")
