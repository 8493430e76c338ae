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
    arcs: list[int]
    """The arc into each node, within the circle."""
    owners: dict[int, int]
    """The node that each word is part of."""


def _arborescence(scores: np.ndarray) -> np.ndarray:
    """Heads of the best tree below node 0.

    A path of best heads grows from each word. Where it meets itself, the circle is contracted to one node and the path
    grows on from there, so the time is quadratic.
    """
    size = len(scores)
    # Scores between nodes, and the arc between words that each score stands for.
    left, arcs = scores.copy(), np.arange(size * size).reshape(size, size)
    alive = np.ones(size, bool)
    stands_for = list(range(size))
    best = scores.argmax(axis=1).tolist()
    words = [[node] for node in range(size)]
    circles: list[_Circle] = []
    reached = [True] + [False] * (size - 1)
    for start in range(1, size):
        path = [] if reached[start] or not alive[start] else [start]
        while path:
            head = stands_for[best[path[-1]]]
            if reached[head]:
                for node in path:
                    reached[node] = True
                break
            if head not in path:
                path.append(head)
                continue
            circle = path[path.index(head) :]
            circles.append(_closed(circle, best, stands_for, arcs, words))
            alive[circle] = False
            others = np.flatnonzero(alive)
            _contract(left, arcs, circle, [stands_for[best[node]] for node in circle], others)
            node = circle[0]
            alive[node] = True
            for word in words[node]:
                stands_for[word] = node
            best[node] = int(others[left[node, others].argmax()])
            path = [*path[: path.index(node)], node]
    chosen = {node: int(arcs[node, stands_for[best[node]]]) for node in np.flatnonzero(alive).tolist() if node}
    return _expanded(chosen, circles, size)


def _closed(
    circle: list[int], best: list[int], stands_for: list[int], arcs: np.ndarray, words: list[list[int]]
) -> _Circle:
    """Record a circle, and give its words to its first node."""
    inner = [int(arcs[node, stands_for[best[node]]]) for node in circle]
    owners = {word: node for node in circle for word in words[node]}
    words[circle[0]] = list(owners)
    return _Circle(circle, inner, owners)


def _contract(left: np.ndarray, arcs: np.ndarray, circle: list[int], heads: list[int], others: np.ndarray) -> None:
    """Make one node of a circle. To enter it at a node costs that node's arc within the circle."""
    whole, columns = np.array(circle), np.arange(len(others))
    into = left[np.ix_(whole, others)] - left[whole, heads][:, None]
    entries = into.argmax(axis=0)
    into_arcs = arcs[whole[entries], others]
    out = left[np.ix_(others, whole)]
    exits = out.argmax(axis=1)
    out_arcs = arcs[others, whole[exits]]
    left[circle[0], others], arcs[circle[0], others] = into[entries, columns], into_arcs
    left[others, circle[0]], arcs[others, circle[0]] = out[columns, exits], out_arcs


def _expanded(chosen: dict[int, int], circles: list[_Circle], size: int) -> np.ndarray:
    """Heads of all words: circles are opened again, the last one first, where an arc enters them."""
    for nodes, inner, owners in reversed(circles):
        entering = chosen[nodes[0]]
        chosen |= dict(zip(nodes, inner, strict=True))
        chosen[owners[entering // size]] = entering
    heads = np.zeros(size, np.int64)
    for arc in chosen.values():
        heads[arc // size] = arc % size
    return heads
