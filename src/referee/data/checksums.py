"""What files hold: their digests, and a record of those whose source publishes no checksum.

Git names a file by its blob id, the SHA-1 of `blob SIZE`, a zero byte and the content. A repository lists the blob ids
of all its files, so a file can be verified by it although nobody here has a copy to compute its SHA-256 from.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee.errors import InputError
from referee.io.files import atomic_write, open_binary

RECORD = "checksums.json"
"""The record's name in the data folder."""

_CHUNK = 1 << 20


class Digest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Size, SHA-256 and git blob id of some content; None where it is not known."""

    size: int | None = None
    sha256: str | None = None
    blob: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether a checksum identifies the content; a size alone does not."""
        return self.sha256 is not None or self.blob is not None

    def mismatch(self, got: Digest) -> str | None:
        """How `got` differs from what is known here, in words; None where nothing does."""
        if self.size is not None and got.size != self.size:
            return f"expected {self.size} bytes, but found {got.size}"
        if self.sha256 is not None and got.sha256 != self.sha256:
            return f"expected SHA-256 {self.sha256}, but found {got.sha256}"
        if self.blob is not None and got.blob != self.blob:
            return f"expected git blob id {self.blob}, but found {got.blob}"
        return None


def digest_of(path: Path, *, blob: bool = False) -> Digest:
    """The digest of a file's content, unpacked where its name ends in `.gz`; with its git blob id if asked for."""
    digest, size = hashlib.sha256(), 0
    for chunk in _chunks(path):
        digest.update(chunk)
        size += len(chunk)
    return Digest(size, digest.hexdigest(), _blob_id(path, size) if blob else None)


def _blob_id(path: Path, size: int) -> str:
    # The size comes before the content, and that of a packed file is known only when it was read once.
    digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    for chunk in _chunks(path):
        digest.update(chunk)
    return digest.hexdigest()


def _chunks(path: Path) -> Iterator[bytes]:
    with open_binary(path) as file:
        try:
            while chunk := file.read(_CHUNK):
                yield chunk
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            problem = f"is a damaged gzip file ({str(error).rstrip('.')})"
            raise InputError(problem, "delete it and download it again", file=path) from None


def recorded(folder: Path) -> dict[str, Digest]:
    """What was noted of files without a published checksum, by their path in the data folder."""
    path = folder / RECORD
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Digest])
    except FileNotFoundError:
        return {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"is not a valid record of checksums ({error})", "delete it", file=path) from None


def record(folder: Path, path: str, digest: Digest) -> None:
    """Notes the digest of a file; the record is replaced whole."""
    entries = recorded(folder) | {path: digest}
    text = msgspec.json.format(msgspec.json.encode(entries, order="sorted"), indent=2)
    with atomic_write(folder / RECORD) as file:
        file.write(text + b"\n")
