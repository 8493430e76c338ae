"""Scores that were computed once: a SQLite file that several processes may share.

A key is the hash of everything a score depends on: weights, configuration, tokenizer, options and text. So model B
never sees the scores of model A, and a model that changed under the same name is scored again.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from referee.errors import InputError
from referee.logs import logger
from referee.protocols import Identity

T = TypeVar("T")
R = TypeVar("R")

_TABLE = "CREATE TABLE scores (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
_VERSION = 1
"""Raised when the same question would be answered with another number."""
_PATIENCE = 60.0
_ATTEMPTS = 100
_DIGEST = 8
_AT_ONCE = 500
"""Keys in one query: SQLite takes so many parameters."""


@dataclass(frozen=True)
class Cache:
    """An open cache file."""

    path: Path
    connection: sqlite3.Connection

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is known of some keys; an entry that does not fit its digest is as good as unknown."""
        found: dict[bytes, bytes] = {}
        with self._said():
            for start in range(0, len(keys), _AT_ONCE):
                part = keys[start : start + _AT_ONCE]
                query = f"SELECT key, value FROM scores WHERE key IN ({','.join('?' * len(part))})"  # noqa: S608 only marks
                for key, value in self.connection.execute(query, part):
                    if _digest(key, value[_DIGEST:]) == value[:_DIGEST]:
                        found[key] = value[_DIGEST:]
        return found

    def put(self, entries: Sequence[tuple[bytes, bytes]]) -> None:
        """Adds entries, all or none."""
        rows = [(key, _digest(key, value) + value) for key, value in entries]
        with self._said(), self.connection:
            self.connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            problem = f"was damaged or locked while it was in use ({error})"
            raise InputError(problem, "run the same command again, or with --no-cache", file=self.path) from None

    def close(self) -> None:
        """Ends the connection."""
        self.connection.close()


def open_cache(path: Path) -> Cache:
    """Opens or makes a cache; a damaged one is set aside and begun anew."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise InputError("cannot be opened", "name another file with --cache", file=path) from None
    try:
        return Cache(path, _connect(path))
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "lock" in str(error):
            raise InputError("is locked by another process", "wait, or run with --no-cache", file=path) from None
        if isinstance(error, sqlite3.OperationalError) and "unable to open" in str(error):
            raise InputError("cannot be opened", "name another file with --cache", file=path) from None
        aside = path.with_name(path.name + ".damaged")
        path.replace(aside)
        for leftover in (path.with_name(path.name + ending) for ending in ("-wal", "-shm")):
            leftover.unlink(missing_ok=True)
        message = "the cache %s is damaged (%s): it was moved to %s, scores are computed again"
        logger.warning(message, path, error, aside.name)
        return Cache(path, _connect(path))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE)
    try:
        tables = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table'")]
        if tables and tables != [_TABLE]:
            raise InputError("is another kind of database", "name another file with --cache", file=path)
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
    """Lets readers and a writer work at once. SQLite does not wait for a lock here, so we do."""
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
    """How a kind of question is put to a model: what it is called, who answers, and of what type answers are.

    `together` questions are answered in one go; 0 means that each stands alone. `spread` answers many such goes at
    once, where there are several workers.
    """

    what: str
    compute: Callable[[Sequence[T]], Iterator[tuple[int, R]]]
    answer_type: type[R]
    together: int = 0
    spread: Callable[[str, list[list[T]]], Iterator[tuple[int, list[tuple[int, R]]]]] | None = None


def cached(
    cache: Cache | None,
    identity: Identity,
    asking: RequestKind[T, R],
    requests: Sequence[T],
    done: Callable[[int], None],
) -> list[R]:
    """The answers to all requests: known ones from the cache, equal ones once, new ones kept as they come."""
    unique: dict[T, int] = {}
    places = [unique.setdefault(request, len(unique)) for request in requests]
    questions = list(unique)
    counts = [0] * len(questions)
    for place in places:
        counts[place] += 1
    answers: dict[int, R] = {}
    keys = [_key(identity, asking.what, request) for request in questions] if cache else []
    if cache is not None:
        known = cache.get(keys)
        for place, key in enumerate(keys):
            if key in known:
                answers[place] = msgspec.msgpack.decode(known[key], type=asking.answer_type)
                done(counts[place])
    fresh: list[tuple[bytes, bytes]] = []
    try:
        for place, answer in _computed(asking, questions, answers.keys()):
            if place not in answers:
                done(counts[place])
            answers[place] = answer
            if cache is not None:
                fresh.append((keys[place], msgspec.msgpack.encode(answer)))
                if len(fresh) >= _AT_ONCE:
                    cache.put(fresh)
                    fresh = []
    finally:
        if cache is not None and fresh:
            cache.put(fresh)
    return [answers[place] for place in places]


def _computed(asking: RequestKind[T, R], questions: list[T], known: Collection[int]) -> Iterator[tuple[int, R]]:
    """New answers with their places.

    What is computed in one go always consists of the same questions: where one of them is missing all are computed
    again. So the last digits of a score are the same however often a run was interrupted, and however many work on it.
    """
    if not asking.together:
        missing = [place for place in range(len(questions)) if place not in known]
        for number, answer in asking.compute([questions[place] for place in missing]) if missing else ():
            yield missing[number], answer
        return
    goes = [go for go in _goes(questions, asking.together) if any(place not in known for place in go)]
    wanted = [[questions[place] for place in go] for go in goes]
    spread = asking.spread or (lambda _, lists: ((n, list(asking.compute(one))) for n, one in enumerate(lists)))
    if not wanted:
        return
    for number, answers in spread(asking.what, wanted):
        for index, answer in answers:
            yield goes[number][index], answer


def _goes(questions: Sequence[object], size: int) -> Iterator[list[int]]:
    """Places in lists of about `size`; those of one origin stay together, since they share work."""
    go: list[int] = []
    origin = None
    for place, question in enumerate(questions):
        own = getattr(question, "origin", None)
        if len(go) >= size and (not own or own != origin):
            yield go
            go = []
        go.append(place)
        origin = own
    if go:
        yield go


def _key(identity: Identity, what: str, request: object) -> bytes:
    fields = {name: value for name, value in vars(request).items() if name != "origin"}
    parts = [_VERSION, identity.sha256, sorted(identity.settings.items()), what, sorted(fields.items())]
    return hashlib.sha256(msgspec.json.encode(parts)).digest()


def default_path() -> Path:
    """Where the command line keeps scores unless told otherwise."""
    import platformdirs

    return platformdirs.user_cache_path("referee") / "scores.sqlite"
