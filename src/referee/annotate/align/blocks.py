"""Sentence pairs as arrays: those of the same two lengths in one block, so that numpy computes them together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Pair = tuple[Sequence[str], Sequence[str]]
"""The tokens of a sentence and those of its translation."""

_CELLS = 2_000_000
"""Pairs of tokens in one block at most."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of both languages by number; any other word has the number after the last."""

    sources: dict[str, int]
    targets: dict[str, int]

    @property
    def width(self) -> int:
        """Number of different target words that a source word may be paired with, an unknown one included."""
        return len(self.targets) + 1

    def numbered(self, pairs: Iterable[Pair]) -> Iterator[tuple[list[int], list[int]]]:
        """Words as numbers."""
        unknown, unheard = len(self.sources), len(self.targets)
        for source, target in pairs:
            yield (
                [self.sources.get(word, unknown) for word in source],
                [self.targets.get(word, unheard) for word in target],
            )


@dataclass(frozen=True)
class Block:
    """Sentence pairs of one shape: their indices among all, and their words as numbers, one row per sentence."""

    indices: Ints
    sources: Numbers
    targets: Numbers

    def keys(self, width: int) -> Ints:
        """For every pair of tokens (sentence, source, target) one number for its two words."""
        keys: Ints = self.sources[:, :, None].astype(np.int64) * width + self.targets[:, None, :]
        return keys


def vocabulary(pairs: Iterable[Pair]) -> Vocabulary:
    """All words, numbered in order of first occurrence."""
    words = Vocabulary({}, {})
    for source, target in pairs:
        for word in source:
            words.sources.setdefault(word, len(words.sources))
        for word in target:
            words.targets.setdefault(word, len(words.targets))
    return words


def blocks(pairs: Iterable[tuple[list[int], list[int]]]) -> Iterator[Block]:
    """Pairs by shape, cut where a block would grow too large; a pair with an empty sentence is in none."""
    shapes: dict[tuple[int, int], list[tuple[int, list[int], list[int]]]] = {}
    for index, (source, target) in enumerate(pairs):
        if source and target:
            shapes.setdefault((len(source), len(target)), []).append((index, source, target))
    for (rows, columns), members in sorted(shapes.items()):
        step = max(1, _CELLS // (rows * columns))
        for start in range(0, len(members), step):
            indices, sources, targets = zip(*members[start : start + step], strict=True)
            yield Block(np.array(indices), np.array(sources, np.int32), np.array(targets, np.int32))


def index_pairs(pair_blocks: Sequence[Block], width: int) -> tuple[Ints, list[Numbers]]:
    """All pairs of words in one pair of sentences, sorted; for every block the index of the pair in each cell."""
    # Block by block first: their pairs are few and sorted, so that the search through all of them is short.
    parts = [_distinct(block.keys(width)) for block in pair_blocks]
    seen = np.unique(np.concatenate([keys for keys, _ in parts]))
    return seen, [np.searchsorted(seen, keys).astype(np.int32)[inverse] for keys, inverse in parts]


def _distinct(keys: Ints) -> tuple[Ints, Numbers]:
    distinct, inverse = np.unique(keys, return_inverse=True)
    return distinct, inverse.astype(np.int32).reshape(keys.shape)


def cells_of(keys: Ints, seen: Ints) -> Numbers:
    """Indices of word pairs among those seen; the number of pairs seen where a pair is new."""
    cells = np.searchsorted(seen, keys)
    is_seen = cells < len(seen)
    is_seen[is_seen] = seen[cells[is_seen]] == keys[is_seen]
    cells[~is_seen] = len(seen)
    return cells.astype(np.int32)
