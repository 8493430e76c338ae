"""Small questions about token sequences."""

from __future__ import annotations

from collections.abc import Sequence


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


def too_long(tokens: int, limit: int | None) -> str:
    """Why an input of this length is refused; empty if it is not."""
    if limit is None or tokens <= limit:
        return ""
    return f"too long: {tokens} tokens, the model takes {limit}"
