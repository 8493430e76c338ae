"""The few ways in which a user's input can be at fault.

Every message has two sentences behind its place, `FILE:LINE: problem. Fix.`: what is wrong and what was expected, then
what to do. The command line prints it after `error: `, without a traceback, and leaves with `exit_code`. Library users
catch `RefereeError`.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self


@dataclass(eq=False)
class RefereeError(Exception):
    """Something the user can fix: `problem` says what is wrong, `remedy` what to do.

    Neither ends with a full stop. The remedy starts with a verb in lower case, which is capitalised here; the problem
    may start with a file, an option or a value, and is printed as it is.

    >>> print(InputError("expected 9 scores but found 2", "write one score per line", "two.txt"))
    two.txt: expected 9 scores but found 2. Write one score per line.
    """

    problem: str
    remedy: str
    file: Path | str | None = None
    line: int | None = None
    field: str | None = None

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        where = "" if self.file is None else str(self.file)
        if self.line is not None:
            where += f":{self.line}"
        parts = [where] if where else []
        if self.field:
            parts.append(f"field '{self.field}'")
        parts.append(f"{self.problem}. {self.remedy[:1].upper()}{self.remedy[1:]}.")
        return ": ".join(parts)

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Survive the way from one process to another, whatever way it was made."""
        return type(self), (self.problem, self.remedy, self.file, self.line, self.field)

    def at(self, file: Path | str, line: int | None = None) -> Self:
        """Return the same error with the file and line that only the caller knows."""
        return replace(self, file=file, line=line)


def either(choices: Sequence[str]) -> str:
    """List the valid choices for a remedy.

    >>> either(["auto", "contrastive", "both"])
    'auto, contrastive or both'
    """
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last


class InputError(RefereeError):
    """A file holds something that it must not."""


_FULL = {
    errno.EIO: "check the disk, then run the same command again",
    errno.ENOSPC: "free some space, then run the same command again",
    errno.EDQUOT: "free some space, then run the same command again",
    errno.EFBIG: "raise the limit on file sizes (`ulimit -f unlimited`), then run the same command again",
}
_REMEDY = "check the path and its permissions"


def is_write_error(error: OSError) -> bool:
    """Whether a write into an open file failed: such an error names no file."""
    return error.errno in _FULL and error.filename is None


def from_os(
    error: OSError, file: Path | str | None = None, remedy: str = _REMEDY, *, writing: bool = False
) -> InputError:
    """The error of the operating system as one that the user can fix; a full disk has a remedy of its own.

    >>> print(from_os(OSError(errno.ENOSPC, "No space left on device"), "out.jsonl"))
    out.jsonl: cannot be written (No space left on device). Free some space, then run the same command again.
    """
    reason = (error.strerror or str(error) or type(error).__name__).partition("\n")[0].rstrip(".")
    place = file if file is not None else error.filename
    name = place if place is None or isinstance(place, Path) else _text(place)
    verb = "written" if writing or error.errno in _FULL else "accessed"
    subject = "" if name is not None else "a file "
    return InputError(f"{subject}cannot be {verb} ({reason})", _FULL.get(error.errno or 0, remedy), file=name)


def _text(name: object) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)


class MissingError(RefereeError):
    """A file, a set or an optional package is not there."""


class UnknownNameError(RefereeError):
    """A name that no registry knows."""


class DownloadError(RefereeError):
    """A public source did not deliver what it should."""


class RunError(RefereeError):
    """A run folder belongs to something else, or is in use."""


class UsageError(RefereeError):
    """The command line contradicts itself."""

    exit_code: ClassVar[int] = 2
