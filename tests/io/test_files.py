"""Files: lines end at newlines and nowhere else, and what is written is there whole or not at all."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InputError, MissingError
from referee.io.files import (
    atomic_write,
    byte_lines,
    content_sha256,
    count_lines,
    existing,
    open_binary,
    read_bytes,
    text_lines,
)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


# --- reading


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    odd = "a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029i\rj"
    path = written(tmp_path / "x", f"{odd}\nk\n".encode())
    assert list(text_lines(path)) == [odd, "k"]
    assert list(byte_lines(path)) == [odd.encode(), b"k"]
    assert count_lines(path) == 2


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\nb", [b"a", b"b"]),  # the last line may lack its end
        (b"a\n\nb\n", [b"a", b"", b"b"]),
        (b"\n", [b""]),
        (b"\n\n", [b"", b""]),
        (b" a \n\tb\t\n", [b" a ", b"\tb\t"]),
        (b"a\n\xef\xbb\xbfb\n", [b"a", b"\xef\xbb\xbfb"]),  # a mark is one at the start only
        (b"a\x00b\n", [b"a\x00b"]),
    ],
)
def test_lines(content: bytes, lines: list[bytes], tmp_path: Path) -> None:
    assert list(byte_lines(written(tmp_path / "x", content))) == lines
    assert list(byte_lines(written(tmp_path / "y.gz", gzip.compress(content)))) == lines
    assert read_bytes(tmp_path / "x") == b"\n".join(lines)


@given(st.lists(st.binary().map(lambda line: line.replace(b"\n", b"").rstrip(b"\r")), min_size=1))
def test_any_lines_come_back(lines: list[bytes]) -> None:
    if lines[0].startswith(b"\xef\xbb\xbf"):
        lines[0] = b"x" + lines[0]
    with TemporaryDirectory() as folder:
        path = written(Path(folder) / "x", b"".join(line + b"\n" for line in lines))
        assert list(byte_lines(path)) == lines


def test_windows_line_ends_are_read_only_on_request(tmp_path: Path) -> None:
    path = written(tmp_path / "x", b"a\nb\r\nc\rd\r\n")
    assert list(byte_lines(path, crlf=True)) == [b"a", b"b", b"c\rd"]
    with pytest.raises(InputError, match=r"x:2: has Windows line endings"):
        list(byte_lines(path))


BAD = {
    "empty": ("x", b"", r"x: is empty"),
    "byte-order mark": ("x", b"\xef\xbb\xbfa\n", r"x:1: starts with a byte-order mark"),
    "nothing packed": ("x.gz", gzip.compress(b""), r"x\.gz: is empty"),
    "not packed": ("x.gz", b"plain text", r"x\.gz: is a damaged gzip file \(Not a gzipped file .*\) from its start"),
    "checksum cut": ("x.gz", gzip.compress(b"a\n" * 1000)[:-4], r"x\.gz: is a damaged gzip file .* after line 1000"),
    "cut": ("x.gz", gzip.compress(bytes(range(256)) * 9)[:100], r"x\.gz: is a damaged gzip file"),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_files(fault: str, tmp_path: Path) -> None:
    name, content, message = BAD[fault]
    with pytest.raises(InputError, match=message):
        list(byte_lines(written(tmp_path / name, content)))


def test_a_flipped_bit_in_gzip_is_noticed(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(b"".join(b"%d\n" % number for number in range(999))))
    packed[-6] ^= 1  # in the checksum
    with pytest.raises(InputError, match="is a damaged gzip file"):
        list(byte_lines(written(tmp_path / "x.gz", bytes(packed))))


def test_text_must_be_utf8(tmp_path: Path) -> None:
    lines = text_lines(written(tmp_path / "x", "Straße\n".encode() + "Straße\n".encode("latin-1")))
    assert next(lines) == "Straße"
    with pytest.raises(InputError, match=r"x:2: is not valid UTF-8 .*\. Convert it with `iconv -t UTF-8`\."):
        next(lines)


def test_the_packed_file_stands_in_for_the_plain_one(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="x: does not exist"):
        existing(tmp_path / "x")
    packed = written(tmp_path / "x.gz", gzip.compress(b"packed\n"))
    assert existing(tmp_path / "x") == packed
    assert list(byte_lines(tmp_path / "x")) == [b"packed"]
    plain = written(tmp_path / "x", b"plain\n")
    assert existing(tmp_path / "x") == plain
    with open_binary(tmp_path / "x") as file:
        assert file.read() == b"plain\n"


def test_folders_and_impossible_paths(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is a folder, not a file. Give the path of a file"):
        existing(tmp_path)
    with pytest.raises(InputError, match="cannot be accessed"):
        existing(tmp_path / ("x" * 300))
    with pytest.raises(MissingError):
        existing(written(tmp_path / "x", b"a") / "y")


def test_a_packed_copy_has_the_same_digest(tmp_path: Path) -> None:
    content = os.urandom(3_000_000)
    wanted = hashlib.sha256(content).hexdigest()
    assert content_sha256(written(tmp_path / "x", content)) == wanted
    assert content_sha256(written(tmp_path / "y.gz", gzip.compress(content, 1))) == wanted


# --- writing


def test_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "x", b"old")
    with atomic_write(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
@pytest.mark.parametrize("before", [None, b"old"])
def test_a_failure_leaves_everything_as_it_was(
    fault: type[BaseException], before: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(fault), atomic_write(path) as file:
        file.write(b"half")
        raise fault
    assert (path.read_bytes() if path.exists() else None) == before
    assert list(tmp_path.iterdir()) == ([path] if before is not None else [])


def test_a_killed_process_leaves_the_old_file(tmp_path: Path) -> None:
    path = written(tmp_path / "x", b"old")
    code = """
import os, signal, sys
from pathlib import Path
from referee.io.files import atomic_write
with atomic_write(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
    ending = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert ending.returncode == -9
    assert path.read_bytes() == b"old"
    # What it left is hidden and named after its file, so that whoever cleans up knows it.
    assert [left.name[:3] + left.suffix for left in tmp_path.iterdir() if left != path] == [".x..part"]


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600), (0o002, 0o664)])
def test_the_mode_is_that_of_any_new_file(mask: int, mode: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        with atomic_write(tmp_path / "x") as file:
            file.write(b"new")
        assert os.umask(mask) == mask  # looked at, not changed
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == mode


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "a" / "b" / "x") as file:
        file.write(b"new")
    assert (tmp_path / "a" / "b" / "x").read_bytes() == b"new"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"is a folder, not a file. Give the path of a file to write"),
        atomic_write(tmp_path),
    ):
        pass
    file = written(tmp_path / "x", b"old")
    with pytest.raises(InputError, match=r"x/y: cannot be written \(.*\). Choose another path"):
        atomic_write(file / "y").__enter__()
    assert file.read_bytes() == b"old"


def test_two_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with atomic_write(path) as first, atomic_write(path) as second:
        first.write(b"first " * 10)
        second.write(b"second")
    assert path.read_bytes() == b"first " * 10  # the one that ended last
    assert list(tmp_path.iterdir()) == [path]
