"""Small questions about token sequences, each with a plain answer beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.models.tokens import common_prefix, fingerprint, once, shared_prefix, too_long

tokens = st.lists(st.integers(0, 2), max_size=8)


def test_equal_jobs_are_done_once_for_all_that_ask() -> None:
    assert once([(0, (1, 2)), (3, (1,)), (2, (1, 2))]) == {(1, 2): [0, 2], (1,): [3]}


@given(tokens, tokens)
def test_a_fingerprint_is_that_of_the_tokens(one: list[int], other: list[int]) -> None:
    assert (fingerprint(tuple(one), 1) == fingerprint(tuple(other), 1)) == (one == other)
    assert fingerprint(tuple(one), 1) != fingerprint(tuple(one), 2)


@given(tokens, tokens)
def test_common_prefix(one: list[int], other: list[int]) -> None:
    longest = range(min(len(one), len(other)), -1, -1)
    shared = next(length for length in longest if one[:length] == other[:length])
    assert common_prefix(one, other) == common_prefix(other, one) == shared


@given(st.lists(tokens.filter(bool), min_size=1, max_size=4))
def test_shared_prefix_leaves_each_a_token_of_its_own(sequences: list[list[int]]) -> None:
    shared = shared_prefix(sequences)
    assert all(sequence[:shared] == sequences[0][:shared] for sequence in sequences)
    assert all(len(sequence) > shared for sequence in sequences)
    longer = {tuple(sequence[: shared + 1]) for sequence in sequences}
    assert len(longer) > 1 or min(map(len, sequences)) == shared + 1, "more could be shared"


@pytest.mark.parametrize(("count", "limit", "refused"), [(5, None, False), (5, 5, False), (4, 5, False), (6, 5, True)])
def test_too_long(count: int, limit: int | None, refused: bool) -> None:
    found = too_long(count, limit)
    assert bool(found) == refused
    if refused:
        assert found == "too long: 6 tokens, the model takes 5"
