"""Pieces of a long computation, kept as they are finished: one way to survive a kill.

Each piece is a file of its own that appears whole or not at all, with the digest of its content in front of it. What
was finished before a kill is read again; a damaged piece counts as not finished.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from referee.errors import RunError
from referee.io.files import atomic_write

T = TypeVar("T")

_DIGEST = hashlib.sha256().digest_size


def sealed(payload: bytes) -> bytes:
    """The payload with its digest in front of it."""
    return hashlib.sha256(payload).digest() + payload


def unsealed(content: bytes) -> bytes | None:
    """The payload, or None if anything in it was changed or is missing.

    >>> unsealed(sealed(b"score")), unsealed(sealed(b"score")[:-1])
    (b'score', None)
    """
    digest, payload = content[:_DIGEST], content[_DIGEST:]
    return payload if hashlib.sha256(payload).digest() == digest else None


@dataclass(frozen=True)
class Parts(Generic[T]):
    """The finished pieces in a folder, by name; `type` is what each of them holds."""

    folder: Path
    type: type[T]

    def write(self, name: str, value: T) -> None:
        """Keep a finished piece."""
        with atomic_write(self.folder / name) as file:
            file.write(sealed(msgspec.msgpack.encode(value)))

    def read(self, name: str) -> T | None:
        """A piece that was finished earlier, or None."""
        try:
            content = (self.folder / name).read_bytes()
        except OSError:
            return None
        payload = unsealed(content)
        try:
            return None if payload is None else msgspec.msgpack.decode(payload, type=self.type)
        except msgspec.MsgspecError:
            # Another version of referee wrote it.
            return None

    def require(self, name: str) -> T:
        """A piece that must be there by now."""
        part = self.read(name)
        if part is None:
            raise RunError(f"the file '{name}' is missing or damaged", "run the same command again", file=self.folder)
        return part

    def remove(self) -> None:
        """Delete all pieces, once their whole is written."""
        shutil.rmtree(self.folder, ignore_errors=True)
