"""Cache of computed scores: a SQLite file that several processes may share.

A key is the hash of everything a score depends on: weights, configuration, tokenizer, options and text. So model B
never sees the scores of model A, and a model that changed under the same name is scored again.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from referee.errors import InputError
from referee.logs import logger
from referee.protocols import Adapts, Identity

T = TypeVar("T")
R = TypeVar("R")

_TABLE = "CREATE TABLE scores (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
_VERSION = 2
"""To be raised whenever the same request would get another number."""
_PATIENCE = 60.0
_ATTEMPTS = 100
_DIGEST = 8
_START = 1 << 16
"""Bytes at the start of a file in which SQLite keeps the names of its tables."""
_AT_ONCE = 500
"""Keys per query: SQLite limits the number of parameters."""
_PAID_AT_ONCE = 20
"""Answers of a service that are lost at most when the process is killed."""


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


@dataclass(frozen=True)
class RequestKind(Generic[T, R]):
    """One kind of request to a model: its name, the function that answers, and the type of the answers.

    `together` requests are answered in one batch; 0 means that each is independent. `spread` answers many such batches
    at once, where there are several workers. `adapts` is a model that may send other parameters than it is asked to:
    an answer is stored under those that were sent.
    """

    what: str
    compute: Callable[[Sequence[T]], Iterator[tuple[int, R]]]
    answer_type: type[R]
    together: int = 0
    spread: Callable[[str, list[list[T]]], Iterator[tuple[int, list[tuple[int, R]]]]] | None = None
    adapts: Adapts | None = None


def cached(
    cache: Cache | None,
    identity: Identity,
    asking: RequestKind[T, R],
    requests: Sequence[T],
    done: Callable[[int], None],
) -> list[R]:
    """Answer all requests: from the cache where possible, equal ones once, new answers stored as they come."""
    unique: dict[T, int] = {}
    indices = [unique.setdefault(request, len(unique)) for request in requests]
    questions = list(unique)
    counts = [0] * len(questions)
    for index in indices:
        counts[index] += 1
    answers: dict[int, R] = {}
    keys: list[bytes] = []
    if cache is not None:
        _restore(cache, identity, asking.adapts)
        asked = _as_sent(identity, asking.adapts)
        keys = _keys(asked, asking, questions)
        stored = cache.get(keys)
        for index, key in enumerate(keys):
            if key in stored:
                answers[index] = msgspec.msgpack.decode(stored[key], type=asking.answer_type)
                done(counts[index])
    fresh: list[tuple[bytes, bytes]] = []
    try:
        for index, answer in _computed(asking, questions, answers.keys()):
            if index not in answers:
                done(counts[index])
            answers[index] = answer
            if cache is not None:
                sent = _as_sent(identity, asking.adapts)
                key = keys[index] if sent == asked else _key(sent, asking.what, questions[index])
                fresh.append((key, msgspec.msgpack.encode(answer)))
                if len(fresh) >= (_PAID_AT_ONCE if asking.adapts else _AT_ONCE):
                    cache.put([*fresh, *_adaptation(identity, asking.adapts)])
                    fresh = []
    finally:
        if cache is not None and fresh:
            cache.put([*fresh, *_adaptation(identity, asking.adapts)])
    return [answers[index] for index in indices]


def _computed(asking: RequestKind[T, R], questions: list[T], answered: Collection[int]) -> Iterator[tuple[int, R]]:
    """New answers, each with the index of its question.

    A batch always consists of the same questions: where one answer is missing, the whole batch is computed again. So
    the last digits of a score are the same however often a run was interrupted, and however many workers it has.
    """
    if not asking.together:
        missing = [index for index in range(len(questions)) if index not in answered]
        for number, answer in asking.compute([questions[index] for index in missing]) if missing else ():
            yield missing[number], answer
        return
    goes = [go for go in _goes(questions, asking.together) if any(index not in answered for index in go)]
    wanted = [[questions[index] for index in go] for go in goes]
    spread = asking.spread or (lambda _, lists: ((n, list(asking.compute(one))) for n, one in enumerate(lists)))
    if not wanted:
        return
    for number, answers in spread(asking.what, wanted):
        for offset, answer in answers:
            yield goes[number][offset], answer


def _goes(questions: Sequence[object], size: int) -> Iterator[list[int]]:
    """Indices of questions in batches of about `size`; those of one origin stay together, since they share work."""
    go: list[int] = []
    origin = None
    for index, question in enumerate(questions):
        question_origin = getattr(question, "origin", None)
        if len(go) >= size and (not question_origin or question_origin != origin):
            yield go
            go = []
        go.append(index)
        origin = question_origin
    if go:
        yield go


def _keys(identity: Identity, asking: RequestKind[T, R], questions: list[T]) -> list[bytes]:
    """The key of each question; where questions are computed in batches, it says in which.

    The last digits of a score depend on its batch. So an answer that another batch gave, of a part of the set or of
    another set, is not taken: a run has the same bytes with a cache and without.
    """
    keys = [_key(identity, asking.what, request) for request in questions]
    if not asking.together:
        return keys
    for go in _goes(questions, asking.together):
        batch = hashlib.sha256(b"".join(keys[index] for index in go)).digest()
        for index in go:
            keys[index] = hashlib.sha256(keys[index] + batch).digest()
    return keys


def _as_sent(identity: Identity, model: Adapts | None) -> Identity:
    """The model with the parameters that its service takes."""
    sent = model.sent() if model else ""
    settings = {**identity.settings, "sent": sent} if sent else identity.settings
    return Identity(identity.sha256, settings, identity.generation)


def _restore(cache: Cache, identity: Identity, model: Adapts | None) -> None:
    """Begin with the parameters under which the answers of earlier runs are stored."""
    if model and not model.sent():
        key = _key(identity, "sent")
        if known := cache.get([key]).get(key):
            model.adapt(known.decode())


def _adaptation(identity: Identity, model: Adapts | None) -> list[tuple[bytes, bytes]]:
    """What is to be restored by later runs."""
    return [(_key(identity, "sent"), model.sent().encode())] if model and model.sent() else []


def _key(identity: Identity, what: str, request: object = None) -> bytes:
    fields = {name: value for name, value in vars(request).items() if name != "origin"} if request else {}
    settings = dict(identity.settings) | dict(identity.generation if what == "translate" else {})
    parts = [_VERSION, identity.sha256, sorted(settings.items()), what, sorted(fields.items())]
    return hashlib.sha256(msgspec.json.encode(parts)).digest()


def default_path() -> Path:
    """Default cache file of the command line."""
    import platformdirs

    return platformdirs.user_cache_path("referee") / "scores.sqlite"
