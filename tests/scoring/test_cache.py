"""The cache file: no score lost, and damage, locks, full disks and files of others are noticed."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import InputError
from referee.protocols import ScoreText
from referee.scoring.cache import Cache, open_cache
from tests.support.score_cache import TEXTS, Open, Oracle, ask, open_, path

__all__ = ["open_", "path"]

ENTRIES = 2_000


def fill(cache: Cache) -> None:
    ask(cache, Oracle(), TEXTS)
    cache.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    cache.close()


def garbage(content: bytearray) -> bytes:
    return b"this is not a database at all\n" * 40


def truncated(content: bytearray) -> bytes:
    return bytes(content[: len(content) // 2])


def cut_inside_a_page(content: bytearray) -> bytes:
    return bytes(content[: len(content) // 2 - 100])


def zeroed(content: bytearray) -> bytes:
    content[4096 : 2 * 4096] = bytes(4096)
    return bytes(content)


def header(content: bytearray) -> bytes:
    content[:16] = b"SQLite format 2\0"
    return bytes(content)


def flipped(content: bytearray) -> bytes:
    """One bit in the structure of every page but the first."""
    for page in range(1, len(content) // 4096):
        content[page * 4096 + 3] ^= 0x40
    return bytes(content)


def noise(content: bytearray) -> bytes:
    draws = random.Random(5)
    for _ in range(len(content) // 50):
        content[draws.randrange(4096, len(content))] ^= 1 << draws.randrange(8)
    return bytes(content)


def unheard_of(content: bytearray) -> bytes:
    """A format of the schema that does not exist: SQLite calls this an error of operation, not of the database."""
    content[44:48] = (99).to_bytes(4, "big")
    return bytes(content)


@pytest.mark.parametrize("damage", [truncated, cut_inside_a_page, zeroed, header, flipped, noise, unheard_of])
def test_a_damaged_file_is_noticed_set_aside_and_rebuilt(
    damage: Callable[[bytearray], bytes], path: Path, open_: Open, caplog: pytest.LogCaptureFixture
) -> None:
    fill(open_())
    assert caplog.messages == []
    broken = damage(bytearray(path.read_bytes()))
    path.write_bytes(broken)
    oracle = Oracle()
    cache = open_()
    assert ask(cache, oracle, TEXTS) == [oracle.answer(text) for text in TEXTS]
    assert len(oracle.requests) == len(TEXTS)
    (message,) = caplog.messages
    assert str(path) in message
    assert "damaged" in message
    assert "\n" not in message
    assert path.with_name("scores.sqlite.damaged").read_bytes() == broken
    again = Oracle()
    assert ask(open_(), again, TEXTS) == [oracle.answer(text) for text in TEXTS]
    assert again.requests == []
    assert len(caplog.messages) == 1


def test_a_file_that_was_never_a_cache_stays_where_it_is(path: Path, open_: Open) -> None:
    path.write_bytes(garbage(bytearray()))
    with pytest.raises(InputError, match=r"is not a score cache. Choose another file with --cache"):
        open_()
    assert path.read_bytes() == garbage(bytearray())
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_default_cache_is_rebuilt_whatever_is_in_it(
    path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.scoring.cache.default_path", lambda: path)
    path.write_bytes(garbage(bytearray()))
    path.with_name("scores.sqlite.damaged").write_text("an earlier one")
    ask(open_(), Oracle(), TEXTS)
    assert path.with_name("scores.sqlite.damaged").read_text() == "an earlier one"
    assert path.with_name("scores.sqlite.damaged1").read_bytes() == garbage(bytearray())


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_FULL, r"cannot be written \(the disk is full\). Free some space, or add --no-cache"),
        (sqlite3.SQLITE_READONLY, r"cannot be written \(.*\). Choose another file with --cache, or add --no-cache"),
    ],
)
def test_a_full_disk_is_not_taken_for_damage(
    code: int, words: str, path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(open_())
    before = path.read_bytes()
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = code

    def failing(_: Path) -> sqlite3.Connection:
        raise error

    monkeypatch.setattr("referee.scoring.cache._connect", failing)
    with pytest.raises(InputError, match=words):
        open_cache(path)
    assert path.read_bytes() == before
    assert not path.with_name("scores.sqlite.damaged").exists()


def test_a_flipped_bit_in_a_score_is_noticed(path: Path, open_: Open, caplog: pytest.LogCaptureFixture) -> None:
    """The pages fit together, and yet a number is another: a wrong score must not come out."""
    fill(open_())
    content = bytearray(path.read_bytes())
    # A float64 of -101.0, the letter `e` of "text", as msgpack writes it.
    offset = content.index(bytes.fromhex("cbc059400000000000"), 4096)
    content[offset + 2] ^= 0x08
    path.write_bytes(content)
    oracle = Oracle()
    assert ask(open_(), oracle, TEXTS) == [oracle.answer(text) for text in TEXTS]
    assert oracle.requests, "what is damaged is computed again"


def test_a_value_that_cannot_be_read_is_computed_again(path: Path, open_: Open) -> None:
    fill(open_())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE scores SET value = x'c1ff'")
    connection.close()
    oracle = Oracle()
    assert ask(open_(), oracle, TEXTS) == [oracle.answer(text) for text in TEXTS]


def test_damage_while_it_is_open_is_no_traceback(path: Path, open_: Open) -> None:
    """Either the scores are computed, or one sentence says what is wrong."""
    fill(open_())
    cache = open_()
    path.write_bytes(garbage(bytearray()))
    path.with_name("scores.sqlite-wal").unlink(missing_ok=True)
    oracle = Oracle()
    try:
        answers = ask(cache, oracle, [*TEXTS, ScoreText("new")])
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert answers == [oracle.answer(text) for text in [*TEXTS, ScoreText("new")]]


def test_an_empty_file_becomes_a_cache(path: Path, open_: Open, caplog: pytest.LogCaptureFixture) -> None:
    path.touch()
    ask(open_(), Oracle(), TEXTS)
    oracle = Oracle()
    ask(open_(), oracle, TEXTS)
    assert oracle.requests == []
    assert caplog.messages == []


def test_another_database_is_not_taken_for_a_cache(path: Path, open_: Open) -> None:
    """Whoever names the wrong file by mistake does not lose it."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE scores (player TEXT, points INTEGER)")
        connection.execute("INSERT INTO scores VALUES ('me', 7)")
    connection.close()
    oracle = Oracle()
    try:
        answers = ask(open_(), oracle, TEXTS[:3])
    except InputError as error:
        assert str(path) in str(error)
    else:
        assert answers == [oracle.answer(text) for text in TEXTS[:3]]
    kept = [file for file in path.parent.iterdir() if b"points" in file.read_bytes()]
    assert kept, "the other database is still there, under this name or another"


def test_a_lock_is_waited_for_a_minute(open_: Open) -> None:
    assert open_().connection.execute("PRAGMA busy_timeout").fetchone() == (60_000,)


def test_missing_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "scores.sqlite"
    open_cache(path).close()
    assert path.exists()


@pytest.mark.parametrize("name", ["folder", "file/scores.sqlite"])
def test_a_place_where_no_file_can_be_is_said(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot be opened. Choose another file with --cache") as error:
        open_cache(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


def test_a_locked_cache_is_said_and_not_set_aside(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.scoring.cache._PATIENCE", 0.05)
    open_cache(path).close()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA locking_mode=EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    holder.execute("INSERT INTO scores VALUES (x'00', x'00')")
    try:
        with pytest.raises(InputError, match=r"is locked by another process. Wait for it, or add --no-cache"):
            open_cache(path)
    finally:
        holder.close()
    assert not path.with_name("scores.sqlite.damaged").exists()


def test_a_lock_at_the_change_to_wal_is_waited_for(path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """When two processes make a cache at once, SQLite refuses this statement at once, about once in a thousand times.

    The patience that it is given does not help there. That moment cannot be brought about, so it is played.
    """
    refused: list[str] = []

    class Hasty(sqlite3.Connection):
        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            if "journal_mode" in sql and len(refused) < 3:
                refused.append(sql)
                raise sqlite3.OperationalError("database is locked")
            return super().execute(sql, *parameters)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *values, **options: connect(*values, **options, factory=Hasty))
    oracle = Oracle()
    assert ask(open_(), oracle, TEXTS[:3]) == [oracle.answer(text) for text in TEXTS[:3]]
    assert len(refused) == 3


def _write(path: Path, start: Any, which: int) -> None:
    """Waits for the others, then opens the cache and writes entries of its own and some that all write."""
    start.wait()
    cache = open_cache(path)
    oracle = Oracle()
    private = [ScoreText(f"{which}: {number}") for number in range(ENTRIES)]
    for first in range(0, ENTRIES, 100):
        ask(cache, oracle, [*private[first : first + 100], *TEXTS[first : first + 20]])
    cache.close()


@pytest.mark.parametrize("count", [2, 4])
def test_processes_share_one_file_without_loss(count: int, path: Path, open_: Open) -> None:
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(count)
    processes = [context.Process(target=_write, args=(path, start, which)) for which in range(count)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * count
    oracle = Oracle()
    expected = [ScoreText(f"{which}: {number}") for which in range(count) for number in range(ENTRIES)]
    assert ask(open_(), oracle, expected) == [oracle.answer(text) for text in expected]
    assert oracle.requests == []
