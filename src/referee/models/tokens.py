"""Small questions about token sequences."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Job = TypeVar("Job", bound=Hashable)


def common_prefix(one: Sequence[object], other: Sequence[object]) -> int:
    """How many tokens two sequences share at their start.

    It tells where new text begins when it was tokenised together with what precedes it: a token that spans the join
    differs, and so belongs to the new text.
    """
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length


def shared_prefix(sequences: Sequence[Sequence[object]]) -> int:
    """How many tokens all sequences share at their start, leaving each at least one token of its own."""
    shortest = min(map(len, sequences)) - 1
    return min([shortest, *(common_prefix(sequences[0], other) for other in sequences[1:])])


def once(jobs: Iterable[tuple[int, Job]]) -> dict[Job, list[int]]:
    """Equal jobs once, each with the numbers of the requests that ask for it.

    Jobs are tokens, so texts that the tokenizer does not tell apart are computed once and get the same score.
    """
    numbers: dict[Job, list[int]] = {}
    for number, job in jobs:
        numbers.setdefault(job, []).append(number)
    return numbers


def fingerprint(*parts: Sequence[object] | int) -> str:
    """Short text that is equal for equal tokens, by which candidates with the same tokens are found to be ties."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def too_long(tokens: int, limit: int | None) -> str:
    """Why an input of this length is refused; empty if it is not."""
    if limit is None or tokens <= limit:
        return ""
    return f"too long: {tokens} tokens, the model takes {limit}"
