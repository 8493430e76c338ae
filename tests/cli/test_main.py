"""The command itself: help, version, usage errors, and how it ends."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import typer

import referee as package
from referee import sets
from referee.cli.main import app
from tests.conftest import Command
from tests.support.items import item

MAIN = [
    sys.executable,
    "-c",
    # A shell that runs tests in the background makes its children deaf to Ctrl-C; a terminal does not.
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);from referee.cli.main import main; main()",
]


def test_version(referee: Command) -> None:
    outcome = referee("--version")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"referee {package.__version__}\n", "")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ((), ("demo", "list", "eval", "score", "stats", "data", "--version")),
        (("list",), ("suites", "models")),
        (("list", "suites"), ("FAMILY", "--there", "--data", "--json")),
        (("list", "models"), ("--json",)),
        (("eval",), ("MODEL", "SUITE", "--out", "--limit", "--match", "--by", "--data", "--json")),
        (("score",), ("ITEMS", "--translations", "--scores", "--lower-is-better", "--match", "--json")),
        (("stats",), ("dataset",)),
        (("stats", "dataset"), ("SET", "--by", "--json")),
        (("data",), ("get",)),
        (("data", "get"), ("NAME", "--force", "--data", "--json")),
        (("demo",), ("--out", "--quick", "--json")),
    ],
)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(command: tuple[str, ...], words: tuple[str, ...], flag: str, referee: Command) -> None:
    outcome = referee(*command, flag)
    assert (outcome.code, outcome.err) == (0, "")
    for word in words:
        assert word in outcome.out


def helps() -> Iterator[tuple[str, Any, str]]:
    """The name of every command, the command, and its help in 80 columns."""
    stack: list[tuple[str, Any, Any]] = [("referee", typer.main.get_command(app), None)]
    while stack:
        name, command, parent = stack.pop()
        context = command.context_class(command, info_name=name.split()[-1], parent=parent, terminal_width=80)
        yield name, command, command.get_help(context)
        stack += [(f"{name} {inner}", made, context) for inner, made in getattr(command, "commands", {}).items()]


HELPS = list(helps())


@pytest.mark.parametrize(("name", "command", "text"), HELPS, ids=[name for name, _, _ in HELPS])
def test_help_survives_eighty_columns(name: str, command: Any, text: str) -> None:
    first = (command.help or "").split("\n\n")[0]
    assert first.endswith(".")
    assert len(first) <= (60 if " " in name else 80)
    lines = text.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert not [line for line in lines if line.endswith("...") and not line.startswith("Usage:")]
    for inner in getattr(command, "commands", {}).values():
        assert any(line.endswith((inner.help or "").split("\n\n")[0]) for line in lines)
    for parameter in command.params:
        assert getattr(parameter, "help", None), parameter.name
    repeatable = [option.help for option in command.params if getattr(option, "multiple", False)]
    assert all(words.endswith(" Repeatable.") for words in repeatable)
    assert repeatable or name not in ("referee eval", "referee perturb")


def test_help_uses_plain_words() -> None:
    """The rewrites of the style note, and none of the words that it replaces."""
    text = "\n".join(" ".join(shown.split()) for _, _, shown in HELPS)
    for line in (
        "eval Evaluate a model on challenge sets.",
        "demo Run the one-minute demo on the bundled translator.",
        "perturb Perturb a set; skipped items are counted by reason.",
        "--context N Include the N preceding sentences, source and target.",
        "Score the whole sentence, only the tokens after the filler, or a single masked position.",
        "Items longer than the model's maximum length: stop with an error, or drop and count them.",
        "--salience Compute the salience of each source word and store it in the run folder.",
    ):
        assert line in text
    words = (
        r"\b(judge\w*|alternatives?|beside|mend|so many|goes? (on|along)|leave|may be repeated|(a|one) a line|else)\b"
    )
    assert re.findall(words, text.replace("$REFEREE_DATA, else", "")) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate",),
        ("--verbose",),
        ("list", "suits"),
        ("list", "suites", "wsc", "more"),
        ("eval",),
        ("eval", "scores:scores"),
        ("eval", "scores:scores", "x.jsonl", "--limit", "0"),
        ("eval", "scores:scores", "x.jsonl", "--limit", "many"),
        ("eval", "scores", "x.jsonl"),
        ("eval", "scores:scores,better=best", "x.jsonl"),
        ("eval", "translations:out.de,better=lower", "x.jsonl"),
        ("eval", "translations:out.de", "x.jsonl", "--match", "fuzzy"),
        ("eval", "scores:scores", "x.jsonl", "x.jsonl"),
        ("score", "x.jsonl"),
        ("score", "x.jsonl", "--scores", "scores", "--translations", "out.de"),
        ("score", "x.jsonl", "--translations", "out.de", "--lower-is-better"),
        ("score", "x.jsonl", "--scores", "scores", "--match", "fuzzy"),
        ("score", "x.jsonl", "--scores", "scores", "--match", "paper"),
        ("stats", "dataset"),
        ("stats", "nothing"),
        ("data", "get"),
    ],
    ids=" ".join,
)
def test_usage_errors(arguments: tuple[str, ...], folder: Path, referee: Command) -> None:
    outcome = referee(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("arguments", [(), ("list",), ("stats",), ("data",)])
def test_without_a_command_there_is_help(arguments: tuple[str, ...], referee: Command) -> None:
    outcome = referee(*arguments)
    assert outcome.code == 2
    assert "Usage: referee" in outcome.out + outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("eval", "score:scores", "x.jsonl"), "unknown model kind 'score' (did you mean scores?)"),
        (("eval", "scores:nothing", "x.jsonl"), "nothing: does not exist"),
        (("eval", "scores:scores", "nothing.jsonl"), "nothing.jsonl: does not exist"),
        (("data", "get", "nothing"), "unknown suite 'nothing'"),
        (("stats", "dataset", "x" * 300), "x"),
        (
            ("eval", "scores:scores", "x.jsonl", "--out", "x.jsonl"),
            "x.jsonl: is a file, not a folder. Choose another --out.",
        ),
    ],
)
def test_what_the_user_can_fix_is_one_line(
    arguments: tuple[str, ...], message: str, folder: Path, referee: Command
) -> None:
    outcome = referee(*arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    assert outcome.err.startswith("error: ")
    assert message in outcome.err


def test_ctrl_c(folder: Path) -> None:
    process = subprocess.Popen(
        [*MAIN, "score", "x.jsonl", "--scores", "/dev/stdin"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_until_read(process)
        # It waits for the next score now, and gets Ctrl-C instead. One that comes just before it begins to wait is
        # seen only when the waiting ends, so it may take a second one.
        for _ in range(10):
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=3)
                break
    finally:
        process.kill()
        out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == "Interrupted. Run the same command again to resume.\n"


def wait_until_read(process: subprocess.Popen[str]) -> None:
    """Write to a process, and wait until it has read that."""
    assert process.stdin
    process.stdin.write("1\n")
    process.stdin.flush()
    while struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, b"\0" * 4)) != (0,):
        assert process.poll() is None, "the process ended before it read anything"
        time.sleep(0.01)


@pytest.mark.parametrize(
    "arguments", [("list", "models"), ("score", "x.jsonl", "--scores", "scores", "--json"), ("--help",)], ids=" ".join
)
def test_a_reader_that_has_left(arguments: tuple[str, ...], folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ending = subprocess.run([*MAIN, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writer)
    assert (ending.returncode, ending.stderr) == (0, "")


def test_head(folder: Path) -> None:
    # More than a pipe holds, so that the command is still writing when head leaves.
    sets.save([item(id=str(number), label=f"label {number}" + "x" * 200) for number in range(2000)], folder / "x.jsonl")
    command = subprocess.Popen([*MAIN, "stats", "dataset", "x.jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout is not None
    assert command.stderr is not None
    head = subprocess.run(["head", "-1"], stdin=command.stdout, capture_output=True, text=True, check=True)
    command.stdout.close()
    with command.stderr:
        err = command.stderr.read()
    assert (head.stdout, err) == (
        "x.jsonl: 2000 items in 2000 groups, 6000 candidates; 2000 items with gold, 0 with expected forms\n",
        b"",
    )
    assert command.wait() == 0
