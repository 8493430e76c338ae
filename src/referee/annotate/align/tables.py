"""Tables of word translations that are learned once and kept, so that a few sentences align as well as a corpus.

A table has the pairs of words that translate each other and both probabilities: of the target word given the source
word, and of the source word given the target word. English is the source; the other direction is the same table turned.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.annotate.align.blocks import Ints, Vocabulary, cells_of

Floats32 = NDArray[np.float32]

_LEVELS = 15
"""Steps of a stored probability, four bits: each is half a power of two."""
_STEP = 0.5
_PARTS = 5
"""Of a packed table: both lists of words, and three arrays."""


@dataclass(frozen=True)
class Table:
    """Pairs of words by one number each (sorted), and their two probabilities as logarithms to the base 2."""

    words: Vocabulary
    seen: Ints
    forward: Floats32
    backward: Floats32

    def look_up(self, sources: NDArray[np.int32], targets: NDArray[np.int32]) -> tuple[Floats32, Floats32]:
        """Both logarithms for all pairs of words of each row; `UNSEEN` where the table lacks the pair."""
        keys = sources[:, :, None].astype(np.int64) * self.words.width + targets[:, None, :]
        cells = cells_of(keys, self.seen)
        return np.append(self.forward, UNSEEN)[cells], np.append(self.backward, UNSEEN)[cells]

    def turned(self) -> Table:
        """The table of the other direction."""
        width = len(self.words.sources) + 1
        keys = self.seen % self.words.width * width + self.seen // self.words.width
        order = np.argsort(keys, kind="stable")
        words = Vocabulary(self.words.targets, self.words.sources)
        return Table(words, keys[order], self.backward[order], self.forward[order])


UNSEEN = np.float32(-_LEVELS * _STEP - 1.5)
"""The logarithm for two words that the table does not pair: less than any that is stored."""

EMPTY = Table(Vocabulary({}, {}), np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.float32))
"""The table of two languages of which nothing is known."""


class Tables(Mapping[str, Table]):
    """Packed tables by languages (`en-de`), unpacked when they are first asked for."""

    def __init__(self, packed: Mapping[str, NDArray[np.uint8]]) -> None:
        self._packed = packed
        self._unpacked: dict[str, Table] = {}

    def __getitem__(self, languages: str) -> Table:
        if languages not in self._unpacked:
            self._unpacked[languages] = unpacked(self._packed[languages])
        return self._unpacked[languages]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def packed(table: Table) -> NDArray[np.uint8]:
    """A table as few bytes: words in the order of their numbers, for each source word its pairs, both logarithms."""
    sources, targets = np.divmod(table.seen, table.words.width)
    levels = [np.clip(np.rint(-side / _STEP), 0, _LEVELS).astype(np.uint8) for side in (table.forward, table.backward)]
    counts = np.bincount(sources, minlength=len(table.words.sources))
    arrays = (counts.astype("<u2"), targets.astype("<u2"), levels[0] << 4 | levels[1])
    parts = [*("\n".join(words).encode() for words in (table.words.sources, table.words.targets))]
    parts += [array.tobytes() for array in arrays]
    sizes = np.array([len(part) for part in parts], "<u4").tobytes()
    return np.frombuffer(lzma.compress(sizes + b"".join(parts), preset=9), np.uint8)


def unpacked(content: NDArray[np.uint8]) -> Table:
    """The table of its bytes."""
    data = lzma.decompress(content.tobytes())
    head = 4 * _PARTS
    ends = head + np.cumsum(np.frombuffer(data, "<u4", _PARTS))
    sources, targets, counts, pairs, levels = (
        data[start:end] for start, end in zip([head, *ends[:-1].tolist()], ends.tolist(), strict=True)
    )
    words = Vocabulary(_numbered(sources), _numbered(targets))
    numbers = np.repeat(np.arange(len(words.sources)), np.frombuffer(counts, "<u2"))
    both = np.frombuffer(levels, np.uint8)
    return Table(
        words,
        numbers * words.width + np.frombuffer(pairs, "<u2"),
        np.float32(-_STEP) * (both >> 4),
        np.float32(-_STEP) * (both & 15),
    )


def _numbered(words: bytes) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.decode().split("\n"))} if words else {}
