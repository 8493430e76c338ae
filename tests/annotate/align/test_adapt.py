from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.align.adapt import Counts, adapted
from referee.annotate.align.tables import EMPTY, UNSEEN, Table
from tests.support.small_aligner import table


def share(one: Table, source: str, target: str) -> tuple[float, float]:
    row, column = (
        np.array([[side[word]]], np.int32) for side, word in ((one.words.sources, source), (one.words.targets, target))
    )
    forward, backward = one.look_up(row, column)
    return float(forward[0, 0, 0]), float(backward[0, 0, 0])


def counts() -> Counts:
    counted = Counts({}, {}, {})
    likely = np.zeros((2, 2, 2))
    likely[0] = [[0.9, 0.01], [0.0, 1.0]]
    likely[1, 0, 0] = 1.0
    counted.add([(["dog", "ship"], ["köter", "schiff"]), (["dog"], ["köter"])], likely)
    counted.add([(["ship"], ["schiff"])], np.array([[[0.75]]]))
    counted.add([(["sea"], ["see"])], np.array([[[0.75]]]))
    return counted


def test_links_are_counted() -> None:
    counted = counts()
    assert counted.pairs == {("dog", "köter"): 1.9, ("ship", "schiff"): 1.75, ("sea", "see"): 0.75}
    assert counted.sources == {"dog": 2, "ship": 2, "sea": 1}


def test_a_corpus_adds_words_and_weakens_other_translations() -> None:
    learned = adapted(table(), counts())
    assert share(learned, "ship", "schiff") == pytest.approx((np.log2(1.75 / 3),) * 2)
    assert share(learned, "sea", "see") == (float(UNSEEN), float(UNSEEN))
    before, after = share(table(), "dog", "hund"), share(learned, "dog", "hund")
    assert UNSEEN < after[0] < before[0]
    assert share(learned, "dog", "köter")[0] == pytest.approx(np.log2(1.9 / 6))
    assert share(learned, "house", "haus") == pytest.approx(share(table(), "house", "haus"))


def test_nothing_is_learned_from_nothing() -> None:
    assert len(adapted(EMPTY, Counts({}, {}, {})).seen) == 0
