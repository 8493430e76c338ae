"""Names that are not UTF-8, numbers of 23 digits, JSON 100,000 levels deep: results or one sentence, no traceback."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import Command, Outcome
from tests.support.workspace import content

NAME = os.fsdecode(b"caf\xe9")
MANY = "9" * 23
DEEP = b"[" * 100_000


def assert_no_traceback(outcome: Outcome) -> None:
    assert outcome.code in (0, 1, 2)
    assert "Traceback" not in outcome.err
    if outcome.code == 1:
        assert outcome.err.splitlines()[-1].startswith("error: ")


@pytest.fixture
def named(here: Path) -> Path:
    """The same inputs under names in Latin-1."""
    for name in ("x.jsonl", "a", "c.en"):
        shutil.copy(name, f"{NAME}.{name}")
    return here


def test_a_run_under_names_that_are_not_utf8(named: Path, referee: Command) -> None:
    for ending in ((), ("--json",)):
        for command in (
            ("score", f"{NAME}.x.jsonl", "--scores", f"{NAME}.a"),
            ("eval", f"scores:{NAME}.a", f"{NAME}.x.jsonl", "--out", f"{NAME}.run"),
            ("diagnose", f"{NAME}.run"),
            ("compare", f"{NAME}.run", "B"),
            ("stats", "dataset", f"{NAME}.x.jsonl"),
            ("perturb", f"{NAME}.x.jsonl", "phrase/he-said", "--out", f"{NAME}.y.jsonl"),
            ("perturb", f"{NAME}.x.jsonl", "phrase/he-said", "--out", f"{NAME}.y.parquet"),
            ("stats", "dataset", f"{NAME}.y.parquet"),
            ("build", "twins", f"{NAME}.x.jsonl", "--by", "order", "--out", f"{NAME}.z.jsonl"),
        ):
            outcome = referee(*command, *ending)
            assert outcome.code == 0, (command, outcome.err)
            if ending:
                assert "caf\\\\xe9" in outcome.out
                json.loads(outcome.out)
    assert referee("compare", f"{NAME}.run", "B", "--flips-out", f"{NAME}.flips").code == 0
    assert referee("report", f"{NAME}.run", "--out", f"{NAME}.html", "--title", NAME, "--tables", NAME).code == 0
    info = json.loads(Path(f"{NAME}.run", "run.json").read_text("utf-8"))
    assert info["inputs"]["suites"][0]["name"] == "caf\\xe9.x.jsonl"
    assert info["command"][2] == "scores:caf\\xe9.a"


@pytest.mark.parametrize(
    "arguments",
    [
        ("estimate", "priors", f"{NAME}.c.en", "c.de", "--target-lang", "de", "--alignment", "c.links", "--json"),
        ("estimate", "coverage", f"{NAME}.c.en", "c.de", "--target-lang", "de", "--json"),
        ("stats", "dataset", "x.jsonl", "--by", NAME),
        ("eval", f"hf:{NAME}", "x.jsonl"),
        ("eval", f"ct2:{NAME}", "x.jsonl"),
        ("eval", f"command:{NAME}", "x.jsonl"),
        ("eval", f"command:cat {NAME}", "x.jsonl", "--limit", "2"),
        ("eval", "pocket", "x.jsonl", "--limit", "2", "--separator", NAME, "--no-cache"),
        ("list", "suites", NAME),
        ("data", "get", NAME),
        ("list", "suites", "wsc", "--data", NAME, "--json"),
    ],
)
def test_other_arguments_that_are_not_utf8(arguments: tuple[str, ...], named: Path, referee: Command) -> None:
    assert_no_traceback(referee(*arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        ("eval", "scores:a", "x.jsonl", "--limit", MANY),
        ("eval", "pocket", "x.jsonl", "--no-cache", "--limit", MANY, "--context", MANY),
        ("diagnose", "A", "--maps", MANY),
        ("compare", "A", "B", "--flips", MANY),
        ("build", "templates", "gender", "--lang", "fr", "--show", "1", "--seed", MANY),
        ("estimate", "priors", "c.en", "c.de", "--target-lang", "de", "--limit", MANY),
        ("report", "A", "--out", "p.html", "--sizes", MANY),
    ],
)
def test_a_number_of_23_digits(arguments: tuple[str, ...], here: Path, referee: Command) -> None:
    outcome = referee(*arguments)
    assert (outcome.code, "Traceback" in outcome.err) == (0, False), outcome.err


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("deep.jsonl", ("stats", "dataset", "deep.jsonl")),
        ("A/run.json", ("diagnose", "A")),
        ("A/findings.json", ("diagnose", "A")),
        ("deep.json", ("diagnose", "B", "--priors", "deep.json")),
        ("demo/demo.json", ("demo", "--quick", "--out", "demo")),
        ("deep/language.toml", ("build", "templates", "--lang", "deep", "--show", "1")),
    ],
)
def test_json_that_is_100000_levels_deep(name: str, arguments: tuple[str, ...], here: Path, referee: Command) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    for text in (DEEP, DEEP + b"]" * len(DEEP), b'{"meta":' + b'{"a":' * 100_000, b"x = " + DEEP):
        Path(name).write_bytes(text + b"\n")
        before = content(here)
        outcome = referee(*arguments)
        assert (outcome.code, outcome.err.count("\n")) == (1, 1), outcome
        assert name.partition("/")[0] in outcome.err
        assert content(here) == before
