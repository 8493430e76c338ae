"""A cache in a file of the test, and a model that computes scores and counts how often it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.protocols import Identity, ScoreText, TokenScores
from referee.scoring.answers import RequestKind, cached
from referee.scoring.cache import Cache, open_cache

A = Identity("a" * 64, {"dtype": "float32"})

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
