from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.pocket.rows import PACKED, ROOM, Rows, pack, place, spelled


def random_lines(seed: int) -> tuple[list[int], list[int]]:
    numbers = np.random.default_rng(seed)
    counts = [int(count) for count in numbers.choice([0, 1, 5, 12, 30, 125, 126, 127, 204, 205, 1_000], 60)]
    documents = np.sort(numbers.integers(0, 12, 60)).tolist()
    return counts, documents


def edges(counts: list[int]) -> list[int]:
    return [0, *np.cumsum(counts).tolist()]


@pytest.mark.parametrize("seed", range(20))
def test_every_piece_is_used_once_and_lies_in_its_row(seed: int) -> None:
    counts, documents = random_lines(seed)
    rows = pack(counts, documents)
    used = [piece for first, last in zip(rows.first, rows.last, strict=True) for piece in range(first, last)]
    assert used == list(range(sum(counts)))
    assert (rows.starts <= rows.first).all()
    assert (rows.last <= rows.starts + rows.lengths).all()
    assert rows.lengths.max() <= ROOM
    assert rows.lengths.min() >= 1


@pytest.mark.parametrize("seed", range(20))
def test_a_row_holds_whole_lines_of_one_document_or_a_window_of_one_line(seed: int) -> None:
    counts, documents = random_lines(seed)
    rows = pack(counts, documents)
    line_edges = edges(counts)
    document_of = np.repeat(documents, counts)
    line_of = np.repeat(np.arange(len(counts)), counts)
    for start, length in zip(rows.starts, rows.lengths, strict=True):
        assert len(set(document_of[start : start + length])) == 1
        if len(set(line_of[start : start + length])) > 1:
            assert start in line_edges
            assert start + length in line_edges


def test_windows_leave_context_on_both_sides() -> None:
    rows = pack([3_000], [0])
    assert (rows.lengths == ROOM).all()
    assert (rows.first - rows.starts)[1:].min() >= 24
    assert (rows.starts + ROOM - rows.last)[:-1].min() >= 24


def test_rows_of_a_document_do_not_depend_on_its_neighbours() -> None:
    counts, documents = random_lines(3)
    together = pack(counts, documents)
    alone: list[tuple[int, int]] = []
    for document in sorted(set(documents)):
        own = [count for count, number in zip(counts, documents, strict=True) if number == document]
        before = sum(count for count, number in zip(counts, documents, strict=True) if number < document)
        rows = pack(own, [0] * len(own))
        alone += [(int(start) + before, int(length)) for start, length in zip(rows.starts, rows.lengths, strict=True)]
    assert alone == list(zip(together.starts.tolist(), together.lengths.tolist(), strict=True))


def test_short_lines_share_a_row_up_to_a_limit() -> None:
    assert pack([31, 31, 1], [0, 0, 0]).lengths.tolist() == [PACKED, 1]
    assert pack([1, 100, 1], [0, 0, 0]).lengths.tolist() == [1, 100, 1]


def test_nothing_to_pack() -> None:
    for counts in ([], [0, 0]):
        rows = pack(counts, [0] * len(counts))
        assert len(rows.starts) == 0
        assert spelled(rows, np.empty(0, np.int32), 4) == []


def test_tokens_out_and_vectors_back() -> None:
    counts, documents = random_lines(7)
    rows = pack(counts, documents)
    numbers = np.arange(sum(counts), dtype=np.int32) + 10
    vectors = np.zeros((len(numbers), 2), np.float32)
    for row, tokens in enumerate(spelled(rows, numbers, 4)):
        assert tokens[0] == 4
        assert tokens[-1] == 2
        place(rows, [row], np.array([[[token, row] for token in tokens]], np.float32), vectors)
    assert vectors[:, 0].tolist() == numbers.tolist()
    assert is_own_row(rows, vectors[:, 1])


def is_own_row(rows: Rows, source: np.ndarray) -> bool:
    """Whether each piece's vector came from the row that it is used in."""
    expected = np.repeat(np.arange(len(rows.starts)), rows.last - rows.first)
    return bool((source == expected).all())
