"""The run folder: what was judged, by whom, and what came out; a killed run is continued where it stopped.

`parts/` holds finished chunks while a run is under way. Each appears whole or not at all and covers a fixed stretch of
the set, so the verdict file has the same bytes however often the run was interrupted.
"""

from __future__ import annotations

import fcntl
import hashlib
import platform
import re
import shutil
import sys
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
from referee.io.files import atomic_write
from referee.items import SetOrigin
from referee.verdicts import Verdict

CHUNK = 1000
"""Items in one part: what is lost at most when a run is killed."""

ITEMS = "items.jsonl.gz"
"""All items of a run, set after set: what was judged can be looked at wherever the folder goes."""

CHUNK_OF_MODELS = 500
"""The same for models that compute; their cache keeps even what is in the middle of a part."""

_ENGINES = ("torch", "transformers", "ctranslate2", "tokenizers", "sentencepiece")
_PACKAGES = ("referee", "msgspec", "numpy", "pyarrow", "sentence-splitter")


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
    """What the result may depend on beside the inputs: our own libraries, and the engines that are in use."""
    engines = [name for name in _ENGINES if name in sys.modules]
    return {"python": platform.python_version()} | {name: version(name) for name in (*_PACKAGES, *engines)}


def read_info(folder: Path) -> RunInfo:
    """`run.json` of a folder."""
    path = folder / "run.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=RunInfo)
    except (FileNotFoundError, NotADirectoryError):
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
    try:
        if folder.exists() and not folder.is_dir():
            raise RunError("is a file", "name a folder for the run", file=folder)
        if folder.exists() and not (folder / "run.json").exists() and not _empty(folder):
            raise RunError("holds other files", "name a new folder for the run", file=folder)
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


def write_part(folder: Path, number: int, chunk: list[Verdict]) -> None:
    """Keeps the verdicts of one chunk until the run is done, with their digest before them."""
    payload = msgspec.msgpack.encode(chunk)
    with atomic_write(_part_path(folder, number)) as file:
        file.write(hashlib.sha256(payload).digest() + payload)


def read_part(folder: Path, number: int) -> list[Verdict] | None:
    """The verdicts of a chunk that an earlier start finished; a damaged one counts as not finished."""
    try:
        content = _part_path(folder, number).read_bytes()
    except OSError:
        return None
    digest, payload = content[:32], content[32:]
    if hashlib.sha256(payload).digest() != digest:
        return None
    return msgspec.msgpack.decode(payload, type=list[Verdict])


def merge_parts(folder: Path, suites: list[str]) -> None:
    """Makes the verdict file from all parts; `suites` names the suite of each."""
    with atomic_write(folder / "verdicts.parquet") as file:
        verdicts.write(((suite, _sure_part(folder, number)) for number, suite in enumerate(suites)), file)


def remove_parts(folder: Path) -> None:
    """Cleans up once the verdict file is there; leftovers of killed writes go too."""
    shutil.rmtree(folder / "parts", ignore_errors=True)
    for leftover in folder.glob(".*.part"):
        leftover.unlink(missing_ok=True)


def _sure_part(folder: Path, number: int) -> list[Verdict]:
    part = read_part(folder, number)
    if part is None:
        raise RunError(f"part {number} is missing or damaged", "run the same command again", file=folder)
    return part


def _part_path(folder: Path, number: int) -> Path:
    return folder / "parts" / f"{number:08d}"


def _write_json(path: Path, value: object) -> None:
    with atomic_write(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def _difference(earlier: Inputs, inputs: Inputs) -> str:
    """What is not the same, in words; a set or a file that was only renamed is the same."""
    if earlier.model_sha256 != inputs.model_sha256:
        return f"the model was {earlier.model}, with other content"
    if earlier.settings != inputs.settings:
        return f"the model's options were {_listed(earlier.settings)}, now {_listed(inputs.settings)}"
    before, now = ([(suite.items, suite.sha256) for suite in made.suites] for made in (earlier, inputs))
    if before != now:
        return f"the sets were {_sized(earlier)}, now {_sized(inputs)}"
    return "" if earlier.chunk == inputs.chunk else f"chunks were of {earlier.chunk} items"


def _empty(folder: Path) -> bool:
    """Whether nobody's work is in a folder; a start that was killed at once leaves these two."""
    ours = re.compile(r"\.lock|\.run\.json\..*\.part")
    return all(ours.fullmatch(path.name) for path in folder.iterdir())


def _listed(settings: dict[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in sorted(settings.items())) or "none"


def _sized(inputs: Inputs) -> str:
    return ", ".join(f"{suite.name} ({suite.items} items, {suite.sha256[:8]})" for suite in inputs.suites)
