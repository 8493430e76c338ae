"""A word aligner that learns from the sentence pairs alone: the model of fast_align, learned by agreement, in numpy.

Every word comes from a word of the other sentence or from nothing, by a table of word translations and a pull towards
the diagonal whose strength is learned too (Dyer et al. 2013, "A simple, fast, and effective reparameterization of IBM
Model 2"). Both directions are learned at once, and after a while a link counts only as far as both believe in it (Liang
et al. 2006, "Alignment by agreement").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.annotate.align.blocks import (
    Block,
    Ints,
    Numbers,
    Pair,
    Vocabulary,
    blocks,
    cells_of,
    index_pairs,
    vocabulary,
)
from referee.annotate.align.links import Link, grow_diag_final_and
from referee.io.progress import Progress, no_progress

Floats = NDArray[np.float64]
Axis = Literal[1, 2]
"""Where a block (sentence, source, target) has the words that others come from."""
Symmetry = Literal["grow-diag-final-and", "intersection"]

ALONE = 2
"""Passes in which each direction learns for itself: before that there is nothing to agree on."""
TOGETHER = 3
FROM_NOTHING = 0.005
"""How often a word comes from no word. With 0.08, as in fast_align, seldom translations (it: er) go to nothing."""
_FIRST_TENSION = 4.0
_TENSIONS = (0.1, 14.0)
_UNSEEN = 1e-9
"""The probability of two words that never stood in one pair of sentences."""
_LEAST = 1e-100
"""Instead of zero, so that some word always made the others."""


@dataclass(frozen=True)
class _Direction:
    """Words of one side from words of the other: probabilities of pairs, and of words from nothing, and the pull."""

    axis: Axis
    table: Floats
    nothing: Floats
    tension: float

    def beliefs(self, block: Block, cells: Numbers) -> tuple[Floats, Floats]:
        """Probabilities that each word comes from each word of the other sentence, and from nothing; they sum to 1."""
        diagonal, _ = _diagonal(cells.shape[1], cells.shape[2], self.axis, self.tension)
        links = self.table[cells]
        links *= (1 - FROM_NOTHING) * diagonal
        nothing = FROM_NOTHING * self.nothing[self.generated(block)]
        total = links.sum(axis=self.axis)
        total += nothing
        links /= np.expand_dims(total, self.axis)
        nothing /= total
        return links, nothing

    def best(self, block: Block, cells: Numbers) -> Ints:
        """For every word the position of the one it most likely comes from, -1 for nothing."""
        links, nothing = self.beliefs(block, cells)
        best: Ints = links.argmax(axis=self.axis)
        best[nothing >= links.max(axis=self.axis)] = -1
        return best

    def generated(self, block: Block) -> Numbers:
        """The words that this direction generates from those of the other side."""
        return block.targets if self.axis == 1 else block.sources


class _Tally:
    """Expected counts of one pass for a direction: of pairs and of words from nothing, distances off the diagonal."""

    def __init__(self, direction: _Direction) -> None:
        self.direction = direction
        self.pairs = np.zeros(len(direction.table))
        self.nothing = np.zeros(len(direction.nothing))
        self.links = self.distance = 0.0
        self.tokens = self.expected = self.spread = 0.0

    def add(self, block: Block, cells: Numbers, links: Floats, nothing: Floats) -> None:
        np.add.at(self.pairs, cells.ravel(), links.ravel())
        np.add.at(self.nothing, self.direction.generated(block).ravel(), nothing.ravel())
        axis = self.direction.axis
        diagonal, distance = _diagonal(cells.shape[1], cells.shape[2], axis, self.direction.tension)
        by_position = links.sum(axis=0)
        self.links += float(by_position.sum())
        self.distance += float((by_position * distance).sum())
        mean = (diagonal * distance).sum(axis=axis - 1)
        square = (diagonal * distance**2).sum(axis=axis - 1)
        self.tokens += mean.size * len(cells)
        self.expected += float(mean.sum()) * len(cells)
        self.spread += float((square - mean**2).sum()) * len(cells)

    def learned(self, owners: Ints) -> _Direction:
        """The direction that fits the counts; `owners` are the words that the pairs come from."""
        # A Newton step: the likelihood of the tension is concave.
        surplus = self.expected / self.tokens - self.distance / max(self.links, 1e-9)
        tension = self.direction.tension + surplus / max(self.spread / self.tokens, 1e-9)
        return _Direction(
            self.direction.axis,
            _probabilities(self.pairs, owners),
            _probabilities(self.nothing, np.zeros(len(self.nothing) - 1, np.int64)),
            float(np.clip(tension, *_TENSIONS)),
        )


@dataclass(frozen=True)
class Aligner:
    """What was learned: the words, the pairs of words that stood in one pair of sentences (sorted), both directions."""

    words: Vocabulary
    seen: Ints
    directions: tuple[_Direction, _Direction]

    def align(self, pairs: Sequence[Pair], symmetry: Symmetry = "grow-diag-final-and") -> list[list[Link]]:
        """The links of every pair of sentences, whether or not it was learned from."""
        aligned: list[list[Link]] = [[] for _ in pairs]
        for block in blocks(self.words.numbered(pairs)):
            cells = cells_of(block.keys(self.words.width), self.seen)
            of_targets, of_sources = (direction.best(block, cells).tolist() for direction in self.directions)
            for index, sources, targets in zip(block.indices.tolist(), of_targets, of_sources, strict=True):
                forward = {(source, target) for target, source in enumerate(sources) if source >= 0}
                backward = {(source, target) for source, target in enumerate(targets) if target >= 0}
                aligned[index] = (
                    sorted(forward & backward) if symmetry == "intersection" else grow_diag_final_and(forward, backward)
                )
        return aligned


def learn(pairs: Sequence[Pair], progress: Progress = no_progress) -> Aligner:
    """Learn from these pairs, of which one at least has no empty sentence; `progress` gets the passes done."""
    words = vocabulary(pairs)
    pair_blocks = list(blocks(words.numbered(pairs)))
    seen, cells = index_pairs(pair_blocks, words.width)
    owners = (seen // words.width, seen % words.width)
    # In every table one entry more than there are words or pairs, for what was not seen.
    forward = _Direction(1, np.ones(len(seen) + 1), np.ones(len(words.targets) + 1), _FIRST_TENSION)
    backward = _Direction(2, np.ones(len(seen) + 1), np.ones(len(words.sources) + 1), _FIRST_TENSION)
    directions = (forward, backward)
    for step in range(ALONE + TOGETHER):
        tallies = [_Tally(direction) for direction in directions]
        for block, block_cells in zip(pair_blocks, cells, strict=True):
            (one, one_nothing), (other, other_nothing) = (
                direction.beliefs(block, block_cells) for direction in directions
            )
            if step >= ALONE:
                one *= other
                other = one
            tallies[0].add(block, block_cells, one, one_nothing)
            tallies[1].add(block, block_cells, other, other_nothing)
        directions = (tallies[0].learned(owners[0]), tallies[1].learned(owners[1]))
        progress(step + 1, ALONE + TOGETHER)
    return Aligner(words, seen, directions)


def _probabilities(counts: Floats, owners: Ints) -> Floats:
    """Expected counts as probabilities by owner; the last entry is for what was not seen."""
    # Not variational, as fast_align can do it: that takes from seldom pairs what little they have.
    totals = np.bincount(owners, counts[:-1])
    return np.append(np.maximum(counts[:-1] / totals[owners], _LEAST), _UNSEEN)


def _diagonal(rows: int, columns: int, axis: Axis, tension: float) -> tuple[Floats, Floats]:
    """Probability of each position as origin of a word (sums to 1 along `axis`), and its distance off the diagonal."""
    distance = np.abs(np.arange(1, rows + 1)[:, None] / rows - np.arange(1, columns + 1) / columns)
    pull = np.exp(-tension * distance)
    return pull / pull.sum(axis=axis - 1, keepdims=True), distance
