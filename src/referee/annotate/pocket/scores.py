"""The heads at work: scores of borders, splits, tags, lemmas, arcs and labels from the encoder's vectors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.annotate.pocket.exact import (
    EXACT,
    Dense,
    Ends,
    dense,
    finest,
    finest_of_pairs,
    gelu,
    paired,
    rounded,
)
from referee.annotate.pocket.heads import About, Heads, Matrix

_REACH = 16.0
# Hidden numbers beyond this are cut.
_FINE = 4_096.0
# The grid of arcs, whose sums are taken in float64.
_LABEL_GRID, _LABEL_LIMIT = 64.0, 4_095
# One side of a label's product; the numbers of the other side may add up to 4,096.
_LABEL_BLOCK = 64
_HIDDEN = ("tag.hidden", "lemma.down", "arc.dependent", "arc.head", "label.dependent", "label.head")


class WordScores(NamedTuple):
    """What the heads say of words, one row per word."""

    tags: np.ndarray
    """Scores of all parts of speech, then of all values of all features."""
    lemmas: np.ndarray
    """The best lemma script."""
    dependents: np.ndarray
    """As a dependent: whole numbers, as all that follow."""
    heads: np.ndarray
    """As a head: its product with a dependent, plus `bonus`, is the score of the arc."""
    bonus: np.ndarray
    label_dependents: np.ndarray
    label_heads: np.ndarray


class Scorer:
    """The heads for one language, as matrices that are ready to be multiplied."""

    def __init__(self, heads: Heads, language: str) -> None:
        about, matrices, vectors = heads.about, heads.matrices, heads.vectors
        self.about = about
        self._lemmas = np.array(about.lemmas.get(language, range(len(about.lemma_scripts))))
        self._splits = np.array(about.splits.get(language, range(len(about.split_scripts))))
        self._excluded = _excluded(about, language)
        self._limit = finest_of_pairs(*(matrices[name].whole for name in ("border", "split.down", *_HIDDEN)))
        self._grid = self._limit / about.reach
        inner = ("split.out", "upos", "feats", "lemma.out", "arc.weight", "label.weight")
        self._hidden_limit = finest(*(matrices[name].whole for name in inner))
        self._hidden_grid = self._hidden_limit / _REACH
        step, hidden_step = 1 / self._grid, 1 / self._hidden_grid

        def inside(matrix: Matrix, bias: np.ndarray, rows: np.ndarray | slice = slice(None)) -> Dense:
            return dense(Matrix(matrix.whole[rows], matrix.scale[rows]), bias[rows], hidden_step)

        self._border = paired(matrices["border"], vectors["border.bias"], step)
        self._split = paired(matrices["split.down"], vectors["split.down.bias"], step)
        self._split_out = inside(matrices["split.out"], vectors["split.out.bias"], self._splits)
        self._tags = inside(*_stacked(heads, ("upos", "feats")))
        self._lemma = inside(matrices["lemma.out"], vectors["lemma.out.bias"], self._lemmas)
        for_arc, for_label = (matrices[name] for name in ("arc.weight", "label.weight"))
        self._arc = inside(for_arc, np.zeros_like(for_arc.scale))
        self._arc_bias = np.rint(vectors["arc.bias"].astype(np.float64) * _FINE)
        label = inside(for_label, np.zeros_like(for_label.scale))
        self._label, self._label_scale = label.weight, label.scale * np.float32(_LABEL_GRID)
        hidden, bias = _stacked(heads, _HIDDEN)
        plain = hidden.whole * hidden.scale[:, None]
        parts = vectors["parts"] @ plain.T
        self._hidden = paired(hidden, bias + parts[0], step)
        self._parts = parts - parts[0]
        edges = np.cumsum([0, *(len(matrices[name].whole) for name in _HIDDEN)]).tolist()
        self._slices = [slice(start, end) for start, end in pairwise(edges)]
        self._root = self._from_hidden((vectors["root"] @ plain.T + bias)[None].astype(np.float32))

    def grounded(self, vectors: np.ndarray) -> np.ndarray:
        """The encoder's vectors as the whole numbers that all other functions take, in place."""
        return rounded(vectors, self._grid, self._limit)

    def borders(self, vectors: np.ndarray, ends: Ends) -> np.ndarray:
        """Scores of the three kinds of border behind each atom."""
        count = self._border.first.shape[1]
        by_piece = vectors @ np.concatenate([self._border.first, self._border.last], axis=1)
        scores: np.ndarray = by_piece[ends.first, :count] + by_piece[ends.last, count:]
        scores *= self._border.scale
        scores += self._border.bias
        return scores

    def splits(self, vectors: np.ndarray, ends: Ends) -> np.ndarray:
        """The best split script of each token."""
        best = np.zeros(len(ends.first), np.int64)
        for chosen, hidden in self._split.blocks(vectors, ends):
            best[chosen] = self._split_out(self._active(hidden)).argmax(axis=1)
        return self._splits[best]

    def words(self, vectors: np.ndarray, ends: Ends, parts: np.ndarray) -> WordScores:
        """Scores of words; `parts` are 0 for a token's only word, else 1, 2, 3 for the first, second and further."""
        count = len(ends.first)
        scores = WordScores(
            *(np.empty((count, *part.shape[1:]), part.dtype) for part in self._root),
        )
        divided = bool(parts.any())
        for chosen, hidden in self._hidden.blocks(vectors, ends):
            if divided:
                inside = np.flatnonzero(parts[chosen])
                hidden[inside] += self._parts[parts[chosen[inside]]]
            for column, block in zip(scores, self._from_hidden(hidden), strict=True):
                column[chosen] = block
        return scores

    def _from_hidden(self, hidden: np.ndarray) -> WordScores:
        """Scores of a block of words from their hidden layers before the activation."""
        hidden = self._active(hidden)
        tag, lemma, dependent, head, label_dependent, label_head = (hidden[:, part] for part in self._slices)
        tags = self._tags(tag)
        tags[:, self._excluded] = -np.inf
        as_head = self._arc(head)
        as_head *= np.float32(_FINE)
        np.rint(as_head, out=as_head)
        return WordScores(
            tags,
            self._lemmas[self._lemma(lemma).argmax(axis=1)],
            dependent,
            as_head,
            head.astype(np.float64) @ self._arc_bias,
            label_dependent,
            label_head,
        )

    def _active(self, hidden: np.ndarray) -> np.ndarray:
        return rounded(gelu(hidden), self._hidden_grid, self._hidden_limit)

    def arcs(self, words: WordScores, sentences: np.ndarray) -> np.ndarray:
        """Scores (sentence, word, head) of the arcs of sentences of one length, given by the numbers of their words.

        Head 0 is the root, head 1 the first word. The scores are whole numbers.
        """
        count, length = sentences.shape
        dependents = words.dependents[sentences].astype(np.float64)
        heads = np.empty((count, length + 1, dependents.shape[2]))
        heads[:, 0], heads[:, 1:] = self._root.heads[0], words.heads[sentences]
        bonus = np.empty((count, 1, length + 1))
        bonus[:, 0, 0], bonus[:, 0, 1:] = self._root.bonus[0], words.bonus[sentences]
        scores: np.ndarray = dependents @ heads.transpose(0, 2, 1)
        scores += bonus
        return scores

    def labels(self, words: WordScores, heads: np.ndarray) -> np.ndarray:
        """Scores of the relations of each word to its head: a word's number, or -1 for the root."""
        scores = np.empty((len(heads), len(self.about.deprels)), np.float32)
        one = np.float32(round(self._hidden_grid))
        for start in range(0, len(heads), _LABEL_BLOCK):
            block = slice(start, start + _LABEL_BLOCK)
            above = words.label_heads[heads[block]]
            above[heads[block] < 0] = self._root.label_heads[0]
            scores[block] = self._bilinear(_with(one, above), _with(one, words.label_dependents[block]))
        return scores

    def _bilinear(self, heads: np.ndarray, dependents: np.ndarray) -> np.ndarray:
        product = heads @ self._label
        product *= self._label_scale
        np.rint(product, out=product)
        np.clip(product, -_LABEL_LIMIT, _LABEL_LIMIT, out=product)
        total = np.abs(dependents).sum(axis=1, keepdims=True)
        # Cut, not rounded, so that no sum exceeds the limit. A factor for the whole word changes no order.
        dependents = np.trunc(dependents * np.minimum(np.float32(1), np.float32(EXACT // _LABEL_LIMIT) / total))
        scores: np.ndarray = np.matmul(product.reshape(len(heads), -1, dependents.shape[1]), dependents[:, :, None])
        return scores[:, :, 0]


def _excluded(about: About, language: str) -> list[int]:
    """Columns of parts of speech and of features' values that a language does not have."""
    tags = range(len(about.upos))
    columns = sorted(set(tags) - set(about.tags.get(language, tags)))
    marked = about.marked.get(language)
    start = len(about.upos)
    for name, values in about.features:
        if marked is not None and name not in marked:
            columns += range(start + 1, start + len(values))
        start += len(values)
    return columns


def _stacked(heads: Heads, names: Sequence[str]) -> tuple[Matrix, np.ndarray]:
    """Matrices of the same inputs as one, and their biases."""
    matrices = [heads.matrices[name] for name in names]
    matrix = Matrix(np.concatenate([one.whole for one in matrices]), np.concatenate([one.scale for one in matrices]))
    return matrix, np.concatenate([heads.vectors[f"{name}.bias"] for name in names])


def _with(one: np.float32, rows: np.ndarray) -> np.ndarray:
    """Rows with a constant at their end."""
    return np.concatenate([rows, np.full((len(rows), 1), one, np.float32)], axis=1)
