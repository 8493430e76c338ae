"""Labelled sentences as flat arrays, from which batches are gathered without a loop over words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

import numpy as np

from referee.annotate.pocket.atoms import atoms
from referee.annotate.pocket.pieces import Pieces
from referee.annotate.pocket.scripts import lemma_script, split_script
from referee.io.files import atomic_write, existing
from referee.train.recipes.encoder.conventions import UNKNOWN as NOT_KNOWN
from referee.train.recipes.encoder.inventory import FEATURES, Inventory, universal
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.encoder.tokens import Token

T = TypeVar("T")

LENGTH, WORDS, TEXT = 256, 200, 128
"""Pieces and words of a row, and pieces of a text in it, its language and end included."""
UNKNOWN = -1
"""A label that is not learned."""
CONTINUES, ENDS, ENDS_SENTENCE = 0, 1, 2
"""What an atom is to its token and sentence."""


@dataclass(frozen=True)
class Examples:
    """Sentences one after the other; where each begins among pieces, atoms and words; labels of atoms and words.

    Pieces of atoms and words are counted from the beginning of their sentence, and so are heads.
    """

    language: np.ndarray
    treebank: np.ndarray
    first_piece: np.ndarray
    first_atom: np.ndarray
    first_word: np.ndarray
    pieces: np.ndarray
    atoms: np.ndarray
    """First piece, last piece, border."""
    words: np.ndarray
    """First piece, last piece, part, split, upos, lemma, head, deprel."""
    feats: np.ndarray

    def __len__(self) -> int:
        return len(self.language)

    def save(self, path: Path) -> None:
        """Write the arrays."""
        with atomic_write(path) as file:
            np.savez_compressed(file, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def read(cls, path: Path) -> Examples:
        """Read what `save` wrote."""
        with np.load(existing(path), allow_pickle=False) as stored:
            return cls(**{field.name: stored[field.name] for field in fields(cls)})


FIRST, LAST, PART, SPLIT, TAG, LEMMA, HEAD, DEPREL = range(8)
"""Columns of `Examples.words`."""


class Builder:
    """Collects sentences into `Examples`."""

    def __init__(self, inventory: Inventory, pieces: Pieces) -> None:
        self.pieces = pieces
        self.upos = _numbers(inventory.upos)
        self.features = {name: _numbers(values) for name, values in inventory.features.items()}
        self.deprels, self.lemmas = _numbers(inventory.deprels), _numbers(inventory.lemmas)
        self.splits = _numbers(inventory.splits)
        self.languages: list[int] = []
        self.treebanks: list[int] = []
        self.counts: list[tuple[int, int, int]] = []
        self.numbers: list[int] = []
        self.atoms: list[tuple[int, int, int]] = []
        self.words: list[tuple[int, ...]] = []
        self.feats: list[list[int]] = []

    def add(self, language: str, treebank: int, text: str, tokens: Sequence[Token], marked: frozenset[str]) -> None:
        """Add a sentence of a treebank that marks these features."""
        spelled, starts, ends = atoms(text)
        numbers, counts = self.pieces.encode(spelled)
        sizes = [0, *np.cumsum(counts).tolist()]
        at_start = {start: index for index, start in enumerate(starts)}
        at_end = {end: index for index, end in enumerate(ends)}
        borders = [CONTINUES] * len(spelled)
        words = 0
        for token in tokens:
            first, last = at_start[token.start], at_end[token.end]
            borders[last] = ENDS
            span = (sizes[first], sizes[last + 1] - 1)
            words += self._words(token, span, marked)
        borders[-1] = ENDS_SENTENCE
        self.atoms += [(sizes[i], sizes[i + 1] - 1, border) for i, border in enumerate(borders)]
        self.numbers += numbers.tolist()
        self.languages.append(LANGUAGES.index(language))
        self.treebanks.append(treebank)
        self.counts.append((sizes[-1], len(spelled), words))

    def _words(self, token: Token, span: tuple[int, int], marked: frozenset[str]) -> int:
        forms = tuple(word.form for word in token.words)
        split = self.splits.get(split_script(token.form, forms), UNKNOWN) if len(forms) > 1 else 0
        for index, word in enumerate(token.words):
            part = min(index + 1, 3) if len(forms) > 1 else 0
            self.words.append(
                (
                    *span,
                    part,
                    UNKNOWN if index else split,
                    self.upos.get(word.upos, UNKNOWN),
                    UNKNOWN
                    if word.lemma == NOT_KNOWN
                    else self.lemmas.get(lemma_script(word.form, word.lemma), UNKNOWN),
                    word.head,
                    self.deprels.get(universal(word.deprel), UNKNOWN),
                )
            )
            self.feats.append(
                [
                    self.features[name].get(word.features.get(name, ""), UNKNOWN) if name in marked else UNKNOWN
                    for name in FEATURES
                ]
            )
        return len(forms)

    def examples(self) -> Examples:
        """Arrays of everything that was added."""
        counts = np.array(self.counts, np.int64).reshape(-1, 3)
        starts = np.concatenate([[(0, 0, 0)], np.cumsum(counts, axis=0)]).astype(np.int32)
        first_piece, first_atom, first_word = starts.T.copy()
        return Examples(
            np.array(self.languages, np.int8),
            np.array(self.treebanks, np.int16),
            first_piece,
            first_atom,
            first_word,
            np.array(self.numbers, np.int16),
            np.array(self.atoms, np.int16),
            np.array(self.words, np.int16),
            np.array(self.feats, np.int8),
        )


def marked_features(sentences: Iterable[Sequence[Token]], least: int = 10) -> frozenset[str]:
    """The features that a treebank marks: only there is their absence a label."""
    counts = Counter(
        name for sentence in sentences for token in sentence for word in token.words for name in word.features
    )
    return frozenset(name for name, number in counts.items() if number >= least)


def _numbers(members: Sequence[T]) -> dict[T, int]:
    return {member: number for number, member in enumerate(members)}
