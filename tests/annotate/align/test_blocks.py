"""Sentence pairs as arrays."""

from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.align import blocks as module
from referee.annotate.align.blocks import blocks, cells_of, index_pairs, vocabulary

PAIRS = [(["a", "b"], ["x", "y"]), (["b"], ["x"]), (["b", "a"], ["y", "z"]), ([], ["x"])]


def test_words_are_numbered_as_they_come_and_unknown_ones_last() -> None:
    words = vocabulary(PAIRS)
    assert (words.sources, words.targets) == ({"a": 0, "b": 1}, {"x": 0, "y": 1, "z": 2})
    assert words.width == 4
    assert list(words.numbered([(["b", "new"], ["z", "neu"])])) == [([1, 2], [2, 3])]


def test_pairs_of_one_shape_are_in_one_block_and_empty_ones_in_none() -> None:
    numbered = list(vocabulary(PAIRS).numbered(PAIRS))
    first, second = blocks(numbered)
    assert (first.indices.tolist(), first.sources.tolist(), first.targets.tolist()) == ([1], [[1]], [[0]])
    assert second.indices.tolist() == [0, 2]
    assert second.sources.tolist() == [[0, 1], [1, 0]]
    assert second.targets.tolist() == [[0, 1], [1, 2]]


def test_a_block_is_cut_where_it_would_grow_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CELLS", 8)
    sizes = [len(block.indices) for block in blocks([([0, 1], [0, 1])] * 5)]
    assert sizes == [2, 2, 1]
    monkeypatch.setattr(module, "_CELLS", 1)
    assert [len(block.indices) for block in blocks([([0, 1], [0, 1])] * 2)] == [1, 1]


def test_every_cell_finds_its_pair_of_words() -> None:
    words = vocabulary(PAIRS)
    parts = list(blocks(words.numbered(PAIRS)))
    seen, cells = index_pairs(parts, words.width)
    # Two source words with three target words each, four numbers apart.
    assert seen.tolist() == [0, 1, 2, 4, 5, 6]
    for block, cell in zip(parts, cells, strict=True):
        assert np.array_equal(seen[cell], block.keys(words.width))


def test_a_new_pair_has_the_number_after_the_last() -> None:
    seen = np.array([2, 5, 9])
    assert cells_of(np.array([[5, 9], [3, 12]]), seen).tolist() == [[1, 2], [3, 3]]
