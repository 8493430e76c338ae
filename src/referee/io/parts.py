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


@dataclass(frozen=True)
class Parts(Generic[T]):
    """The finished pieces in a folder, by name; `type` is what each of them holds."""

    folder: Path
    type: type[T]

    def write(self, name: str, value: T) -> None:
        """Keep a finished piece."""
        payload = msgspec.msgpack.encode(value)
        with atomic_write(self.folder / name) as file:
            file.write(hashlib.sha256(payload).digest() + payload)

    def read(self, name: str) -> T | None:
        """A piece that was finished earlier, or None."""
        try:
            content = (self.folder / name).read_bytes()
        except OSError:
            return None
        digest, payload = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(payload).digest() != digest:
            return None
        return msgspec.msgpack.decode(payload, type=self.type)

    def require(self, name: str) -> T:
        """A piece that must be there by now."""
        part = self.read(name)
        if part is None:
            raise RunError(f"the file '{name}' is missing or damaged", "run the same command again", file=self.folder)
        return part

    def remove(self) -> None:
        """Delete all pieces, once their whole is written."""
        shutil.rmtree(self.folder, ignore_errors=True)
