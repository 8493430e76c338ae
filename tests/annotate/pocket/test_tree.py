from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from referee.annotate.pocket.tree import are_trees, best_tree, best_trees


def is_tree(heads: tuple[int, ...]) -> bool:
    """Whether walking up from every word ends at the root, which has one word below it."""
    for word in range(1, len(heads) + 1):
        node, steps = word, 0
        while node and steps <= len(heads):
            node, steps = heads[node - 1], steps + 1
        if node:
            return False
    return heads.count(0) == 1


def all_heads(length: int) -> list[tuple[int, ...]]:
    return list(product(range(length + 1), repeat=length))


def brute_force(scores: np.ndarray) -> float:
    """The highest sum of any tree with one root."""
    length = len(scores)
    return max(float(scores[np.arange(length), list(heads)].sum()) for heads in all_heads(length) if is_tree(heads))


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_trees_are_recognised(length: int) -> None:
    every = all_heads(length)
    assert are_trees(np.array(every)).tolist() == [is_tree(heads) for heads in every]


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("spread", [3, 1_000_000])
def test_the_best_tree_is_that_of_brute_force(length: int, spread: int) -> None:
    numbers = np.random.default_rng(length)
    for _ in range(10 if length == 5 else 100):
        scores = numbers.integers(-spread, spread, (length, length + 1)).astype(np.float64)
        heads = best_tree(scores)
        assert is_tree(tuple(heads.tolist()))
        assert scores[np.arange(length), heads].sum() == brute_force(scores)


def test_a_batch_gives_the_trees_of_its_sentences() -> None:
    numbers = np.random.default_rng(3)
    for length in (1, 2, 4):
        scores = numbers.integers(-9, 9, (40, length, length + 1)).astype(np.float64)
        before = scores.copy()
        heads = best_trees(scores)
        assert (scores == before).all()
        for one, tree in zip(scores, heads, strict=True):
            assert is_tree(tuple(tree.tolist()))
            assert one[np.arange(length), tree].sum() == brute_force(one)


@pytest.mark.parametrize("length", [30, 150, 300])
def test_long_sentences_get_trees(length: int) -> None:
    scores = np.random.default_rng(length).standard_normal((length, length + 1))
    assert is_tree(tuple(best_tree(scores).tolist()))


def test_circles_within_circles() -> None:
    # 1 and 2 are each other's heads, then the pair and 3, then those and 4; only 4 may be the root.
    scores = np.full((4, 5), -100.0)
    scores[0, 2] = scores[1, 1] = 50
    scores[2, 1] = scores[0, 3] = 40
    scores[3, 3] = scores[2, 4] = 30
    scores[3, 0] = 1
    assert best_tree(scores).tolist() == [3, 1, 4, 0]
    assert scores[np.arange(4), [3, 1, 4, 0]].sum() == brute_force(scores)


def test_equal_scores_give_one_answer() -> None:
    assert best_tree(np.zeros((4, 5))).tolist() == best_tree(np.zeros((4, 5))).tolist()
    assert is_tree(tuple(best_tree(np.zeros((6, 7))).tolist()))
