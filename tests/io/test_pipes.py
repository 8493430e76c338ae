"""Pipes are read like files, by every command that reads; what is neither is refused in a true sentence."""

from __future__ import annotations

import gzip
import os
import pty
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from referee import sets
from referee.errors import InputError
from referee.io.files import byte_lines, content_sha256, count_lines
from referee.io.pipes import is_pipe, rereadable
from tests.support.items import item

ITEMS = [item(id=str(number), source_context=(f"The cup {number} stood there.",)) for number in range(3)]
REFEREE = f"{sys.executable} -m referee"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("x.jsonl", "x.jsonl.gz", "x.parquet"):
        sets.save(ITEMS, tmp_path / name)
    (tmp_path / "scores").write_text("3\n1\n2\n" * 3)
    with gzip.open(tmp_path / "scores.gz", "wt") as file:
        file.write("3\n1\n2\n" * 3)
    (tmp_path / "translations").write_text("Er war hungrig.\n" * 3)
    return tmp_path


def bash(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_pipe_is_read_as_often_as_needed() -> None:
    reader, writer = os.pipe()
    os.write(writer, gzip.compress(b"a\nb\n"))
    os.close(writer)
    path = Path(f"/dev/fd/{reader}")
    assert is_pipe(path)
    assert count_lines(path) == 2
    assert list(byte_lines(path)) == [b"a", b"b"]
    assert content_sha256(path) == content_sha256(path)
    os.close(reader)


@pytest.mark.parametrize(
    "command",
    [
        "cat x.jsonl | {referee} stats dataset /dev/stdin",
        "{referee} stats dataset <(cat x.jsonl)",
        "cat x.jsonl.gz | {referee} stats dataset /dev/stdin",
        "{referee} stats dataset <(cat x.parquet)",
        "{referee} stats dataset /dev/stdin < x.jsonl",
        "{referee} score x.jsonl --scores <(cat scores)",
        "cat scores.gz | {referee} score x.jsonl --scores /dev/stdin",
        "{referee} score <(cat x.jsonl) --scores <(gzip -c scores)",
        "cat translations | {referee} score x.jsonl --translations /dev/stdin",
        "{referee} eval scores:<(cat scores) <(cat x.jsonl) --out run",
        "{referee} perturb <(cat x.jsonl) phrase/he-said --out out.jsonl",
    ],
)
def test_commands_read_pipes(folder: Path, command: str) -> None:
    outcome = bash(folder, command.format(referee=REFEREE))
    assert outcome.returncode == 0, outcome.stderr
    assert "empty" not in outcome.stderr


def test_errors_name_the_pipe_and_its_line(folder: Path) -> None:
    outcome = bash(folder, f"(cat x.jsonl; echo '{{}}') | {REFEREE} stats dataset /dev/stdin")
    assert outcome.returncode == 1
    assert outcome.stderr.startswith("error: /dev/stdin:4: ")
    outcome = bash(folder, f"printf '' | {REFEREE} stats dataset /dev/stdin")
    assert outcome.stderr.startswith("error: /dev/stdin: is empty.")
    outcome = bash(folder, f"{REFEREE} score x.jsonl --scores <(head -2 scores)")
    assert "expected 9 scores, one per candidate, but found 2" in outcome.stderr


def test_no_copy_is_left_behind(folder: Path) -> None:
    (folder / "tmp").mkdir()
    outcome = bash(folder, f"cat x.jsonl | TMPDIR={folder}/tmp {REFEREE} stats dataset /dev/stdin")
    assert outcome.returncode == 0, outcome.stderr
    assert list((folder / "tmp").iterdir()) == []


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(InputError, match=r"fifo: is a named pipe, which can be read only once. Write its content"):
        count_lines(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket"))
        with pytest.raises(InputError, match="socket: is a device or a socket, not a file"):
            count_lines(tmp_path / "socket")
    with pytest.raises(InputError, match="/dev/zero: is a device or a socket, not a file"):
        count_lines(Path("/dev/zero"))
    with pytest.raises(InputError, match="/dev/null: is empty"):
        count_lines(Path("/dev/null"))
    terminal, other = pty.openpty()
    with pytest.raises(InputError, match=r"is a terminal or a device, not a file. Give the path"):
        rereadable(Path(f"/dev/fd/{other}"))
    os.close(terminal)
    os.close(other)


def test_files_are_read_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a\n")
    assert rereadable(path) == path
    assert not is_pipe(path)
    (tmp_path / "link").symlink_to(path)
    assert rereadable(tmp_path / "link") == tmp_path / "link"
