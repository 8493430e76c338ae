"""What the download tests want, how little they wait for it, and what they find afterwards."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from referee.data import download
from referee.data.download import Result, Timeouts
from referee.data.sources import Source
from referee.errors import DownloadError
from referee.io.retry import RetryPolicy
from tests.support.hostile_server import Script

BODY = bytes(range(256)) * 40
SHA = hashlib.sha256(BODY).hexdigest()
BLOB = hashlib.sha1(b"blob 10240\0" + BODY, usedforsecurity=False).hexdigest()
OTHER = b"something else altogether"
TAG, NEW_TAG = '"one"', '"two"'
QUICK = RetryPolicy(attempts=3, backoff=0.01, longest=2.0)


def source(web: Script, *, size: int | None = len(BODY), sha256: str | None = SHA, blob: str | None = None) -> Source:
    return Source("set/file.txt", f"{web.url}/file.txt", size, sha256, "CC BY 4.0", blob)


def named_by_git(web: Script, size: int | None = len(BODY)) -> Source:
    """A file that only its git blob id is known of, and perhaps its size."""
    return source(web, size=size, sha256=None, blob=BLOB)


def unknown(web: Script) -> Source:
    return source(web, size=None, sha256=None)


def left(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def fetch(wanted: Source, folder: Path, *, retry: RetryPolicy = QUICK, **options: Any) -> Result:
    """Fetches without much patience."""
    return download.fetch(wanted, folder, timeouts=Timeouts(connect=2.0, read=0.2), retry=retry, **options)


def error_of(wanted: Source, folder: Path, retry: RetryPolicy = QUICK) -> str:
    with pytest.raises(DownloadError) as caught:
        fetch(wanted, folder, retry=retry)
    return str(caught.value)
