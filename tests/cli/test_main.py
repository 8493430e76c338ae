"""The command itself: help, version, usage errors, and how it ends."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import referee as package
from referee import sets
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
        (("eval",), ("MODEL", "SUITE...", "--out", "--limit", "--match", "--by", "--data", "--json")),
        (("score",), ("ITEMS", "--translations", "--scores", "--lower-is-better", "--match", "--json")),
        (("stats",), ("dataset",)),
        (("stats", "dataset"), ("SET...", "--by", "--json")),
        (("data",), ("get",)),
        (("data", "get"), ("NAME...", "--force", "--data", "--json")),
        (("demo",), ("--out", "--quick", "--json")),
    ],
)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(command: tuple[str, ...], words: tuple[str, ...], flag: str, referee: Command) -> None:
    outcome = referee(*command, flag)
    assert (outcome.code, outcome.err) == (0, "")
    for word in words:
        assert word in outcome.out


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
        (("eval", "score:scores", "x.jsonl"), "there is no model kind 'score' (did you mean scores?)"),
        (("eval", "scores:nothing", "x.jsonl"), "nothing: does not exist"),
        (("eval", "scores:scores", "nothing.jsonl"), "nothing.jsonl: does not exist"),
        (("data", "get", "nothing"), "there is no suite 'nothing'"),
        (("stats", "dataset", "x" * 300), "x"),
        (("eval", "scores:scores", "x.jsonl", "--out", "x.jsonl"), "x.jsonl: is a file; name a folder"),
    ],
)
def test_what_the_user_can_mend_is_one_sentence(
    arguments: tuple[str, ...], message: str, folder: Path, referee: Command
) -> None:
    outcome = referee(*arguments)
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    assert outcome.err.startswith("error: ")
    assert message in outcome.err


def test_ctrl_c(folder: Path) -> None:
    os.mkfifo(folder / "endless")
    process = subprocess.Popen(
        [*MAIN, "score", "x.jsonl", "--scores", "endless"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    writer = opened_by_reader(folder / "endless", process)
    try:
        # It waits for the first score now, and gets Ctrl-C instead. One that comes just before it begins to wait is
        # seen only when the waiting ends, so it may take a second one.
        for _ in range(10):
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                out, err = process.communicate(timeout=3)
                break
    finally:
        os.close(writer)
        process.kill()
        process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == "Interrupted. Run the same command again to resume.\n"


def opened_by_reader(path: Path, process: subprocess.Popen[str]) -> int:
    """A FIFO opened for writing as soon as the process reads it."""
    while process.poll() is None:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
    raise AssertionError("the process ended before it read anything")


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
