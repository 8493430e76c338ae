"""The run folder: what was judged, by whom, and what came out; a killed run is continued where it stopped.

`parts/` holds finished chunks while a run is under way. Each appears whole or not at all and covers a fixed stretch of
the set, so the verdict file has the same bytes however often the run was interrupted.
"""

from __future__ import annotations

import fcntl
import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import msgspec

from referee import verdicts
from referee.analysis.accuracy import Findings
from referee.errors import RunError
from referee.files import atomic_write
from referee.verdicts import Verdict

CHUNK = 1000
"""Items in one part: what is lost at most when a run is killed."""

_PACKAGES = ("referee", "msgspec", "numpy", "pyarrow", "sentence-splitter")


class SuiteInput(msgspec.Struct, frozen=True):
    """One suite of a run, by name and content."""

    name: str
    items: int
    sha256: str


class Inputs(msgspec.Struct, frozen=True):
    """Everything that decides what the verdicts are; two runs with equal inputs are the same run."""

    model: str
    model_sha256: str
    settings: dict[str, str]
    suites: list[SuiteInput]
    chunk: int = CHUNK


class Counts(msgspec.Struct, frozen=True):
    """How many items there were and what became of them."""

    items: int
    judged: int
    tied: int
    truncated: int
    dropped: dict[str, int]


class RunInfo(msgspec.Struct, frozen=True, kw_only=True):
    """`run.json`."""

    schema: Literal[1] = 1
    status: Literal["running", "done"]
    inputs: Inputs
    counts: Counts | None = None
    seed: int
    resamples: int
    signature: str
    command: list[str]
    versions: dict[str, str]
    started: str
    finished: str | None = None


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def package_versions() -> dict[str, str]:
    """What the result may depend on beside the inputs."""
    return {"python": platform.python_version()} | {name: version(name) for name in _PACKAGES}


def read_info(folder: Path) -> RunInfo:
    """`run.json` of a folder."""
    path = folder / "run.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=RunInfo)
    except FileNotFoundError:
        remedy = "name a folder made by `referee eval --out`"
        raise RunError("is not a run folder (no run.json)", remedy, file=folder) from None
    except msgspec.MsgspecError as error:
        raise RunError(f"cannot be read ({error})", "delete the folder and run again", path) from None


def write_info(folder: Path, info: RunInfo) -> None:
    """Replaces `run.json` at once."""
    _write_json(folder / "run.json", info)


def write_findings(folder: Path, findings: list[Findings]) -> None:
    """Replaces `findings.json` at once."""
    _write_json(folder / "findings.json", findings)


def read_findings(folder: Path) -> list[Findings]:
    """What a finished run found."""
    return msgspec.json.decode((folder / "findings.json").read_bytes(), type=list[Findings])


@contextmanager
def claimed(folder: Path, inputs: Inputs) -> Iterator[RunInfo | None]:
    """Holds the folder for this process; gives what an earlier start of the same run left there."""
    existed = folder.exists()
    if existed and not folder.is_dir():
        raise RunError("is a file", "name a folder for the run", file=folder)
    if existed and not (folder / "run.json").exists() and any(p.name != ".lock" for p in folder.iterdir()):
        raise RunError("holds other files", "name a new folder for the run", file=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        raise RunError(f"cannot be written ({error.strerror})", "name another folder", file=folder) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError("is in use by another process", "wait for it, or name another folder", folder) from None
        earlier = read_info(folder) if (folder / "run.json").exists() else None
        if earlier is not None and (difference := _difference(earlier.inputs, inputs)):
            problem = f"holds a run with other inputs ({difference})"
            raise RunError(problem, "name another --out, or delete that folder", folder)
        yield earlier


def part_path(folder: Path, number: int) -> Path:
    """Where the verdicts of one chunk are kept until the run is done."""
    return folder / "parts" / f"{number:08d}.parquet"


def has_part(folder: Path, number: int) -> bool:
    """Whether a chunk was finished by an earlier start; a damaged one is done again."""
    try:
        verdicts.items_in(part_path(folder, number))
    except (OSError, ValueError):
        return False
    return True


def write_part(folder: Path, number: int, suite: str, chunk: list[Verdict]) -> None:
    """Keeps the verdicts of one chunk."""
    with atomic_write(part_path(folder, number)) as file:
        verdicts.write(suite, chunk, file)


def merge_parts(folder: Path, count: int) -> None:
    """Makes the verdict file from all parts."""
    with atomic_write(folder / "verdicts.parquet") as file:
        verdicts.merge((part_path(folder, number) for number in range(count)), file)


def remove_parts(folder: Path) -> None:
    """Cleans up once the verdict file is there; leftovers of killed writes go too."""
    shutil.rmtree(folder / "parts", ignore_errors=True)
    for leftover in folder.glob(".*.part"):
        leftover.unlink(missing_ok=True)


def _write_json(path: Path, value: object) -> None:
    with atomic_write(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def _difference(earlier: Inputs, inputs: Inputs) -> str:
    if earlier.model_sha256 != inputs.model_sha256 or earlier.settings != inputs.settings:
        return f"the model was {earlier.model} {earlier.settings or ''}".strip()
    if earlier.suites != inputs.suites:
        return f"the suites were {', '.join(f'{s.name} ({s.items} items, {s.sha256[:8]})' for s in earlier.suites)}"
    return "" if earlier.chunk == inputs.chunk else "other chunks"
