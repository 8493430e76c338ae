"""The bundled aligner: tables of word translations and the encoder's vectors, weighed by a small network.

Both were learned before, so ten sentences align as well as a corpus, and the links of a pair depend on nothing but the
pair. `adapted` learns a corpus's own words on top; `pocket:adapt` does so with the pairs of each call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from unicodedata import normalize

import numpy as np

from referee.annotate.align import aligner as learning
from referee.annotate.align import tokens
from referee.annotate.align.adapt import Counts, adapted
from referee.annotate.align.blocks import Pair
from referee.annotate.align.combine import Weighing
from referee.annotate.align.corpus import evenly
from referee.annotate.align.features import Cells, batches, cells
from referee.annotate.align.model import read_parts
from referee.annotate.align.tables import EMPTY, Table
from referee.annotate.align.vectors import TokenVectors, open_vectors
from referee.annotate.protocols import Links, SentencePair
from referee.errors import UsageError
from referee.logs import logger
from referee.pocket import forms
from referee.pocket.store import ALIGNER, ENCODER, PocketModel

LONGEST = 400
"""Tokens of a sentence at most: a longer pair is not aligned, and counted."""
LEARN_FROM = 20_000
"""Pairs that a corpus is learned from at most, spread evenly."""
_CHUNK = 2_000
"""Pairs whose vectors are in memory at a time."""
_ADAPT = "adapt"


@dataclass(frozen=True)
class PocketAligner:
    """Tables by languages (`en-de`), vectors and the weighing of both."""

    tables: Mapping[str, Table]
    vectors: TokenVectors
    weighing: Weighing
    version: str
    adapts: bool = False
    """Whether each call learns from its pairs first."""
    name: str = "pocket"
    _warned: set[str] = field(default_factory=set, compare=False, repr=False)

    def align(self, pairs: Sequence[SentencePair], source: str, target: str) -> list[Links]:
        """Align the tokens of sentence pairs in two languages."""
        words = [pair_words(pair) for pair in pairs]
        self._warn_of_long(words)
        if not (self.vectors.supports(source) and self.vectors.supports(target)):
            return self._alone(words, source, target)
        opened = self.adapted(pairs, source, target) if self.adapts else self
        links: list[Links] = [()] * len(pairs)
        for indices, batch in opened.cells(pairs, words, source, target):
            chosen = opened.weighing.links(batch)
            # Sorted by pair, then by source: what `nonzero` gives is in order.
            rows, sources, targets = np.nonzero(chosen)
            borders = np.searchsorted(rows, np.arange(len(indices) + 1)).tolist()
            both = list(zip(sources.tolist(), targets.tolist(), strict=True))
            for row, index in enumerate(indices):
                links[index] = tuple(both[borders[row] : borders[row + 1]])
        return links

    def adapted(self, pairs: Sequence[SentencePair], source: str, target: str) -> PocketAligner:
        """The aligner that has learned from a corpus, too: words that its tables lack, and meanings of the others."""
        chosen = [pair for pair, is_chosen in zip(pairs, evenly(len(pairs), LEARN_FROM), strict=True) if is_chosen]
        words = [pair_words(pair) for pair in chosen]
        counts = Counts({}, {}, {})
        for indices, batch in self.cells(chosen, words, source, target):
            counts.add([words[index] for index in indices], self.weighing.probabilities(batch))
        table = adapted(self._table(source, target), counts)
        return replace(self, tables={**self.tables, f"{source}-{target}": table}, adapts=False)

    def cells(
        self, pairs: Sequence[SentencePair], words: Sequence[Pair], source: str, target: str
    ) -> Iterator[tuple[list[int], Cells]]:
        """Batches: the indices of their pairs, and the features. Pairs that are empty or too long are in none."""
        return paired_cells(pairs, words, (source, target), self.vectors, self._table(source, target))

    def _table(self, source: str, target: str) -> Table:
        if (name := f"{source}-{target}") in self.tables:
            return self.tables[name]
        turned = self.tables.get(f"{target}-{source}")
        return EMPTY if turned is None else turned.turned()

    def _alone(self, words: Sequence[Pair], source: str, target: str) -> list[Links]:
        """Links learned from the pairs alone, for languages that the encoder does not know."""
        self._warn(
            f"the pocket aligner does not know {source}-{target}: it learns from these {len(words):,} pairs alone"
        )
        fitting = [pair if all(0 < len(side) <= LONGEST for side in pair) else ([], []) for pair in words]
        if not any(source for source, _ in fitting):
            return [() for _ in words]
        return [tuple(links) for links in learning.learn(fitting).align(fitting, "intersection")]

    def _warn_of_long(self, words: Sequence[Pair]) -> None:
        count = sum(1 for pair in words if max(map(len, pair)) > LONGEST)
        if count:
            self._warn(f"{count:,} of {len(words):,} pairs are longer than {LONGEST} tokens and are not aligned")

    def _warn(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            logger.warning("%s", message)


def open_pocket(argument: str = "") -> PocketAligner:
    """Open the bundled aligner; `adapt` makes it learn from the pairs of each call."""
    if argument not in ("", _ADAPT):
        raise UsageError(f"'pocket:{argument}' is not an aligner", f"write pocket or pocket:{_ADAPT}")
    return open_model(forms.shipped(ALIGNER), forms.shipped(ENCODER), adapts=argument == _ADAPT)


def open_model(model: PocketModel, encoder: PocketModel, *, adapts: bool = False) -> PocketAligner:
    """Open a stored aligner with the encoder that it was made for."""
    parts = read_parts(model, encoder)
    vectors = open_vectors(encoder, parts.projection, parts.layer)
    return PocketAligner(parts.tables, vectors, parts.weighing, model.sha256[:12], adapts)


def pair_words(pair: SentencePair) -> Pair:
    """Both sides as tables spell them."""
    source, target = (
        [normalize("NFC", word) for word in tokens.words(side.text, side.spans)] for side in (pair.source, pair.target)
    )
    return source, target


def paired_cells(
    pairs: Sequence[SentencePair],
    words: Sequence[Pair],
    languages: tuple[str, str],
    vectors: TokenVectors,
    table: Table,
) -> Iterator[tuple[list[int], Cells]]:
    """Batches: the indices of their pairs, and the features. Pairs that are empty or too long are in none."""
    fitting = [index for index, pair in enumerate(words) if all(0 < len(side) <= LONGEST for side in pair)]
    for start in range(0, len(fitting), _CHUNK):
        chunk = fitting[start : start + _CHUNK]
        sources = vectors.of([pairs[index].source for index in chunk], languages[0])
        targets = vectors.of([pairs[index].target for index in chunk], languages[1])
        for batch in batches([words[index] for index in chunk]):
            indices = [chunk[index] for index in batch]
            both = [(sources[index], targets[index]) for index in batch]
            yield indices, cells([words[index] for index in indices], both, table)
