"""Atoms as piece numbers. Atoms repeat, so each is cut once and kept; training and run time share this code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

PAD, END, UNKNOWN = 1, 2, 3
"""Numbers of XLM-RoBERTa's tokens."""

SPECIAL = 4
"""Tokens in front of the pieces: `<s>`, `<pad>`, `</s>`, `<unk>`."""

_OWN = 3
# Sentencepiece's own tokens in front of its pieces: <unk>, <s>, </s>.
_KEPT_ATOMS, _KEPT_PIECES, _LONGEST = 200_000, 2_000_000, 64
# An atom beyond the longest (a line of dots, a key) is cut anew each time: it hardly ever repeats.


class Encoded(NamedTuple):
    """Pieces of a sequence of atoms, one after the other, and how many belong to each atom (at least one)."""

    numbers: np.ndarray
    counts: np.ndarray


class Pieces:
    """Cuts atoms into pieces by a sentencepiece model, and numbers the pieces as XLM-RoBERTa does."""

    _index: dict[str, int]
    _numbers: np.ndarray
    _starts: np.ndarray
    _counts: np.ndarray
    _filled: int

    def __init__(self, model: bytes, languages: Sequence[str]) -> None:
        import sentencepiece

        self._processor: Any = sentencepiece.SentencePieceProcessor(model_proto=model)
        # Atoms carry their own space, whatever the model was trained with.
        self._processor.override_normalizer_spec(add_dummy_prefix=False)
        self._first_language = self._processor.get_piece_size() - _OWN + SPECIAL
        self.languages = tuple(languages)
        self._forget()

    def language(self, code: str) -> int:
        """The number of a language's token."""
        return self._first_language + self.languages.index(code)

    def __len__(self) -> int:
        """Tokens in all: pieces, special tokens, languages, mask."""
        return self._first_language + len(self.languages) + 1

    def encode(self, atoms: Sequence[str]) -> Encoded:
        """Cut atoms as `atoms.atoms` spells them: with a space where one precedes."""
        if len(self._index) > _KEPT_ATOMS or self._filled > _KEPT_PIECES:
            self._forget()
        index = list(map(self._index.get, atoms))
        passing: list[str] = []
        if None in index:
            self._learn({atom for atom, known in zip(atoms, index, strict=True) if known is None})
            index = list(map(self._index.get, atoms))
            passing = [atom for atom, known in zip(atoms, index, strict=True) if known is None]
        if passing:
            return self._encode_with(passing, index)
        entry = np.array(index, np.int64)
        return _gathered(self._numbers, self._starts[entry], self._counts[entry])

    def _encode_with(self, passing: Sequence[str], index: list[int | None]) -> Encoded:
        """Pieces where some atoms are too long to be kept."""
        cut = self._cut(passing)
        counts = np.fromiter(map(len, cut), np.int64, len(cut))
        entry = np.array([-1 if known is None else known for known in index], np.int64)
        starts, lengths = self._starts[entry], self._counts[entry]
        starts[entry < 0] = self._filled + np.cumsum(counts) - counts
        lengths[entry < 0] = counts
        numbers = np.concatenate([self._numbers[: self._filled], *(np.array(one, np.int32) for one in cut)])
        return _gathered(numbers, starts, lengths)

    def _learn(self, atoms: Iterable[str]) -> None:
        """Keep the pieces of atoms that were not met before."""
        # Sorted: a set's order changes from process to process, and with it where the numbers lie.
        fresh = sorted(atom for atom in atoms if len(atom) <= _LONGEST)
        if not fresh:
            return
        cut = self._cut(fresh)
        counts = np.fromiter(map(len, cut), np.int64, len(cut))
        first = len(self._index)
        self._index.update(zip(fresh, range(first, first + len(fresh)), strict=True))
        self._numbers = _grown(self._numbers, self._filled + int(counts.sum()))
        self._starts = _grown(self._starts, first + len(fresh))
        self._counts = _grown(self._counts, first + len(fresh))
        self._starts[first : first + len(fresh)] = self._filled + np.cumsum(counts) - counts
        self._counts[first : first + len(fresh)] = counts
        filled = self._filled + int(counts.sum())
        self._numbers[self._filled : filled] = [number for one in cut for number in one]
        self._filled = filled

    def _cut(self, atoms: Sequence[str]) -> list[list[int]]:
        """Pieces of atoms in one call."""
        # Half of a surrogate pair cannot be written as UTF-8: a question mark stands for it.
        cut = self._processor.encode([atom.encode(errors="replace") for atom in atoms], num_threads=1)
        # Everything moves by one, for there are four tokens where sentencepiece has three.
        return [[piece + 1 if piece else UNKNOWN for piece in pieces] or [UNKNOWN] for pieces in cut]

    def _forget(self) -> None:
        self._index = {}
        self._numbers = np.empty(1 << 14, np.int32)
        self._starts = np.empty(1 << 12, np.int64)
        self._counts = np.empty(1 << 12, np.int64)
        self._filled = 0


def _gathered(numbers: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> Encoded:
    """Runs of a table, one after the other."""
    before = np.cumsum(counts) - counts
    positions = np.arange(int(counts.sum())) + np.repeat(starts - before, counts)
    return Encoded(numbers[positions], counts)


def _grown(array: np.ndarray, least: int) -> np.ndarray:
    """The array with room for `least` entries, doubled as often as needed."""
    size = len(array)
    if size >= least:
        return array
    while size < least:
        size *= 2
    grown = np.empty(size, array.dtype)
    grown[: len(array)] = array
    return grown
