"""Ids, labels, features, candidates, names and messages full of control sequences: none reaches the terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from referee import sets
from referee.items import Candidate, Item
from tests.conftest import Command
from tests.support.hostile import HOSTILE, steering
from tests.support.twins import of_first_noun, twins

SET = f"{HOSTILE}.jsonl"
SCORES, OTHER, OUTPUTS = f"{HOSTILE}.scores", f"{HOSTILE}.others", f"{HOSTILE}.de"
RUN, SECOND = f"{HOSTILE}.run", f"{HOSTILE}.second"


def hostile(item: Item) -> Item:
    """The same item with a trap in every text that a user can choose."""
    return msgspec.structs.replace(
        item,
        id=f"{item.id}{HOSTILE}",
        group=f"{item.group}{HOSTILE}",
        label=f"label{HOSTILE}\nerror: forged",
        source=f"{HOSTILE}{item.source}",
        source_context=(HOSTILE,),
        target_context=(HOSTILE,),
        features={f"colour{HOSTILE}": f"red{HOSTILE}"},
        candidates=tuple(
            Candidate(f"{candidate.text}{HOSTILE}", candidate.features | {"shade": f"{gender}{HOSTILE}"})
            for gender, candidate in zip("mfn", item.candidates, strict=True)
        ),
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hostile set with scores and translations, and two runs on it; the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / f"data{HOSTILE}"))
    items = [hostile(item) for item in twins()]
    sets.save(items, tmp_path / SET)
    for name, shift in ((SCORES, 0), (OTHER, 1)):
        Path(name).write_text("".join(f"{(number * 7 + shift) % 5}\n" for number in range(3 * len(items))))
    Path(OUTPUTS).write_text("".join(f"{of_first_noun(item)}{HOSTILE}\n".replace("\r", "") for item in twins()))
    return tmp_path


COMMANDS: dict[str, tuple[str, ...]] = {
    "score": ("score", SET, "--scores", SCORES, "--by", f"colour{HOSTILE}", "--by", "shade"),
    "score, matched": ("score", SET, "--translations", OUTPUTS),
    "eval": ("eval", f"scores:{SCORES}", SET, "--out", RUN),
    "eval, other": ("eval", f"scores:{OTHER}", SET, "--out", SECOND),
    "diagnose": ("diagnose", RUN),
    "compare": ("compare", RUN, SECOND, "--flips", "3", "--by", f"colour{HOSTILE}", "--flips-out", f"f{HOSTILE}"),
    "report": ("report", RUN, "--out", f"{HOSTILE}.html", "--title", HOSTILE),
    "perturb": ("perturb", SET, "phrase/he-said", "--out", f"p{HOSTILE}.jsonl"),
    "twins": ("build", "twins", SET, "--by", "order", "--out", f"t{HOSTILE}.jsonl"),
    "stats": ("stats", "dataset", SET, "--by", f"colour{HOSTILE}", "--by", "label"),
    "suites": ("list", "suites", "wsc"),
}
JSON = ("score", "score, matched", "eval", "diagnose", "compare", "perturb", "twins", "stats", "suites")
FAULTS: dict[str, tuple[str, ...]] = {
    "no such file": ("score", f"none{HOSTILE}.jsonl", "--scores", SCORES),
    "no such suite": ("stats", "dataset", f"none{HOSTILE}"),
    "no such perturbation": ("perturb", SET, HOSTILE, "--out", "y.jsonl"),
    "no such model": ("eval", f"{HOSTILE}:x", SET),
    "no such option": ("eval", f"scores:{SCORES},{HOSTILE}=1", SET),
    "no number": ("eval", f"scores:{SCORES}", SET, "--limit", HOSTILE),
    "no command": (HOSTILE,),
    "no option": ("score", f"--{HOSTILE}"),
    "no run": ("diagnose", HOSTILE),
    "no breakdown": ("score", SET, "--scores", SCORES, "--by", HOSTILE),
    "no score": ("score", SET, "--scores", OUTPUTS),
    "no format": ("perturb", SET, "phrase/he-said", "--out", f"y.{HOSTILE}"),
    "no coding": ("diagnose", RUN, "--coding", HOSTILE),
    "no data": ("data", "get", HOSTILE),
    "no item": ("stats", "dataset", "bad.jsonl"),
}


def test_no_command_prints_a_control_sequence(here: Path, referee: Command) -> None:
    for name, arguments in COMMANDS.items():
        outcome = referee(*arguments)
        assert outcome.code == 0, (name, outcome.err)
        assert steering(outcome.out + outcome.err) == [], name
        assert "\nerror: forged" not in outcome.out, name
        if name in JSON:
            outcome = referee(*arguments, "--json")
            assert (outcome.code, steering(outcome.out + outcome.err)) == (0, []), name
            json.loads(outcome.out)
    # The text is all there: what steers is visible, and JSON holds it as it was.
    shown = referee("score", SET, "--scores", SCORES, "--by", "shade").out
    assert "‹U+001B›]0;owned‹U+0007›‹U+001B›[2J‹U+009B›2J‹U+202E›" in shown
    told = json.loads(referee("score", SET, "--scores", SCORES, "--json").out)
    assert told["run"]["inputs"]["suites"][0]["name"] == SET


def test_no_error_prints_a_control_sequence(here: Path, referee: Command) -> None:
    line = sets.canonical(hostile(next(twins()))).replace(b'"gold":0', b'"gold":9')
    Path("bad.jsonl").write_bytes(line.replace(b'"task"', b'"\\u001btask"') + b"\n")
    assert referee(*COMMANDS["eval"]).code == 0
    for name, arguments in FAULTS.items():
        outcome = referee(*arguments)
        assert outcome.code != 0 or name == "no breakdown", name
        assert outcome.err, name
        assert steering(outcome.out + outcome.err) == [], name


def on_a_terminal(folder: Path, *arguments: str) -> str:
    """What a command writes to a terminal, on stdout and stderr together."""
    master, slave = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "200"}
    command = [sys.executable, "-m", "referee", *arguments]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment):
        os.close(slave)
        written = b""
        while True:
            try:
                chunk = os.read(master, 1 << 16)
            except OSError:  # how a terminal says that nobody writes to it any more
                break
            if not chunk:
                break
            written += chunk
    os.close(master)
    return written.decode()


@pytest.mark.parametrize("name", ["score", "eval", "stats", "no such file", "no option"])
def test_on_a_terminal_only_rich_steers(name: str, here: Path) -> None:
    written = on_a_terminal(here, *(COMMANDS | FAULTS)[name])
    assert "owned" in written
    assert steering(written, terminal=True) == []
    if name in COMMANDS:
        assert "\x1b[" in written, "tables on a terminal have lines and colour"
