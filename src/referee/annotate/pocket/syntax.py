"""Heads and relations of all words of a batch: sentences of one length together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.annotate.document import ROOT
from referee.annotate.pocket.scores import Scorer, WordScores
from referee.annotate.pocket.tree import best_trees

LONGEST = 300
"""Words that a tree may have. Longer sentences (of given tokens) become several trees under the first one's root."""

_ARCS = 1 << 20
# Scores of arcs at a time.


class Syntax(NamedTuple):
    """The head of each word, counted from the start of its sentence (`ROOT` for the root), and its relation."""

    heads: np.ndarray
    relations: np.ndarray


def parse(scorer: Scorer, words: WordScores, lengths: np.ndarray) -> Syntax:
    """Parse sentences, given by the numbers of their words."""
    starts = np.cumsum(lengths) - lengths
    above = np.full(len(words.lemmas), ROOT, np.int64)
    runs, sizes = _runs(starts, lengths)
    for size in np.unique(sizes[sizes > 0]).tolist():
        alike = runs[sizes == size]
        together = max(1, _ARCS // (size * (size + 1)))
        for begin in range(0, len(alike), together):
            numbers = alike[begin : begin + together, None] + np.arange(size)
            heads = best_trees(scorer.arcs(words, numbers))
            above[numbers] = np.where(heads > 0, numbers[:, :1] + heads - 1, ROOT)
    if len(runs) > len(starts):
        _join(above, starts, lengths)
    relations = _relations(scorer, words, above)
    origin = np.repeat(starts, lengths)
    return Syntax(np.where(above >= 0, above - origin, ROOT), relations)


def _runs(starts: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Starts and sizes of what becomes a tree: sentences, or parts of long ones."""
    if not len(lengths) or lengths.max() <= LONGEST:
        return starts, lengths
    parts = -(-lengths // LONGEST)
    begins = np.concatenate([start + np.arange(count) * LONGEST for start, count in zip(starts, parts, strict=True)])
    ends = np.minimum(begins + LONGEST, np.repeat(starts + lengths, parts))
    return begins, ends - begins


def _join(above: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> None:
    """Attach the roots of the parts of a long sentence to its first root."""
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        if length > LONGEST:
            first, *others = (np.flatnonzero(above[start : start + length] == ROOT) + start).tolist()
            above[others] = first


def _relations(scorer: Scorer, words: WordScores, above: np.ndarray) -> np.ndarray:
    """The best relation of each word; `root` is for the root and for no other word."""
    scores = scorer.labels(words, above)
    names = scorer.about.deprels
    if "root" in names:
        root = names.index("root")
        scores[:, root] = np.where(above == ROOT, np.inf, -np.inf)
    best: np.ndarray = scores.argmax(axis=1)
    return best
