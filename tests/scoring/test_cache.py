"""The cache: never the wrong score, no score lost, and a damaged file is noticed."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.errors import InputError
from referee.protocols import Identity, ScorePair, ScoreText, TokenScores, TranslateDoc
from referee.scoring.cache import Cache, RequestKind, cached, open_cache

A = Identity("a" * 64, {"dtype": "float32"})
ENTRIES = 2_000

Open = Callable[[], Cache]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scores.sqlite"


@pytest.fixture
def open_(path: Path) -> Iterator[Open]:
    """Opens the cache at `path` as often as asked, and closes all in the end."""
    opened: list[Cache] = []

    def again() -> Cache:
        opened.append(open_cache(path))
        return opened[-1]

    yield again
    for cache in opened:
        cache.close()


class Oracle:
    """Computes scores from texts and counts how often it was asked."""

    def __init__(self, factor: float = 1.0) -> None:
        self.requests: list[Any] = []
        self.factor = factor

    def __call__(self, requests: Sequence[Any]) -> Iterator[tuple[int, TokenScores]]:
        for number in reversed(range(len(requests))):  # in any order
            self.requests.append(requests[number])
            yield number, self.answer(requests[number])

    def answer(self, request: Any) -> TokenScores:
        text = request.text if isinstance(request, ScoreText) else request.target
        return TokenScores(tuple(-self.factor * ord(letter) for letter in text))


def ask(
    cache: Cache | None,
    oracle: Oracle,
    requests: Sequence[Any],
    identity: Identity = A,
    what: str = "texts",
    together: int = 0,
    done: Callable[[int], None] = lambda _: None,
) -> list[TokenScores]:
    return cached(cache, identity, RequestKind(what, oracle, TokenScores, together), requests, done)


TEXTS = [ScoreText(f"text {number}") for number in range(1_200)]


@pytest.mark.parametrize("together", [0, 1, 7, 10_000])
def test_known_scores_are_not_computed(together: int, open_: Open) -> None:
    first, second = Oracle(), Oracle()
    expected = [first.answer(text) for text in TEXTS]
    assert ask(open_(), first, TEXTS, together=together) == expected
    assert len(first.requests) == len(TEXTS)
    assert ask(open_(), second, TEXTS, together=together) == expected
    assert second.requests == []


@pytest.mark.parametrize("together", [0, 1, 7, 10_000])
def test_what_is_new_is_computed(together: int, open_: Open) -> None:
    ask(open_(), Oracle(), TEXTS[:300], together=together)
    oracle = Oracle()
    shuffled = random.Random(3).sample(TEXTS, len(TEXTS))
    assert ask(open_(), oracle, shuffled, together=together) == [oracle.answer(text) for text in shuffled]
    assert set(TEXTS[300:]) <= set(oracle.requests)
    if together < 2:
        assert set(oracle.requests) == set(TEXTS[300:])


@pytest.mark.parametrize("together", [7, 64, 10_000])
def test_a_run_has_the_same_bytes_with_a_cache_and_without(together: int, open_: Open) -> None:
    """The last digits depend on the batch: what a batch of other requests gave is computed again."""

    class Rounding(Oracle):
        def __call__(self, requests: Sequence[Any]) -> Iterator[tuple[int, TokenScores]]:
            noise = 8e-7 * hash(tuple(requests)) / 2**63
            for index, answer in super().__call__(requests):
                yield index, TokenScores(tuple(value + noise for value in answer.logprobs))

    without = ask(None, Rounding(), TEXTS, together=together)
    for part in (TEXTS[:100], TEXTS[5:900], random.Random(3).sample(TEXTS, 400)):
        ask(open_(), Rounding(), part, together=together)
    assert ask(open_(), Rounding(), TEXTS, together=together) == without


def test_answers_come_back_as_they_were(open_: Open) -> None:
    class Exact(Oracle):
        def answer(self, request: Any) -> TokenScores:
            if request.text == "long":
                return TokenScores(refused="too long: 9 tokens, the model takes 8")
            return TokenScores((-0.1, -1e-300, -123456.789, -1 / 3))

    texts = [ScoreText("a"), ScoreText("long")]
    fresh = ask(open_(), Exact(), texts)
    kept = Exact()
    assert ask(open_(), kept, texts) == fresh == [kept.answer(text) for text in texts]
    assert kept.requests == []


def test_without_a_cache_everything_is_computed() -> None:
    oracle = Oracle()
    for _ in range(2):
        assert ask(None, oracle, TEXTS[:5]) == [oracle.answer(text) for text in TEXTS[:5]]
    assert len(oracle.requests) == 10


@pytest.mark.parametrize(
    "other",
    [
        Identity("b" * 64, {"dtype": "float32"}),  # other weights, or configuration, or tokenizer
        Identity("a" * 64, {"dtype": "bfloat16"}),
        Identity("a" * 64, {"dtype": "float32", "within_word": "mask"}),
        Identity("a" * 64, {}),
        Identity("a" * 64 + "dtype", {"": "float32"}),
    ],
)
def test_a_model_never_sees_the_scores_of_another(other: Identity, open_: Open) -> None:
    ask(open_(), Oracle(1.0), TEXTS[:10])
    oracle = Oracle(2.0)
    answers = ask(open_(), oracle, TEXTS[:10], identity=other)
    assert answers == [oracle.answer(text) for text in TEXTS[:10]]
    assert len(oracle.requests) == 10
    assert ask(open_(), Oracle(), TEXTS[:10])[0] == Oracle(1.0).answer(TEXTS[0]), "nor has it overwritten them"


PAIR = ScorePair("It sang.", "Er sang.", "en", "de", "Der Vogel. ")


@pytest.mark.parametrize(
    "other",
    [
        ScorePair("It sang", "Er sang.", "en", "de", "Der Vogel. "),
        ScorePair("It sang.", "Er sang", "en", "de", "Der Vogel. "),
        ScorePair("It sang.", "Er sang.", "fr", "de", "Der Vogel. "),
        ScorePair("It sang.", "Er sang.", "en", "fr", "Der Vogel. "),
        ScorePair("It sang.", "Er sang.", "en", "de"),
        ScorePair("It sang.", "Vogel. Er sang.", "en", "de", "Der "),  # another split of the same characters
    ],
)
def test_every_part_of_a_question_counts(other: ScorePair, open_: Open) -> None:
    oracle = Oracle()
    ask(open_(), oracle, [PAIR], what="pairs")
    ask(open_(), oracle, [other], what="pairs")
    assert oracle.requests == [PAIR, other]


def test_where_scoring_begins_and_what_is_asked_count(open_: Open) -> None:
    oracle = Oracle()
    for text, what in ((ScoreText("abc"), "texts"), (ScoreText("abc", 1), "texts"), (ScoreText("abc"), "blanks")):
        ask(open_(), oracle, [text], what=what)
    assert len(oracle.requests) == 3


def test_the_origin_is_no_part_of_the_question(open_: Open) -> None:
    oracle = Oracle()
    ask(open_(), oracle, [ScoreText("abc", 0, "one"), ScoreText("abc", 0, "two")])
    ask(open_(), oracle, [ScoreText("abc", 0, "three")])
    assert len(oracle.requests) == 1


@pytest.mark.parametrize("cache", [True, False])
def test_equal_questions_are_computed_once_and_counted_each(cache: bool, open_: Open) -> None:
    oracle = Oracle()
    counted: list[int] = []
    requests = [ScoreText("a"), ScoreText("b"), ScoreText("a"), ScoreText("a")]
    answers = ask(open_() if cache else None, oracle, requests, done=counted.append)
    assert answers == [oracle.answer(text) for text in requests]
    assert sorted(text.text for text in oracle.requests) == ["a", "b"]
    assert sum(counted) == 4


@pytest.mark.parametrize("together", [0, 100])
def test_progress_counts_every_request_once(together: int, open_: Open) -> None:
    ask(open_(), Oracle(), TEXTS[:150])
    counted: list[int] = []
    ask(open_(), Oracle(), TEXTS, together=together, done=counted.append)
    assert sum(counted) == len(TEXTS)


def test_translations_are_kept_too(open_: Open) -> None:
    received: list[TranslateDoc] = []

    def translate(sources: Sequence[TranslateDoc]) -> Iterator[tuple[int, str]]:
        received.extend(sources)
        yield from ((number, f"{' '.join(source.sentences)} 猫") for number, source in enumerate(sources))

    sources = [
        TranslateDoc(("a", "b"), "en", "de"),
        TranslateDoc(("a b",), "en", "de"),
        TranslateDoc(("a", "b"), "en", "fr"),
    ]
    for _ in range(2):
        cache = open_()
        translations = cached(cache, A, RequestKind("translate", translate, str), sources, lambda _: None)
        assert translations == ["a b 猫"] * 3
    assert received == sources


class StopError(Exception):
    """Somebody pulls the plug."""


@pytest.mark.parametrize("error", [StopError, KeyboardInterrupt])
@pytest.mark.parametrize("together", [0, 50])
def test_what_was_computed_before_an_interruption_is_kept(
    error: type[BaseException], together: int, open_: Open
) -> None:
    class Failing(Oracle):
        def __call__(self, requests: Sequence[Any]) -> Iterator[tuple[int, TokenScores]]:
            for answer in super().__call__(requests):
                if len(self.requests) > 730:
                    raise error
                yield answer

    with pytest.raises(error):
        ask(open_(), Failing(), TEXTS, together=together)
    oracle = Oracle()
    assert ask(open_(), oracle, TEXTS, together=together) == [oracle.answer(text) for text in TEXTS]
    assert len(oracle.requests) == len(TEXTS) - (730 if together == 0 else 700)


def test_what_is_computed_in_one_go_is_the_same_after_an_interruption(open_: Open) -> None:
    """Scores depend a little, in the last digits, on what they are computed together with."""

    class Together(Oracle):
        def __call__(self, requests: Sequence[Any]) -> Iterator[tuple[int, TokenScores]]:
            self.requests.append(list(requests))
            yield from ((number, TokenScores((-float(len(self.requests[-1])),))) for number in range(len(requests)))

    whole = Together()
    ask(None, whole, TEXTS[:100], together=8)
    ask(open_(), Oracle(), [*TEXTS[:3], TEXTS[50]])
    resumed = Together()
    ask(open_(), resumed, TEXTS[:100], together=8)
    assert all(go in whole.requests for go in resumed.requests)
    assert sum(map(len, resumed.requests)) >= 96


def test_candidates_of_one_origin_are_computed_in_one_go(open_: Open) -> None:
    goes: list[list[ScoreText]] = []

    def compute(requests: Sequence[ScoreText]) -> Iterator[tuple[int, TokenScores]]:
        goes.append(list(requests))
        yield from ((number, TokenScores((-1.0,))) for number in range(len(requests)))

    texts = [ScoreText(f"{item} {candidate}", 0, f"o{item}") for item in range(20) for candidate in range(3)]
    cached(open_(), A, RequestKind("texts", compute, TokenScores, 7), texts, lambda _: None)
    assert len(goes) > 4
    origins = [{text.origin for text in go} for go in goes]
    assert sum(map(len, origins)) == 20, "no origin is in two goes"


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


@pytest.mark.parametrize(("before", "stored"), [(499, 0), (500, 500), (999, 500), (1000, 1000)])
def test_answers_are_stored_five_hundred_at_a_time(before: int, stored: int, open_: Open) -> None:
    """What another process sees after so many answers."""
    cache, reader = open_(), open_()
    seen: list[int] = []

    class Watched(Oracle):
        def __call__(self, requests: Sequence[Any]) -> Iterator[tuple[int, TokenScores]]:
            for number, answer in enumerate(super().__call__(requests)):
                if number == before:
                    seen.extend(reader.connection.execute("SELECT COUNT(*) FROM scores").fetchone())
                yield answer

    ask(cache, Watched(), TEXTS)
    assert seen == [stored]


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
