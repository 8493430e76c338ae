"""Downloads of public files into the data folder: a file under its own name is whole and checked, or not there."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Literal

import httpx

from referee import __version__
from referee.data.checksums import RECORD, Digest, digest_of, record, recorded
from referee.data.sources import Source
from referee.data.transfer import attempt, note_of
from referee.errors import DownloadError, InputError
from referee.io.progress import Progress
from referee.io.retry import GaveUpError, RetryPolicy, retried
from referee.logs import logger


@dataclass(frozen=True)
class Timeouts:
    """How many seconds to wait for a connection, and for the next bytes."""

    connect: float = 15.0
    read: float = 30.0


@dataclass(frozen=True)
class Result:
    """What became of one file; `size` is that of its content."""

    source: Source
    path: Path
    outcome: Literal["fetched", "already there"]
    size: int


TIMEOUTS = Timeouts()
RETRY = RetryPolicy(attempts=6)


def fetch(
    source: Source,
    folder: Path,
    *,
    progress: Progress | None = None,
    force: bool = False,
    timeouts: Timeouts = TIMEOUTS,
    retry: RetryPolicy = RETRY,
) -> Result:
    """Fetches one file, unless it is there and correct; `force` replaces a file that differs."""
    with _client(timeouts) as client:
        return _fetch(client, source, folder, progress, retry, force=force)


def _fetch(
    client: httpx.Client,
    source: Source,
    folder: Path,
    progress: Progress | None,
    retry: RetryPolicy,
    *,
    force: bool,
) -> Result:
    target = _target(source, folder)
    expected = source.digest
    if not source.digest.is_known:
        # What came the first time is all there is to compare with; `force` means to accept something new.
        expected = recorded(folder).get(source.path, expected)
    if present := _present(source, target, expected, force=force):
        return present
    if not source.digest.is_known and force:
        expected = source.digest
    part = target.with_name(target.name + ".part")
    try:
        with _open_part(part) as file:
            _transfer(client, source, part, file, progress, retry)
            got = digest_of(part, blob=expected.blob is not None)
            if difference := expected.mismatch(got):
                _discard(part)
                problem = f"the downloaded file differs from the published one ({difference})"
                raise DownloadError(problem, "run the command again, or copy the file there yourself", file=source.url)
            os.fsync(file.fileno())
            _put_in_place(part, target)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise DownloadError(problem, "free some space, or choose another folder with --data", file=target) from None
    if not source.digest.is_known:
        record(folder, source.path, got)
        message = "%s: the source publishes no checksum, so SHA-256 %s was recorded in %s"
        logger.warning(message, source.path, got.sha256, RECORD)
    return Result(source, target, "fetched", got.size or 0)


def _transfer(
    client: httpx.Client, source: Source, part: Path, file: IO[bytes], progress: Progress | None, policy: RetryPolicy
) -> None:
    """Attempts until one succeeds or trying again is of no use."""
    logger.info("fetching %s", source.url)
    try:
        retried(lambda: attempt(client, source.url, part, file, source.size, progress), policy, source.path)
    except GaveUpError as error:
        remedy = "check the connection, then run the same command again to resume"
        later = "run the same command again later"
        problem = f"cannot be downloaded: {error.reason}"
        raise DownloadError(problem, later if error.later else remedy, file=source.url) from None


def _present(source: Source, target: Path, expected: Digest, *, force: bool) -> Result | None:
    """The file that is already there, plain or packed; None if it is missing or to be replaced."""
    path = next((path for path in (target, _packed(target)) if path.is_file()), None)
    if path is None:
        return None
    try:
        got = digest_of(path, blob=expected.blob is not None)
    except InputError:
        if force:
            return None
        raise
    difference = expected.mismatch(got)
    if difference is None and (expected.is_known or not force):
        return Result(source, path, "already there", got.size or 0)
    if difference and not force:
        problem = f"differs from the file at {source.url} ({difference})"
        raise DownloadError(problem, "move it away, or replace it with --force", file=path)
    return None


def _target(source: Source, folder: Path) -> Path:
    """Where the file goes; an address that is not of the web, or a path out of the folder, is refused."""
    if not source.url.startswith(("http://", "https://")):
        raise DownloadError("is not a web address", "use one that starts with https://", file=source.url)
    path = PurePosixPath(source.path)
    if not path.parts or path.is_absolute() or ".." in path.parts:
        raise DownloadError(f"the path '{source.path}' is outside the data folder", "correct the path", file=source.url)
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
            raise DownloadError("is being downloaded by another process", "wait until that process ends", file=part)
        try:
            yield file
        finally:
            if os.fstat(file.fileno()).st_size == 0:
                _discard(part)


def _put_in_place(part: Path, target: Path) -> None:
    part.replace(target)
    note_of(part).unlink(missing_ok=True)
    # A packed copy next to it was wrong, or it would not have been fetched.
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


def _client(timeouts: Timeouts) -> httpx.Client:
    # Ranges and lengths only mean the file's own bytes if nothing packs them on the way.
    headers = {"Accept-Encoding": "identity", "User-Agent": f"referee/{__version__}"}
    timeout = httpx.Timeout(timeouts.read, connect=timeouts.connect)
    return httpx.Client(headers=headers, timeout=timeout, follow_redirects=True)
