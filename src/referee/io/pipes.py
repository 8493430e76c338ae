"""Input that can be read only once, such as `/dev/stdin` and `<(command)`: copied once, then read like a file."""

from __future__ import annotations

import atexit
import functools
import os
import re
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import copyfileobj

from referee.errors import InputError, from_os

_DESCRIPTOR = re.compile(r"/dev/(?:(?P<stdin>stdin)|fd/(?P<number>\d+))|/proc/self/fd/(?P<entry>\d+)")


def rereadable(path: Path) -> Path:
    """The path itself if it is a file, the copy of a pipe that this process was given; anything else is refused."""
    try:
        status = path.stat()
    except OSError as error:
        raise from_os(error, path) from None
    descriptor = _descriptor(path)
    if stat.S_ISREG(status.st_mode) and (descriptor is None or sys.platform == "linux"):
        return path
    if path == Path(os.devnull):
        return path
    if descriptor is not None and not stat.S_ISCHR(status.st_mode):
        return _copied(path, descriptor, status.st_dev, status.st_ino)
    if stat.S_ISFIFO(status.st_mode):
        raise InputError("is a named pipe, which can be read only once", "write its content to a file", path)
    if descriptor is not None:
        raise InputError(
            "is a terminal or a device, not a file", "give the path of a file, or pipe a file into the command", path
        )
    raise InputError("is a device or a socket, not a file", "give the path of a file", path)


def is_pipe(path: Path) -> bool:
    """Whether a path names a descriptor of this process: its name says nothing about its format."""
    return _descriptor(path) is not None


def _descriptor(path: Path) -> int | None:
    match = _DESCRIPTOR.fullmatch(str(path))
    if match is None:
        return None
    return 0 if match["stdin"] else int(match["number"] or match["entry"])


# A pipe is what its number says for as long as it is open, and it cannot be read again: one copy per pipe is right.
@functools.cache
def _copied(path: Path, descriptor: int, _device: int, _inode: int) -> Path:
    handle, name = tempfile.mkstemp(prefix="referee-")
    copy = Path(name)
    atexit.register(_remove, copy)
    try:
        with os.fdopen(handle, "wb") as file, os.fdopen(os.dup(descriptor), "rb") as pipe:
            copyfileobj(pipe, file)
    except OSError as error:
        _remove(copy)
        raise from_os(error, path) from None
    return copy


def _remove(copy: Path) -> None:
    with suppress(OSError):
        copy.unlink(missing_ok=True)
