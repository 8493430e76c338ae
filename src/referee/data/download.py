"""Fetching public files into the data folder: what lies there under its own name is whole and right, or not there."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Literal

import httpx

from referee import __version__
from referee.data.checksums import RECORD, Digest, digest_of, record, recorded
from referee.data.sources import Source
from referee.data.transfer import PassingError, Progress, attempt, note_of
from referee.errors import DownloadError, InputError

Notify = Callable[[str], None]


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds: for a connection, for the next bytes, and between attempts (doubling)."""

    connect: float = 15.0
    read: float = 30.0
    retries: int = 5
    backoff: float = 1.0
    longest: float = 120.0


@dataclass(frozen=True)
class Result:
    """What became of one file; `size` is that of its content."""

    source: Source
    path: Path
    outcome: Literal["fetched", "already there"]
    size: int


PATIENCE = Patience()


def fetch(
    source: Source,
    folder: Path,
    *,
    progress: Progress | None = None,
    notify: Notify | None = None,
    force: bool = False,
    patience: Patience = PATIENCE,
) -> Result:
    """Fetches one file, unless it is there and right; `force` replaces one that is there and wrong."""
    with _client(patience) as client:
        return _fetch(client, source, folder, progress, notify or _silent, patience, force=force)


def fetch_all(
    sources: Iterable[Source],
    folder: Path,
    *,
    progress: Callable[[Source, int, int | None], None] | None = None,
    notify: Notify | None = None,
    force: bool = False,
    patience: Patience = PATIENCE,
) -> list[Result]:
    """Fetches files one after the other over one connection; stops at the first that fails."""
    with _client(patience) as client:
        results = []
        for source in sources:
            of_source = partial(progress, source) if progress else None
            results.append(_fetch(client, source, folder, of_source, notify or _silent, patience, force=force))
        return results


def _fetch(
    client: httpx.Client,
    source: Source,
    folder: Path,
    progress: Progress | None,
    notify: Notify,
    patience: Patience,
    *,
    force: bool,
) -> Result:
    target = _target(source, folder)
    known = Digest(source.size, source.sha256)
    if source.sha256 is None:
        # What came the first time is all there is to compare with; `force` means to accept something new.
        known = recorded(folder).get(source.path, known)
    if present := _present(source, target, known, force=force):
        return present
    if source.sha256 is None and force:
        known = Digest(source.size)
    part = target.with_name(target.name + ".part")
    try:
        with _open_part(part) as file:
            _transfer(client, source, part, file, progress, notify, patience)
            got = digest_of(part)
            if difference := known.mismatch(got):
                _discard(part)
                problem = f"is not the file that was expected: {difference}"
                raise DownloadError(problem, "run the command again, or put the file there by hand", file=source.url)
            os.fsync(file.fileno())
            _put_in_place(part, target)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise DownloadError(problem, "make room or choose another folder with --data", file=target) from None
    if source.sha256 is None:
        record(folder, source.path, got)
        notify(f"{source.path}: the source publishes no checksum; SHA-256 {got.sha256} is noted in {RECORD}")
    return Result(source, target, "fetched", got.size or 0)


def _transfer(
    client: httpx.Client,
    source: Source,
    part: Path,
    file: IO[bytes],
    progress: Progress | None,
    notify: Notify,
    patience: Patience,
) -> None:
    """Attempts until one succeeds, the patience is at its end, or trying again is of no use."""
    tried = 0
    while True:
        tried += 1
        try:
            return attempt(client, source.url, part, file, source.size, progress)
        except PassingError as broken:
            cause, wait = broken.cause, broken.wait
        if tried > patience.retries:
            remedy = "check the connection and run the command again, it goes on where it stopped"
            raise DownloadError(f"cannot be fetched: {cause} (attempt {tried})", remedy, file=source.url)
        if wait is None:
            wait = min(patience.backoff * 2 ** (tried - 1), patience.longest)
        elif wait > patience.longest:
            problem = f"cannot be fetched: {cause} and asks to wait {wait:.0f} s"
            raise DownloadError(problem, "run the command again later", file=source.url)
        notify(f"retrying in {wait:g} s: {cause}")
        time.sleep(wait)


def _present(source: Source, target: Path, known: Digest, *, force: bool) -> Result | None:
    """The file that is already there, plain or packed; None where there is none or it is to be replaced."""
    path = next((path for path in (target, _packed(target)) if path.is_file()), None)
    if path is None:
        return None
    try:
        got = digest_of(path)
    except InputError:
        if force:
            return None
        raise
    difference = known.mismatch(got)
    if difference is None and (known.sha256 or not force):
        return Result(source, path, "already there", got.size or 0)
    if difference and not force:
        problem = f"is not the file that {source.url} should give: {difference}"
        raise DownloadError(problem, "move it away, or replace it with --force", file=path)
    return None


def _target(source: Source, folder: Path) -> Path:
    """Where the file goes; an address that is not of the web, or a path out of the folder, is refused."""
    if not source.url.startswith(("http://", "https://")):
        raise DownloadError("is not an address of the web", "give one that starts with https://", file=source.url)
    path = PurePosixPath(source.path)
    if not path.parts or path.is_absolute() or ".." in path.parts:
        raise DownloadError(f"the path '{source.path}' leads out of the data folder", "correct it", file=source.url)
    return folder / path


@contextmanager
def _open_part(part: Path) -> Iterator[IO[bytes]]:
    """The part opened for appending, for this process alone."""
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another process may have put the part in its place between our opening and our locking it.
            ours = os.path.samestat(os.fstat(file.fileno()), part.stat())
        except (BlockingIOError, FileNotFoundError):
            ours = False
        if not ours:
            raise DownloadError("is being fetched by another process", "wait until it is done", file=part)
        try:
            yield file
        finally:
            if os.fstat(file.fileno()).st_size == 0:
                _discard(part)


def _put_in_place(part: Path, target: Path) -> None:
    part.replace(target)
    note_of(part).unlink(missing_ok=True)
    # A packed copy beside it was wrong, or it would not have been fetched.
    _packed(target).unlink(missing_ok=True)
    # The new name must outlive a power cut too.
    handle = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _discard(part: Path) -> None:
    part.unlink(missing_ok=True)
    note_of(part).unlink(missing_ok=True)


def _packed(target: Path) -> Path:
    return target.with_name(target.name + ".gz")


def _client(patience: Patience) -> httpx.Client:
    # Ranges and lengths only mean the file's own bytes if nothing packs them on the way.
    headers = {"Accept-Encoding": "identity", "User-Agent": f"referee/{__version__}"}
    timeout = httpx.Timeout(patience.read, connect=patience.connect)
    return httpx.Client(headers=headers, timeout=timeout, follow_redirects=True)


def _silent(message: str) -> None:
    del message
