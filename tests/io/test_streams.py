"""Stdout and stderr of the command line: nothing that steers a terminal gets through, no traceback either."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.io.streams import CleanStream, ReaderLeftError, StdoutError, cleaned, raw
from tests.support.hostile import HOSTILE

MAIN = [sys.executable, "-m", "referee"]


class Full(io.StringIO):
    """A file on a full disk, or a pipe whose reader has left."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def write(self, text: str) -> int:
        raise OSError(self.number, os.strerror(self.number))


def test_control_characters_become_text() -> None:
    inner = io.StringIO()
    CleanStream(inner, lossy=False).write(f"a{HOSTILE}b\n\tc")
    shown = inner.getvalue()
    assert shown.startswith("a")
    assert shown.endswith("b\n\tc")
    assert not [letter for letter in shown if (letter < " " and letter not in "\n\t") or "\x7f" <= letter <= "\x9f"]
    assert "\u202e" not in shown
    assert "‹U+001B›" in shown


def test_lines_and_what_asks_about_the_stream() -> None:
    inner = io.StringIO()
    stream = CleanStream(inner, lossy=False)
    stream.writelines(iter(["one\n", "\x1btwo\n"]))
    stream.flush()
    assert inner.getvalue() == "one\n‹U+001B›two\n"
    assert (stream.isatty(), stream.writable(), stream.readable(), stream.closed) == (False, True, False, False)
    assert (stream.encoding, stream.errors, hasattr(stream, "buffer")) == ("utf-8", "backslashreplace", False)


def test_a_terminal_that_cannot_encode_a_character() -> None:
    inner = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    CleanStream(inner, lossy=False).write("Käse \udcff \x1b")
    assert inner.buffer.getvalue() == b"K\\xe4se \\ufffd \\u2039U+001B\\u203a"


def test_a_full_disk_stops_results_but_not_remarks() -> None:
    with pytest.raises(StdoutError, match=r"standard output cannot be written \(No space left on device\)"):
        CleanStream(Full(errno.ENOSPC), lossy=False).write("x")
    with pytest.raises(ReaderLeftError):
        CleanStream(Full(errno.EPIPE), lossy=False).write("x")
    CleanStream(Full(errno.ENOSPC), lossy=True).write("x")


def test_a_closed_stream() -> None:
    closed = CleanStream(None, lossy=False)
    closed.flush()
    with pytest.raises(StdoutError, match="Bad file descriptor"):
        closed.write("x")
    with pytest.raises(io.UnsupportedOperation):
        closed.fileno()
    CleanStream(None, lossy=True).write("x")


def test_both_streams_are_cleaned_and_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr
    with cleaned():
        sys.stdout.write("\x1bout")
        sys.stderr.write("\x1berr")
        assert raw(sys.stdout) is before[0]
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr() == ("‹U+001B›out", "‹U+001B›err")
    assert raw(before[0]) is before[0]


def ended(command: str, tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A shell that runs `referee` as `$REFEREE`."""
    variables = os.environ | {"REFEREE": " ".join(MAIN)} | environment
    return subprocess.run(["bash", "-c", command], cwd=tmp_path, env=variables, capture_output=True, check=False)


@pytest.mark.parametrize("command", ["list models", "--help", "list models --json", "--version"])
@pytest.mark.parametrize(("target", "reason"), [("&-", b"Bad file descriptor"), ("/dev/full", b"No space left")])
def test_stdout_that_cannot_be_written_is_one_sentence(
    command: str, target: str, reason: bytes, tmp_path: Path
) -> None:
    outcome = ended(f"$REFEREE {command} >{target}", tmp_path)
    assert (outcome.returncode, outcome.stderr.count(b"\n")) == (1, 1)
    assert outcome.stderr.startswith(b"error: standard output cannot be written (" + reason)


@pytest.mark.parametrize("target", ["&-", "/dev/full"])
def test_stderr_that_cannot_be_written_does_not_matter(target: str, tmp_path: Path) -> None:
    outcome = ended(f"$REFEREE list models 2>{target}", tmp_path)
    assert outcome.returncode == 0
    assert outcome.stdout.startswith(b"model kinds\n")
    assert ended(f"$REFEREE score x.jsonl --scores y 2>{target}", tmp_path).returncode == 1


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    out = tmp_path / "fr.jsonl"
    outcome = ended(f"$REFEREE --verbose build templates gender --lang fr --out {out} >&- 2>&- <&-", tmp_path)
    assert outcome.returncode == 1  # the table cannot be printed
    assert out.read_bytes().startswith(b'{"schema"')
    assert b"referee" not in out.read_bytes()


def test_a_terminal_in_ascii(tmp_path: Path) -> None:
    command = "$REFEREE build templates gender --lang fr --show 2"
    for variables in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        outcome = ended(command, tmp_path, **variables)
        assert (outcome.returncode, outcome.stderr) == (0, b"")
        assert outcome.stdout.isascii()
