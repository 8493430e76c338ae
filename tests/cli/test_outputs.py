"""No command loses a file: inputs and runs are never replaced, files of others only with --force."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from referee import sets
from referee.cli.main import app
from referee.cli.outputs import inputs_of
from tests.conftest import Command
from tests.support.items import item
from tests.support.workspace import WRITING, add_runs, content, fill

FILES = [name for name, writing in WRITING.items() if not writing.folder]
MINE = {
    "text": b"precious\n",
    "items by hand": json.dumps(json.loads(sets.canonical(item()))).encode() + b"\n",
    "numbers": b"1\n2\n3\n",
    "page": b"<!doctype html><title>mine</title>",
    "json": b'{"schema": 1}\n',
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: None) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.chdir(fill(tmp_path))
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    add_runs()
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_somebody_else_needs_force(name: str, here: Path, referee: Command) -> None:
    writing = WRITING[name]
    for text in MINE.values():
        Path(writing.out).write_bytes(text)
        outcome = referee(*writing.to(writing.out))
        assert (outcome.code, outcome.err.count("\n")) == (1, 1), outcome
        assert f"{writing.out}: already exists and was not written by referee" in outcome.err
        assert Path(writing.out).read_bytes() == text
    assert referee(*writing.to(writing.out), "--force").code == 0
    first = Path(writing.out).read_bytes()
    assert first != text
    # What we wrote is ours: the same command may run again without a word.
    again = referee(*writing.to(writing.out))
    assert (again.code, Path(writing.out).read_bytes()) == (0, first), again.err


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
def test_an_input_is_never_replaced(name: str, force: tuple[str, ...], here: Path, referee: Command) -> None:
    writing = WRITING[name]
    ending = writing.out.partition(".")[2]
    tried = 0
    for given in [path for path in writing.inputs if Path(path).is_file()]:
        hard, soft = f"hard.{ending}", f"soft.{ending}"
        os.link(given, hard)
        Path(soft).symlink_to(given)
        spellings = [hard, soft] + [spelt for spelt in (given, f"./{given}", f"A/../{given}") if given.endswith(ending)]
        before = content(here)
        for out in spellings:
            outcome = referee(*writing.to(out), *force)
            assert outcome.code == 1, (out, outcome)
            assert "is an input of this command" in outcome.err
            assert content(here) == before
            tried += 1
        Path(hard).unlink()
        Path(soft).unlink()
    assert tried or name in ("templates", "flips", "report")


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
def test_a_file_of_a_run_is_never_replaced(force: tuple[str, ...], here: Path, referee: Command) -> None:
    before = content(here)
    commands = [
        WRITING["flips"].to("A/run.json"),
        WRITING["flips"].to("B/.lock"),
        WRITING["perturb"].to("A/items.jsonl.gz"),
        WRITING["perturb.parquet"].to("A/verdicts.parquet"),
        WRITING["priors"].to("B/findings.json"),
        WRITING["tables"].to("A"),
    ]
    for command in commands:
        outcome = referee(*command, *force)
        assert (outcome.code, outcome.err.count("\n")) == (1, 1), outcome
        assert "run" in outcome.err
        assert content(here) == before


def test_a_packed_input_under_its_plain_name(here: Path, referee: Command) -> None:
    sets.save(sets.load(here / "x.jsonl"), here / "z.jsonl.gz")
    outcome = referee("perturb", "z.jsonl", "phrase/he-said", "--out", "z.jsonl.gz", "--force")
    assert "is an input of this command (z.jsonl.gz)" in outcome.err


def test_a_published_file_is_never_replaced(here: Path, referee: Command) -> None:
    (here / "data").mkdir()
    (here / "data/published.jsonl").write_text("published\n")
    outcome = referee("perturb", "x.jsonl", "phrase/he-said", "--out", "data/published.jsonl", "--force")
    assert "is an input of this command" in outcome.err
    assert (here / "data/published.jsonl").read_text() == "published\n"


def test_a_cache_that_is_a_file_of_somebody_else(here: Path, referee: Command) -> None:
    before = content(here)
    for name in ("a", "x.jsonl", "A/run.json"):
        outcome = referee("eval", "pocket", "x.jsonl", "--cache", name, "--limit", 1)
        assert (outcome.code, outcome.err.count("\n")) == (1, 1)
        assert f"{name}: is not a score cache. Choose another file with --cache." in outcome.err
    assert content(here) == before


def test_tables_are_ours_until_somebody_edits_them(here: Path, referee: Command) -> None:
    command = WRITING["tables"].to("tables")
    assert referee(*command).code == 0
    assert referee(*command).code == 0
    table = next(iter(sorted(Path("tables").glob("*.csv"))))
    table.write_text("edited")
    outcome = referee(*command)
    assert (outcome.code, f"{table}: already exists and was not written by referee" in outcome.err) == (1, True)
    assert table.read_text() == "edited"
    assert referee(*command, "--force").code == 0


def test_files_of_others_in_a_folder_for_tables_stay(here: Path, referee: Command) -> None:
    Path("tables").mkdir()
    Path("tables/tables.json").write_text("mine")
    outcome = referee(*WRITING["tables"].to("tables"))
    assert (outcome.code, "tables.json: already exists" in outcome.err) == (1, True)
    assert content(here / "tables") == {"tables.json": b"mine"}
    assert not Path("p.html").exists()


def test_a_folder_with_a_file_that_the_demo_writes_is_refused(here: Path, referee: Command) -> None:
    Path("pocket.de").write_text("mine")
    outcome = referee("demo", "--quick", "--out", ".")
    assert (outcome.code, "contains 'pocket.de', which is not from the demo" in outcome.err) == (1, True)
    assert Path("pocket.de").read_text() == "mine"


def test_what_arguments_name(here: Path) -> None:
    given = {"items": "x.jsonl", "model": "hf:A,tokenizer=a", "out": Path("b"), "more": ["c.en"], "n": 3}
    context: Any = SimpleNamespace(params=given)
    assert [str(path) for path in inputs_of(context)] == ["x.jsonl", "A", "a", "c.en"]


def outputs() -> dict[str, set[str]]:
    """Every option of every command that names a file or folder to write, by its help."""
    found: dict[str, set[str]] = {}
    stack: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while stack:
        name, command = stack.pop()
        stack += [(f"{name} {inner}".strip(), made) for inner, made in getattr(command, "commands", {}).items()]
        for option in command.params:
            words = (getattr(option, "help", "") or "").lower()
            if any(word in words for word in ("write", "output file", "store the run", "folder for", "caches")):
                found.setdefault(name, set()).update(option.opts)
    return found


def test_every_option_that_names_an_output_is_guarded() -> None:
    """A new one must be listed here once its command calls `check_output`, or guards its folder by other means."""
    assert {name: options - {"--force"} for name, options in outputs().items()} == {
        "annotate": {"--out"},
        "build aflite": {"--out", "--work"},
        "build templates": {"--out"},
        "build twins": {"--out"},
        "compare": {"--flips-out"},
        "demo": {"--out"},
        "estimate priors": {"--out"},
        "eval": {"--out", "--cache"},
        "perturb": {"--out"},
        "report": {"--out", "--tables"},
    }
