"""The demo's folder: `demo.json` says what a demo made there, and only that is ever replaced."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from referee.errors import InputError, RunError
from referee.io.files import atomic_write

NOTE = "demo.json"
PAGE = "report.html"
_NAME = re.compile(r"[a-z0-9-]+")
_FILE = re.compile(r"[a-z]+\.[a-z]+")
_RUN_FILES = ("verdicts.parquet", "findings.json", "items.jsonl.gz", ".lock", "run.json")


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What a demo wrote about itself: files and run folders of its own, by name; what it found once it is done."""

    referee_demo: Literal[1] = 1
    status: Literal["running", "done"]
    identity: str
    sets: list[str]
    runs: list[str]
    extra: list[str]
    found: Any = None


def earlier(folder: Path, extra: Sequence[str] = ()) -> Note | None:
    """What an earlier demo left in the folder; a folder in which no demo can work is refused.

    `extra` are further names that the demo writes: a file of the user's under one of them is kept.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise InputError("is a file, not a folder", "choose another --out", file=folder)
        if (note := _read(folder / NOTE)) is None:
            for name in ("sets", "runs", PAGE, NOTE, *extra):
                if (folder / name).exists():
                    problem = f"contains '{name}', which is not from the demo"
                    raise RunError(problem, "choose another --out", file=folder)
    except OSError as error:
        raise InputError(f"cannot be used ({error.strerror})", "choose another --out", folder) from None
    return note


def claim(folder: Path, note: Note) -> None:
    """Makes the folder, and clears what a demo with other inputs left; one with the same inputs is continued."""
    previous = earlier(folder, list(filter(_FILE.fullmatch, note.extra)))
    try:
        if previous is not None and previous.identity != note.identity:
            _clear(folder, previous)
    except OSError as error:
        raise InputError(f"cannot be cleared ({error.strerror})", "choose another --out", folder) from None
    write(folder, note)


def write(folder: Path, note: Note) -> None:
    """Replaces the note at once."""
    with atomic_write(folder / NOTE) as file:
        file.write(msgspec.json.format(msgspec.json.encode(note), indent=2) + b"\n")


def _read(path: Path) -> Note | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Note)
    except (FileNotFoundError, IsADirectoryError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _clear(folder: Path, note: Note) -> None:
    """Removes what the note names, file by file; other files stay."""
    for name in filter(_NAME.fullmatch, note.sets):
        (folder / "sets" / f"{name}.jsonl").unlink(missing_ok=True)
    for name in filter(_NAME.fullmatch, note.runs):
        run = folder / "runs" / name
        if run.is_symlink() or not run.is_dir():
            continue
        if not (run / "parts").is_symlink():
            shutil.rmtree(run / "parts", ignore_errors=True)
        for file in (*(run / name for name in _RUN_FILES), *run.glob(".*.part")):
            file.unlink(missing_ok=True)
        _drop_empty(run)
    for name in filter(_FILE.fullmatch, note.extra):
        if not (folder / name).is_dir():
            (folder / name).unlink(missing_ok=True)
    for name in ("sets", "runs"):
        _drop_empty(folder / name)


def _drop_empty(folder: Path) -> None:
    if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
        folder.rmdir()
