"""Reading and writing files so that nothing is guessed, and nothing is lost when the machine stops."""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copyfileobj
from typing import IO, BinaryIO, cast

from referee.errors import InputError, MissingError, from_os, is_write_error
from referee.io.pipes import is_pipe, rereadable

BOM = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
_LONGEST = 40
"""Characters of a file's name in the name of its temporary file, which may not be longer than names may be."""


def existing(path: Path) -> Path:
    """`path` or `path.gz`, whichever is there; a clear error where neither is a readable file."""
    try:
        for candidate in (path, path.with_name(path.name + ".gz")):
            if candidate.is_dir():
                raise InputError("is a folder, not a file", "give the path of a file", file=candidate)
            if candidate.exists():
                return candidate
    except OSError as error:
        raise InputError(f"cannot be accessed ({error.strerror})", "check the path and its permissions", path) from None
    raise MissingError("does not exist", "check the path", file=path)


def open_binary(path: Path) -> BinaryIO | gzip.GzipFile:
    """The bytes of `path`, unpacked where its name ends in `.gz`, or where a pipe brings gzip."""
    path = existing(path)
    source = rereadable(path)
    try:
        return gzip.open(source) if is_packed(path) else source.open("rb")
    except PermissionError:
        raise InputError("cannot be read (permission denied)", f"run `chmod u+r {path}`", file=path) from None
    except OSError as error:
        raise from_os(error, path) from None


def is_packed(path: Path) -> bool:
    """Whether a file is gzip, by its name; a pipe has none, so its first bytes tell."""
    return starts_with(path, GZIP) if is_pipe(path) else path.suffix == ".gz"


def starts_with(path: Path, mark: bytes) -> bool:
    """Whether the first bytes of a file are these."""
    with rereadable(path).open("rb") as file:
        return file.read(len(mark)) == mark


def byte_lines(path: Path, *, crlf: bool = False) -> Iterator[bytes]:
    """Lines without their end: a newline, with `crlf` also a Windows one. BOM, damage, emptiness are errors."""
    path = existing(path)
    number = 0
    with open_binary(path) as file:
        try:
            for number, line in enumerate(file, 1):
                if number == 1 and line.startswith(BOM):
                    raise InputError("starts with a byte-order mark (BOM)", "save it as UTF-8 without BOM", path, 1)
                if not line.endswith(b"\r\n"):
                    yield line[:-1] if line.endswith(b"\n") else line
                elif crlf:
                    yield line[:-2]
                else:
                    raise InputError(
                        "has Windows line endings (CRLF)", "convert them with `sed -i 's/\\r$//'`", path, number
                    )
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            problem = f"is a damaged gzip file ({str(error).rstrip('.')})"
            # What is damaged may be all that follows, so there is no line to name.
            where = f"after line {number}" if number else "from its start"
            raise InputError(f"{problem} {where}", "download or compress it again", file=path) from None
    if number == 0:
        raise InputError("is empty", "use a file with at least one line", file=path)


def text_lines(path: Path) -> Iterator[str]:
    """Lines as text; a byte that is not UTF-8 is an error with its line."""
    for number, line in enumerate(byte_lines(path), 1):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            raise InputError(
                f"is not valid UTF-8 ({error.reason})", "convert it with `iconv -t UTF-8`", existing(path), number
            ) from None


def read_bytes(path: Path) -> bytes:
    """A whole small file, unpacked, with the same checks as `byte_lines`."""
    return b"\n".join(byte_lines(path))


def count_lines(path: Path) -> int:
    """How many lines there are, with the checks of `byte_lines`."""
    return sum(1 for _ in byte_lines(path))


def content_sha256(path: Path) -> str:
    """The digest of what a file holds, unpacked: a packed copy has the same."""
    digest = hashlib.sha256()
    with open_binary(path) as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A file that appears under `path` whole, or not at all, whenever the process dies.

    A symbolic link stays one: the file that it names is written. A device or a pipe gets the content once it is whole.
    """
    with write_errors(path):
        if path.is_dir():
            raise InputError("is a folder, not a file", "give the path of a file to write", file=path)
        target = path.resolve() if path.is_symlink() else path
        device = target.exists() and not target.is_file()
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = None if device else target.parent
        handle, name = tempfile.mkstemp(dir=folder, prefix=f".{target.name[:_LONGEST]}.", suffix=".part")
    temporary = Path(name)
    try:
        with write_errors(path, only_writes=True), os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with write_errors(path):
            if device:
                with temporary.open("rb") as content, target.open("wb") as opened:
                    copyfileobj(content, opened)
            else:
                temporary.chmod(0o666 & ~_umask())
                temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def write_errors(path: Path, remedy: str = "choose another path", *, only_writes: bool = False) -> Iterator[None]:
    """Name the file in what the system raises while it is written.

    With `only_writes`, errors that come from elsewhere in the block, such as a file that is read there, stay as they
    are.
    """
    try:
        yield
    except OSError as error:
        if only_writes and not is_write_error(error):
            raise
        raise from_os(error, path, remedy, writing=True) from None


@contextmanager
def packed(file: IO[bytes], level: int = 6) -> Iterator[IO[bytes]]:
    """What is written here goes into an open file as gzip; no name and no time, so the same content has one form."""
    with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0, compresslevel=level) as gzipped:
        yield cast("IO[bytes]", gzipped)


def _umask() -> int:
    # The process's mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
