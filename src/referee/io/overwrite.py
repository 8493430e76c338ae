"""Whether a file may be written under a name: the one place that decides, for every command.

An input of the command and a file of a run are never replaced. Any other file that referee did not write is replaced
only with `--force`. Files are compared by what they are, not by their names: links and other spellings are the same.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from referee.errors import InputError, from_os

Recognises = Callable[[Path], bool]
"""Whether a file has the mark, or the exact form, of what this writer writes."""

_RUN = re.compile(r"run\.json|verdicts\.parquet|findings\.json|items\.jsonl\.gz|\.lock|salience-.*\.jsonl\.gz")
_PARTS = re.compile(r"parts|salience-.*\.parts")
_ELSEWHERE = "choose another path"


def check_overwrite(path: Path, recognises: Recognises, *, inputs: Iterable[Path] = (), force: bool = False) -> None:
    """Refuse a path if writing there would lose something of the user's; `inputs` are files and folders."""
    try:
        target = path.resolve()
        if (run := _run_of(target)) is not None:
            raise InputError(f"is a file of the run in {run}", _ELSEWHERE, file=path)
        if not target.exists():
            return
        if target.is_dir():
            raise InputError("is a folder, not a file", "give the path of a file to write", file=path)
        found = target.stat()
        if not stat.S_ISREG(found.st_mode):
            return
        ours = found.st_size == 0 or recognises(target)
        for given in inputs:
            if _holds(given, target, found, ours=ours):
                raise InputError(f"is an input of this command ({given})", _ELSEWHERE, file=path)
    except (OSError, RuntimeError) as error:
        # A loop of links is a RuntimeError.
        reason = error if isinstance(error, OSError) else OSError(None, "the links form a loop")
        raise from_os(reason, path, _ELSEWHERE, writing=True) from None
    if not (ours or force):
        problem = "already exists and was not written by referee"
        raise InputError(problem, "choose another path, or replace the file with --force", file=path)


def is_run_folder(folder: Path) -> bool:
    """Whether a run is stored in a folder."""
    return (folder / "run.json").is_file()


def _run_of(path: Path) -> Path | None:
    """The run folder that a file belongs to, whether or not it is there yet."""
    if _RUN.fullmatch(path.name) and path.name != "run.json" and is_run_folder(path.parent):
        return path.parent
    if path.name == "run.json" and path.is_file():
        # Somebody else's file of that name is an ordinary file.
        return path.parent if any((path.parent / name).exists() for name in ("verdicts.parquet", ".lock")) else None
    if _PARTS.fullmatch(path.parent.name) and is_run_folder(path.parent.parent):
        return path.parent.parent
    return None


def _holds(given: Path, target: Path, found: os.stat_result, *, ours: bool) -> bool:
    """Whether an input is the target or a folder with it; what referee wrote into such a folder may be replaced."""
    try:
        there = given.stat()
        if not stat.S_ISDIR(there.st_mode):
            return os.path.samestat(there, found)
        if ours:
            return False
        if given.resolve() in target.parents:
            return True
        # Another name of the same file can only exist where the file has several.
        return found.st_nlink > 1 and any(
            os.path.samestat(inner.stat(), found) for inner in given.rglob("*") if inner.is_file()
        )
    except OSError:
        return False
