"""Cache of computed scores: a SQLite file that several processes may share; a damaged one is noticed and replaced."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from referee.errors import InputError
from referee.logs import logger

_TABLE = "CREATE TABLE scores (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
_PATIENCE = 60.0
_ATTEMPTS = 100
_DIGEST = 8
_START = 1 << 16
"""Bytes at the start of a file in which SQLite keeps the names of its tables."""
_AT_ONCE = 500
"""Keys per query: SQLite limits the number of parameters."""


@dataclass(frozen=True)
class Cache:
    """An open cache file."""

    path: Path
    connection: sqlite3.Connection

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Stored values by key; an entry that does not match its digest counts as missing."""
        values: dict[bytes, bytes] = {}
        with self._database_errors():
            for start in range(0, len(keys), _AT_ONCE):
                part = keys[start : start + _AT_ONCE]
                query = f"SELECT key, value FROM scores WHERE key IN ({','.join('?' * len(part))})"  # noqa: S608 only marks
                for key, value in self.connection.execute(query, part):
                    if _digest(key, value[_DIGEST:]) == value[:_DIGEST]:
                        values[key] = value[_DIGEST:]
        return values

    def put(self, entries: Sequence[tuple[bytes, bytes]]) -> None:
        """Add entries, all or none."""
        rows = [(key, _digest(key, value) + value) for key, value in entries]
        with self._database_errors(), self.connection:
            self.connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)

    @contextmanager
    def _database_errors(self) -> Iterator[None]:
        """Name the cache file in whatever the database raises."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            damaged = f"was damaged while it was in use ({error})", "run the same command again, or add --no-cache"
            raise InputError(*(_condition(error) or damaged), file=self.path) from None

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def open_cache(path: Path) -> Cache:
    """Open or create a cache; a damaged one is moved aside and replaced by an empty one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return Cache(path, _connect(path))
    except OSError:
        raise InputError("cannot be opened", "choose another file with --cache", file=path) from None
    except sqlite3.DatabaseError as error:
        if (condition := _condition(error)) is not None:
            raise InputError(*condition, file=path) from None
        if not _is_ours(path):
            raise _foreign(path) from None
        aside = _set_aside(path)
        message = "the cache %s is damaged (%s) and was moved to %s. Scores are computed again."
        logger.warning(message, path, error, aside.name)
        return Cache(path, _connect(path))


def _condition(error: sqlite3.DatabaseError) -> tuple[str, str] | None:
    """Problem and remedy where the machine is at fault; None where the file is."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "is locked by another process", "wait for it, or add --no-cache"
    if code == sqlite3.SQLITE_FULL:
        return "cannot be written (the disk is full)", "free some space, or add --no-cache"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return f"cannot be written ({error})", "choose another file with --cache, or add --no-cache"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_AUTH):
        return "cannot be opened", "choose another file with --cache"
    return None


def _is_ours(path: Path) -> bool:
    """Whether a damaged file was a cache: it is the default one, or our table is still to be seen in it."""
    if path == default_path():
        return True
    for part in (path, path.with_name(path.name + "-wal")):
        with suppress(OSError), part.open("rb") as file:
            if _TABLE.encode() in file.read(_START):
                return True
    return False


def _set_aside(path: Path) -> Path:
    """Move the file away under a name that nothing else has, and with it what SQLite keeps next to it."""
    names = (f"{path.name}.damaged{number or ''}" for number in count())
    aside = next(free for name in names if not (free := path.with_name(name)).exists())
    path.replace(aside)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    return aside


def _foreign(path: Path) -> InputError:
    return InputError("is not a score cache", "choose another file with --cache", file=path)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE)
    try:
        tables = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table'")]
        if tables and tables != [_TABLE]:
            raise _foreign(path)
        _to_wal(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(_TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1))
        connection.commit()
        if connection.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("its pages do not fit together")
    except BaseException:
        connection.close()
        raise
    return connection


def _to_wal(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work at once. SQLite does not wait for a lock here, so we do."""
    for attempt in range(_ATTEMPTS):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or attempt == _ATTEMPTS - 1:
                raise
            time.sleep(0.05)


def _digest(key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(key + value, digest_size=_DIGEST).digest()


def default_path() -> Path:
    """Default cache file of the command line."""
    import platformdirs

    return platformdirs.user_cache_path("referee") / "scores.sqlite"
