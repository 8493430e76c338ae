from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.align.features import NAMES, batches, cells, spelling
from tests.support.small_aligner import table


def values(source: list[str], target: list[str], name: str) -> list[list[float]]:
    features = cells([(source, target)], None, table()).features[0, ..., NAMES.index(name)]
    return [[round(float(value), 2) for value in row] for row in features]


@pytest.mark.parametrize(
    ("name", "source", "target", "expected"),
    [
        ("table", ["dog", "house"], ["hund", "x"], [[8.25, 0], [0, 0]]),
        ("unknown words", ["dog", "y"], ["hund", "x"], [[0, 0.5], [0.5, 1]]),
        ("off the diagonal", ["a", "b"], ["c"], [[0.25], [0.25]]),
        ("same letters", ["london", "."], ["london", "."], [[1, 0], [0, 0]]),
        ("same letters", ["москва"], ["moskva"], [[1]]),
        ("same letters", ["garçon"], ["garcon"], [[1]]),
        ("same beginning", ["nation"], ["nación", "nationen", "na"], [[0, 0.75, 0]]),
        ("two marks", [".", "a"], [".", "!"], [[1, 0.3], [0, 0]]),
        ("mark and word", [".", "a"], [".", "b"], [[0, 1], [1, 0]]),
    ],
)
def test_features(name: str, source: list[str], target: list[str], expected: list[list[float]]) -> None:
    assert values(source, target, name) == expected


def test_words_compete_for_their_translation() -> None:
    by_row = values(["dog", "house"], ["hund", "haus"], "table by row")
    assert by_row[0][0] > by_row[0][1]
    assert by_row[0][0] == by_row[1][1]


def test_vectors_compete_too() -> None:
    vectors = np.eye(2, dtype=np.float32)
    features = cells([(["a", "b"], ["c", "d"])], [(vectors, vectors[::-1])], table()).features[0]
    assert features[..., 0].tolist() == [[0, 1], [1, 0]]
    assert features[0, 1, 1] > -0.01
    assert features[0, 0, 1] == pytest.approx(-12, abs=0.01)


def test_padding_has_no_features_and_changes_none() -> None:
    short, long = (["dog"], ["hund", "x"]), (["the", "dog", "sleeps"], ["das"])
    together = cells([short, long], None, table())
    assert together.real.sum(axis=(1, 2)).tolist() == [2, 3]
    assert not together.features[~together.real].any()
    for row, pair in enumerate((short, long)):
        alone = cells([pair], None, table()).features[0]
        padded = together.features[row, : len(pair[0]), : len(pair[1])]
        assert np.array_equal(alone, padded)


def test_batches_have_every_pair_once_but_empty_ones() -> None:
    pairs = [(["a"] * (number % 90), ["b"] * (number * 7 % 80)) for number in range(400)]
    indices = [index for batch in batches(pairs) for index in batch]
    assert sorted(indices) == [index for index, pair in enumerate(pairs) if all(pair)]
    assert list(batches([([], ["a"])])) == []


def test_a_mark_is_told_from_a_word() -> None:
    assert [spelling(word)[-1] for word in ("...", "a.", "5", "—")] == [1, 0, 0, 1]
