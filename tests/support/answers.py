"""Answers of models, in order, and held against what they should be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from pathlib import Path

import pytest

from referee.protocols import TokenScores

Folders = Callable[[str], Path]
"""The folder of a family's small checkpoint."""

TOLERANCE = 1e-4


def in_order(answers: Iterable[tuple[int, TokenScores]], count: int) -> list[TokenScores]:
    """The answers by the number of their request."""
    numbered = list(answers)
    assert sorted(number for number, _ in numbered) == list(range(count)), "each is answered once"
    return [answer for _, answer in sorted(numbered, key=lambda answer: answer[0])]


def assert_equal(answers: Sequence[TokenScores], expected: Sequence[Sequence[float]]) -> None:
    """None refused, as many tokens, the same log-probabilities."""
    assert [answer.refused for answer in answers] == [""] * len(expected)
    assert [len(answer.logprobs) for answer in answers] == [len(logprobs) for logprobs in expected]
    for answer, logprobs in zip(answers, expected, strict=True):
        assert answer.logprobs == pytest.approx(logprobs, abs=TOLERANCE)


def in_common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two sequences share at their start; not referee's own function, which is under test."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))
