from __future__ import annotations

import math

import numpy as np
import pytest

from referee.annotate.pocket.exact import EXACT, Ends, dense, finest, finest_of_pairs, gelu, paired, rounded
from referee.annotate.pocket.heads import Matrix


def matrix(rows: int, columns: int, seed: int = 0) -> Matrix:
    numbers = np.random.default_rng(seed)
    whole = numbers.integers(-127, 128, (rows, columns)).astype(np.int8)
    return Matrix(whole, numbers.uniform(0.001, 0.01, rows).astype(np.float32))


def test_inputs_are_as_large_as_sums_stay_exact() -> None:
    whole = np.full((2, 100), 127, np.int8)
    limit = finest(whole)
    assert limit * 100 * 127 <= EXACT < (limit + 1) * 100 * 127
    assert finest_of_pairs(whole) == limit
    assert finest(np.zeros((1, 3), np.int8)) == finest(np.ones((1, 3), np.int8))


def test_a_layer_is_exact_in_any_batch() -> None:
    stored = matrix(40, 300)
    bias = np.linspace(-1, 1, 40)
    limit = finest(stored.whole)
    inputs = np.random.default_rng(1).integers(-limit, limit + 1, (300, 300)).astype(np.float32)
    layer = dense(stored, bias, 0.01)
    together = layer(inputs)
    for size in (1, 2, 7, 64):
        parts = [layer(inputs[start : start + size]) for start in range(0, 300, size)]
        assert (np.concatenate(parts) == together).all()
    products = inputs.astype(np.int64) @ stored.whole.T.astype(np.int64)
    assert np.allclose(together, products * (stored.scale * 0.01) + bias, rtol=1e-5, atol=1e-5)


def test_words_of_one_piece_and_of_several_get_the_same_layer() -> None:
    stored = matrix(12, 20)
    layer = paired(stored, np.zeros(12), 1.0)
    numbers = np.random.default_rng(2)
    vectors = numbers.integers(-50, 51, (30, 10)).astype(np.float32)
    first = np.sort(numbers.integers(0, 30, 40))
    last = np.minimum(29, first + numbers.integers(0, 2, 40))
    outputs = np.full((40, 12), np.nan)
    for chosen, block in layer.blocks(vectors, Ends(first, last), size=7):
        assert len(chosen) <= 7
        outputs[chosen] = block
    both = np.concatenate([vectors[first], vectors[last]], axis=1)
    assert np.allclose(outputs, both @ (stored.whole * stored.scale[:, None]).T, rtol=1e-5, atol=1e-3)


def test_rounding_keeps_to_the_grid_and_the_limit() -> None:
    values = np.array([0.0, 0.26, -0.24, 0.9, 100.0, -100.0], np.float32)
    assert rounded(values, 4.0, 10).tolist() == [0, 1, -1, 4, 10, -10]


@pytest.mark.parametrize("value", [-9.0, -3.0, -1.0, -0.2, 0.0, 0.4, 1.0, 2.5, 12.0])
def test_gelu_is_close_to_the_exact_one(value: float) -> None:
    expected = value * 0.5 * (1 + math.erf(value / math.sqrt(2)))
    assert abs(float(gelu(np.array([value], np.float32))[0]) - expected) < 6e-4
