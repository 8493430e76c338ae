"""Answers through the cache: never the wrong score, no score lost, every request counted once."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from referee.protocols import Identity, ScorePair, ScoreText, TokenScores, TranslateDoc
from referee.scoring.answers import RequestKind, cached
from tests.support.score_cache import TEXTS, A, Open, Oracle, ask, open_, path

__all__ = ["open_", "path"]


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
