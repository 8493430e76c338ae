"""The run folder: what was evaluated, on which items, and what came out.

`items.jsonl.gz` is written first and read from then on. `parts/` holds finished chunks of verdicts while a run is under
way; each covers a fixed stretch of a set, so the verdict file has the same bytes however often the run was interrupted.
`run.json` records the hash of every other file, and `.lock` holds a copy of it behind its own hash: whichever file is
damaged, the rest says so, and the same command repairs it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Literal, TypeVar

import msgspec
from pyarrow import ArrowException

from referee import sets, verdicts
from referee.analysis.accuracy import Findings
from referee.errors import RunError, from_os
from referee.io.files import atomic_write, write_errors
from referee.io.parts import Parts, sealed, unsealed
from referee.items import Item, SetOrigin
from referee.protocols import Usage
from referee.verdicts import Judged, Verdict

T = TypeVar("T")

CHUNK = 1000
"""Items in one part: what is lost at most when a run is killed."""

ITEMS = "items.jsonl.gz"
"""All items of a run, set after set, so that the folder is complete by itself."""

CHUNK_OF_MODELS = 500
"""The same for models that compute; their cache keeps even what is in the middle of a part."""

VERDICTS = "verdicts.parquet"
FINDINGS = "findings.json"
INFO = "run.json"
LOCK = ".lock"

SCHEMA_VERSION = 3
"""Raised when run folders of earlier versions can no longer be read."""


class SuiteInput(msgspec.Struct, frozen=True):
    """One suite of a run, by name and content; `origin` names the suite it was made of."""

    name: str
    items: int
    sha256: str
    origin: SetOrigin | None = None


class Inputs(msgspec.Struct, frozen=True):
    """Everything that decides what the verdicts are; two runs with equal inputs are the same run."""

    model: str
    model_sha256: str
    settings: dict[str, str]
    suites: list[SuiteInput]
    chunk: int = CHUNK


class Counts(msgspec.Struct, frozen=True):
    """Numbers of items: all, evaluated, tied, dropped by reason, and with a translation that reached its limit.

    `truncated_items` are the first of those; the column `truncated` of the verdict file marks all.
    """

    items: int
    judged: int
    tied: int
    truncated: int
    dropped: dict[str, int]
    truncated_items: list[str] = []


class ChangeCount(msgspec.Struct, frozen=True):
    """Effect of a perturbation on a suite: the number of items changed, and of items left out by reason."""

    suite: str
    change: str
    items: int
    changed: int
    dropped: dict[str, int]


class RunInfo(msgspec.Struct, frozen=True, kw_only=True):
    """`run.json`; `files` are the SHA-256 of the other files of a finished run, by name."""

    schema: int = SCHEMA_VERSION
    status: Literal["running", "done"]
    inputs: Inputs
    counts: Counts | None = None
    usage: Usage | None = None
    perturbations: list[ChangeCount] = []
    seed: int
    resamples: int
    signature: str
    idle_settings: list[str] = []
    """Settings that have no effect on these items, so that the signature leaves them out."""
    command: list[str]
    versions: dict[str, str]
    started: str
    finished: str | None = None
    files: dict[str, str] = {}


class _Schema(msgspec.Struct):
    schema: int


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_info(folder: Path) -> RunInfo:
    """`run.json` of a folder."""
    path = folder / INFO
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        remedy = "give a folder made by `referee eval --out`"
        raise RunError("is not a run folder (no run.json)", remedy, file=folder) from None
    except OSError as error:
        raise from_os(error, path) from None
    schema = _decoded(content, _Schema, path).schema
    if schema != SCHEMA_VERSION:
        problem = f"was written by another version of referee (run schema {schema}, expected {SCHEMA_VERSION})"
        raise RunError(problem, "run its command again with a new --out", file=folder)
    return _decoded(content, RunInfo, path)


def _decoded(content: bytes, type_: type[T], path: Path) -> T:
    try:
        return msgspec.json.decode(content, type=type_)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        copy = read_copy(path.parent)
        remedy = "delete the folder and run again" if copy is None else repair(copy)
        raise RunError(f"cannot be read ({error})", remedy, path) from None


def read_copy(folder: Path) -> RunInfo | None:
    """The copy of `run.json`; None if it is missing or damaged."""
    try:
        payload = unsealed((folder / LOCK).read_bytes())
        return None if payload is None else msgspec.msgpack.decode(payload, type=RunInfo)
    except (OSError, msgspec.MsgspecError):
        return None


def write_info(folder: Path, info: RunInfo) -> None:
    """Replaces `run.json` at once. Its copy comes first, so it is never the older of the two."""
    _write_copy(folder, info)
    _write_json(folder / INFO, info)


def _write_copy(folder: Path, info: RunInfo) -> None:
    path = folder / LOCK
    # In place: a new file under this name would not be the one that is locked.
    with write_errors(path), _opened_lock(path) as file:
        os.ftruncate(file.fileno(), 0)
        try:
            file.write(sealed(msgspec.msgpack.encode(info)))
        except OSError:
            # A part of a copy would look like a file of the user's.
            os.ftruncate(file.fileno(), 0)
            raise


def _opened_lock(path: Path) -> IO[bytes]:
    """The lock, opened so that nothing in it changes; a link is refused, for what it names is not ours."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666), "wb", buffering=0)


def file_hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of the files that `run.json` vouches for."""
    return {name: _sha256(folder / name) for name in (ITEMS, VERDICTS, FINDINGS)}


def is_whole(folder: Path, info: RunInfo, name: str) -> bool:
    """Whether a file of a finished run is there, and is the one that was written."""
    try:
        actual = _sha256(folder / name)
    except OSError:
        return False
    return info.files.get(name, actual) == actual


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_findings(folder: Path, findings: list[Findings]) -> None:
    """Replaces `findings.json` at once."""
    _write_json(folder / FINDINGS, findings)


def read_findings(folder: Path) -> list[Findings]:
    """Findings of a finished run."""
    return _decoded((folder / FINDINGS).read_bytes(), list[Findings], folder / FINDINGS)


@contextmanager
def claimed(folder: Path, inputs: Inputs) -> Iterator[RunInfo | None]:
    """Holds the folder for this process; gives what an earlier start of the same run left there."""
    with _locked(folder):
        earlier, intact = _earlier(folder)
        if earlier is not None and (difference := _difference(earlier.inputs, inputs)):
            problem = f"already contains a different run ({difference})"
            raise RunError(problem, "use another --out, or delete the folder", folder)
        if earlier is not None and not intact:
            write_info(folder, earlier)
        yield earlier


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        if folder.exists() and not folder.is_dir():
            raise RunError("is a file, not a folder", "choose another --out", file=folder)
        unknown = folder.exists() and not (folder / INFO).exists() and read_copy(folder) is None
        if unknown and not _empty(folder):
            raise RunError("contains other files", "choose a new folder for --out", file=folder)
        folder.mkdir(parents=True, exist_ok=True)
        lock = _opened_lock(folder / LOCK)
    except OSError as error:
        raise RunError(f"cannot be written ({error.strerror})", "choose another --out", file=folder) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError("is in use by another process", "wait for it, or choose another --out", folder) from None
        yield


def _earlier(folder: Path) -> tuple[RunInfo | None, bool]:
    """What an earlier start recorded, and whether both records say so; the copy counts, if it is whole."""
    copy = read_copy(folder)
    try:
        stored = read_info(folder) if (folder / INFO).exists() else None
    except RunError:
        if copy is None:
            raise
        stored = None
    if copy is None:
        return stored, stored is None
    return copy, copy == stored and (folder / INFO).read_bytes() == _json(copy)


def check_files(folder: Path, info: RunInfo) -> None:
    """Refuse a finished run of which a file is missing or damaged."""
    for name in (ITEMS, VERDICTS, FINDINGS):
        if not (folder / name).exists():
            raise RunError(f"the file '{name}' is missing", again(info), file=folder)
        if not is_whole(folder, info, name):
            raise RunError(f"the file '{name}' is damaged (its SHA-256 is not that of run.json)", repair(info), folder)
    copy = read_copy(folder)
    if copy not in (None, info):
        raise RunError(f"the file '{INFO}' is damaged (it differs from its copy in {LOCK})", repair(info), folder)


def parts(folder: Path) -> Parts[list[Verdict]]:
    """The finished chunks of a run that is under way."""
    return Parts(folder / "parts", list[Verdict])


def part_name(number: int) -> str:
    """The name of a chunk; names sort in the order of chunks."""
    return f"{number:08d}"


def remove_parts(folder: Path) -> None:
    """Clean up once the verdict file is there; leftovers of killed writes go too."""
    parts(folder).remove()
    for name in (INFO, ITEMS, VERDICTS, FINDINGS):
        for leftover in folder.glob(f".{name}.*.part"):
            leftover.unlink(missing_ok=True)


def read_items(folder: Path) -> Iterator[Item]:
    """All items of a run, set after set."""
    return sets.unchecked(folder / ITEMS)


def read_verdicts(folder: Path) -> Iterator[Verdict]:
    """All verdicts of a finished run, without the scores of single tokens."""
    return (verdict for _, verdict in verdicts.read(folder / VERDICTS, tokens=False))


def read_sets(folder: Path, info: RunInfo) -> list[Judged]:
    """Every set with its verdicts; a set that was evaluated in both modes is there twice, first by scores."""
    items = list(read_items(folder))
    try:
        judged = list(read_verdicts(folder))
    except (ArrowException, OSError, KeyError) as error:
        # A column that an earlier version did not write is a KeyError, whose text is in quotation marks.
        first = (str(error).splitlines() or [""])[0].strip("'")
        raise RunError(f"cannot be read ({first})", anew(info), file=folder) from None
    total = sum(suite.items for suite in info.inputs.suites)
    modes = len(judged) // max(1, total)
    if len(items) != total or len(judged) != modes * total:
        problem = f"expected {total} items by run.json, but found {len(items)} items and {len(judged)} verdicts"
        raise RunError(problem, anew(info), file=folder)
    if any(item.id != verdict.item for item, verdict in zip(items * modes, judged, strict=True)):
        raise RunError("its items and verdicts do not match", anew(info), file=folder)
    pairs = []
    start = 0
    for suite in info.inputs.suites:
        for mode in range(modes if suite.items else 0):
            offset = mode * total + start
            verdicts_ = judged[offset : offset + suite.items]
            pairs.append(
                Judged(suite.name, verdicts_[0].kind, items[start : start + suite.items], verdicts_, suite.origin)
            )
        start += suite.items
    return pairs


def again(info: RunInfo) -> str:
    """Remedy for an unfinished run: resume it."""
    if not info.command:
        return "repeat the same call to resume it"
    return f"run `{shlex.join(info.command)}` again to resume it"


def repair(info: RunInfo) -> str:
    """Remedy for a damaged file of a run: the same command writes it again."""
    if not info.command:
        return "repeat the same call to repair it"
    return f"run `{shlex.join(info.command)}` again to repair it"


def anew(info: RunInfo) -> str:
    """Remedy for a damaged run: replace it."""
    again = f"run `{shlex.join(info.command)}` again" if info.command else "repeat the same call"
    return f"delete the folder and {again}"


def _write_json(path: Path, value: object) -> None:
    with atomic_write(path) as file:
        file.write(_json(value))


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _difference(earlier: Inputs, inputs: Inputs) -> str:
    """The difference between two inputs in words; a set or a file that was only renamed is the same."""
    if earlier.model_sha256 != inputs.model_sha256:
        if earlier.model == inputs.model:
            return f"the content of {inputs.model} has changed"
        return f"the model was {earlier.model}, is now {inputs.model}"
    if earlier.settings != inputs.settings:
        return _changes(earlier.settings, inputs.settings)
    contents, earlier_contents = (
        [(suite.items, suite.sha256) for suite in suites] for suites in (inputs.suites, earlier.suites)
    )
    if contents != earlier_contents:
        return f"the sets were {_sized(earlier)}, are now {_sized(inputs)}"
    return "" if earlier.chunk == inputs.chunk else f"the chunk size was {earlier.chunk}, is now {inputs.chunk}"


def _empty(folder: Path) -> bool:
    """Whether nobody's work is in a folder; a start that was killed at once leaves these two."""
    ours = re.compile(r"\.lock|\.run\.json\..*\.part")
    lock = folder / LOCK
    return all(ours.fullmatch(path.name) for path in folder.iterdir()) and not (lock.exists() and lock.stat().st_size)


def _changes(earlier: dict[str, str], now: dict[str, str]) -> str:
    """The settings that differ, each with both values."""
    keys = sorted(key for key in earlier.keys() | now.keys() if earlier.get(key) != now.get(key))
    return ", and ".join(f"{key} was {earlier.get(key, 'not set')}, is now {now.get(key, 'not set')}" for key in keys)


def _sized(inputs: Inputs) -> str:
    return ", ".join(f"{suite.name} ({suite.items} items, {suite.sha256[:8]})" for suite in inputs.suites)
