"""Learning from a corpus what the kept tables do not know: expected links, counted, and joined with the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.annotate.align.blocks import Pair, Vocabulary
from referee.annotate.align.tables import UNSEEN, Table

_STRENGTH = 4.0
"""How many links of a word the kept table is worth."""
_LIKELY = 0.6
"""The probability above which a cell is counted: what is uncertain would only confirm itself."""
_OFTEN = 1.5
"""How many links two words need that the table does not pair: once may be chance."""


@dataclass(frozen=True)
class Counts:
    """Expected links of pairs of words, and occurrences of the words of each side."""

    pairs: dict[tuple[str, str], float]
    sources: dict[str, float]
    targets: dict[str, float]

    def add(self, pairs: Sequence[Pair], probabilities: NDArray[np.float64]) -> None:
        """Count the cells of a batch."""
        rows, sources, targets = np.nonzero(probabilities > _LIKELY)
        likely = probabilities[rows, sources, targets].tolist()
        for row, i, j, share in zip(rows.tolist(), sources.tolist(), targets.tolist(), likely, strict=True):
            words = pairs[row][0][i], pairs[row][1][j]
            self.pairs[words] = self.pairs.get(words, 0.0) + share
        for pair in pairs:
            for counts, side in zip((self.sources, self.targets), pair, strict=True):
                for word in side:
                    counts[word] = counts.get(word, 0.0) + 1


def adapted(table: Table, counts: Counts) -> Table:
    """The table after the corpus: a kept probability counts as a few links, what was counted as what it is."""
    known = _known(table)
    sources = dict.fromkeys([*table.words.sources, *counts.sources])
    targets = dict.fromkeys([*table.words.targets, *counts.targets])
    words = Vocabulary(*({word: number for number, word in enumerate(side)} for side in (sources, targets)))
    logarithms: dict[int, tuple[float, float]] = {}
    frequent = {pair: count for pair, count in counts.pairs.items() if count >= _OFTEN or pair in known}
    for source, target in {**known, **frequent}:
        ahead, back = known.get((source, target), (0.0, 0.0))
        count = frequent.get((source, target), 0.0)
        forward = _joined(ahead, count, counts.sources.get(source, 0.0), is_known=source in table.words.sources)
        backward = _joined(back, count, counts.targets.get(target, 0.0), is_known=target in table.words.targets)
        key = words.sources[source] * words.width + words.targets[target]
        logarithms[key] = (forward, backward)
    keys = np.array(sorted(logarithms), np.int64)
    both = np.array([logarithms[key] for key in keys.tolist()], np.float32).reshape(-1, 2)
    return Table(words, keys, both[:, 0].copy(), both[:, 1].copy())


def _known(table: Table) -> dict[tuple[str, str], tuple[float, float]]:
    sources, targets = list(table.words.sources), list(table.words.targets)
    rows, columns = np.divmod(table.seen, table.words.width)
    both = zip(np.exp2(table.forward).tolist(), np.exp2(table.backward).tolist(), strict=True)
    return {
        (sources[row], targets[column]): shares
        for row, column, shares in zip(rows.tolist(), columns.tolist(), both, strict=True)
    }


def _joined(share: float, count: float, total: float, *, is_known: bool) -> float:
    """The logarithm of a probability that both say something of."""
    strength = _STRENGTH if is_known else 1.0
    joined = (strength * share + count) / (strength + total)
    return float(max(np.log2(joined), UNSEEN)) if joined > 0 else float(UNSEEN)
