"""What was written instead, from two files of translations to every place that shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee import sets
from tests.conftest import Command
from tests.support.addressed import OUTPUTS, Writer, addressed, mostly


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, referee: Command) -> Path:
    """Two runs on 210 items: one mostly formal, one mostly informal; the current folder."""
    monkeypatch.chdir(tmp_path)
    items = addressed(210)
    sets.save(items, tmp_path / "you.jsonl")
    writers: dict[str, Writer] = {"alone": mostly("formal"), "context": mostly("informal")}
    for name, writer in writers.items():
        lines = [OUTPUTS[writer(item.features["formality"], number)] for number, item in enumerate(items)]
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        assert referee("eval", f"translations:{name}.txt", "you.jsonl", "--out", name).code == 0
    return tmp_path


def test_diagnose_shows_the_confusion(runs: Path, referee: Command) -> None:
    shown = referee("diagnose", "alone")
    assert shown.code == 0
    assert "Formality. Biased towards formal" in shown.out
    assert "Most frequent: formal where informal was expected, in 60 of 140 outputs (42.9%)" in shown.out
    assert shown.out.count("formality, expected and written") == 1
    # The published measure is of gender and position.
    assert "bias as published" not in shown.out


def test_json_has_counts_and_test(runs: Path, referee: Command) -> None:
    suites = json.loads(referee("diagnose", "context", "--json").out)["suites"]
    (forms,) = suites[0]["written"]
    assert (forms["feature"], forms["items"], forms["decided"], forms["illegal_lemmas"]) == (
        "formality",
        210,
        180,
        None,
    )
    assert [row["written"] for row in forms["rows"]] == [
        {"formal": 30, "informal": 30},
        {"formal": 0, "informal": 120},
    ]
    assert forms["bias"]["biased_towards"] == "informal"
    assert forms["verdict"].startswith("Most frequent: informal where formal was expected, in 30 of 70 outputs (42.9%)")


def test_compare_shows_how_the_biased_value_changed(runs: Path, referee: Command) -> None:
    shown = referee("compare", "alone", "context", "--flips", "0").out
    assert "A is biased towards formal, B is biased towards informal." in shown
    pair = json.loads(referee("compare", "alone", "context", "--json").out)["pairs"][0]
    (change,) = pair["suites"][0]["written"]
    assert [change[run]["bias"]["biased_towards"] for run in ("base", "other")] == ["formal", "informal"]


def test_the_page_has_the_confusion(runs: Path, referee: Command) -> None:
    assert referee("report", "alone", "context", "--out", "page.html").code == 0
    page = (runs / "page.html").read_text(encoding="utf-8")
    assert "alone: you.jsonl: formality, expected and written" in page and "none found %" in page
    assert "A is biased towards formal, B is biased towards informal." in page
