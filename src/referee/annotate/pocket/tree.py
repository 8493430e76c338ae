"""Trees from scores of arcs: the best head of each word where that gives a tree, else Chu-Liu-Edmonds with one root.

`scores[word, head]` has the words in order; head 0 is the root, head 1 the first word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


def best_trees(scores: np.ndarray) -> np.ndarray:
    """Heads (sentence, word) of the best tree of each sentence, for sentences of one length.

    The tree has one word below the root. Scores that are whole numbers give exact results.
    """
    length = scores.shape[1]
    words = np.arange(length)
    scores = scores.copy()
    scores[:, words, words + 1] = -np.inf
    heads: np.ndarray = scores.argmax(axis=2)
    for sentence in np.flatnonzero(~are_trees(heads)):
        heads[sentence] = best_tree(scores[sentence])
    return heads


def are_trees(heads: np.ndarray) -> np.ndarray:
    """Whether the heads (sentence, word) form a tree with one word below the root.

    >>> are_trees(np.array([[0, 1, 1], [0, 3, 2], [0, 0, 1]])).tolist()
    [True, False, False]
    """
    count, length = heads.shape
    above = np.zeros((count, length + 1), np.int64)
    above[:, 1:] = heads
    # Each step doubles the height: from every word of a tree the root is reached.
    for _ in range(int(length).bit_length()):
        above = np.take_along_axis(above, above, axis=1)
    reached: np.ndarray = (above == 0).all(axis=1) & ((heads == 0).sum(axis=1) == 1)
    return reached


def best_tree(scores: np.ndarray) -> np.ndarray:
    """Heads of the tree with the highest sum of scores among those with one word below the root."""
    length = len(scores)
    full = np.full((length + 1, length + 1), -np.inf)
    full[1:] = scores
    full[np.arange(1, length + 1), np.arange(1, length + 1)] = -np.inf
    finite = full[np.isfinite(full)]
    # An arc from the root costs more than all others can gain, so the best tree has one.
    full[1:, 0] -= length * (finite.max() - finite.min()) + 1
    return _arborescence(full)[1:]


class _Circle(NamedTuple):
    """Nodes that were contracted: the first stands for all."""

    nodes: list[int]
    arcs: dict[int, int]
    """The arc into each node, within the circle."""
    owners: dict[int, int]
    """The node that each word is part of."""


def _arborescence(scores: np.ndarray) -> np.ndarray:
    """Heads of the best tree below node 0: circles of best heads are contracted until none is left."""
    size = len(scores)
    nodes = list(range(size))
    # Scores between the nodes that are left, and the arc between words that each score stands for.
    left = scores.copy()
    arcs = np.arange(size * size).reshape(size, size)
    words = {node: [node] for node in nodes}
    circles: list[_Circle] = []
    while True:
        best = {node: nodes[int(left[node, nodes].argmax())] for node in nodes[1:]}
        circle = _circle(best)
        if not circle:
            break
        owners = {word: node for node in circle for word in words[node]}
        circles.append(_Circle(circle, {node: int(arcs[node, best[node]]) for node in circle}, owners))
        nodes = [node for node in nodes if node not in circle]
        _contract(left, arcs, circle, best, nodes)
        words[circle[0]] = list(owners)
        nodes = sorted([*nodes, circle[0]])
    chosen = {node: int(arcs[node, head]) for node, head in best.items()}
    for circle_nodes, inner, owners in reversed(circles):
        entering = chosen[circle_nodes[0]]
        chosen |= inner
        chosen[owners[entering // size]] = entering
    heads = np.zeros(size, np.int64)
    for arc in chosen.values():
        heads[arc // size] = arc % size
    return heads


def _circle(best: dict[int, int]) -> list[int]:
    """Nodes that are each other's heads, or nothing."""
    seen = {0: 0}
    for start in best:
        path = []
        node = start
        while node not in seen:
            seen[node] = start
            path.append(node)
            node = best[node]
        if node and seen[node] == start:
            return sorted(path[path.index(node) :])
    return []


def _contract(left: np.ndarray, arcs: np.ndarray, circle: list[int], best: dict[int, int], others: list[int]) -> None:
    """Make one node of a circle. To enter it at a node costs that node's arc within the circle."""
    whole, columns = np.array(circle), np.arange(len(others))
    into = left[np.ix_(circle, others)] - left[whole, [best[node] for node in circle]][:, None]
    entries = into.argmax(axis=0)
    into_arcs = arcs[whole[entries], others]
    out = left[np.ix_(others, circle)]
    exits = out.argmax(axis=1)
    out_arcs = arcs[others, whole[exits]]
    left[circle[0], others], arcs[circle[0], others] = into[entries, columns], into_arcs
    left[others, circle[0]], arcs[others, circle[0]] = out[columns, exits], out_arcs
