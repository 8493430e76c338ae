"""The encoder by CTranslate2: the formula of the paper, and nothing but the row itself counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import platformdirs
import pytest
from scipy.special import erf

from referee.pocket.encoder import PocketEncoder, open_encoder
from referee.pocket.store import PocketModel
from tests.support import small_encoder

pytest.importorskip("ctranslate2")
pytest.importorskip("sentencepiece")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> PocketModel:
    return small_encoder.stored(tmp_path_factory.mktemp("stored"))


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")


@pytest.fixture
def encoder(stored: PocketModel) -> PocketEncoder:
    return open_encoder(stored)


def rows(count: int, longest: int = 40) -> list[list[int]]:
    chance = np.random.default_rng(3)
    return [chance.integers(4, 60, size=chance.integers(1, longest + 1)).tolist() for _ in range(count)]


def by_hand(model: PocketModel, row: list[int]) -> np.ndarray:
    """The vectors of a row, in numpy: learned positions from 2 on, layer norm after each part, exact GELU."""
    weights = model.weights

    def dense(states: np.ndarray, name: str) -> np.ndarray:
        product: np.ndarray = states @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        return product

    def norm(states: np.ndarray, name: str) -> np.ndarray:
        centred = states - states.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        normed: np.ndarray = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
        return normed

    states = norm(weights["words.weight"][row] + weights["positions.weight"][2 : 2 + len(row)], "embeddings_norm")
    for layer in range(model.about["size"]["layers"]):
        prefix = f"layers.{layer}"
        heads = []
        query, key, value = (
            np.split(dense(states, f"{prefix}.{part}"), model.about["size"]["heads"], axis=1)
            for part in ("query", "key", "value")
        )
        for q, k, v in zip(query, key, value, strict=True):
            scores = np.exp(q @ k.T / np.sqrt(q.shape[1]))
            heads.append(scores / scores.sum(1, keepdims=True) @ v)
        attended = dense(np.concatenate(heads, axis=1), f"{prefix}.attention_out")
        states = norm(states + attended, f"{prefix}.attention_norm")
        inner = dense(states, f"{prefix}.intermediate")
        inner = inner * (1 + erf(inner / np.sqrt(2))) / 2
        states = norm(states + dense(inner, f"{prefix}.output"), f"{prefix}.output_norm")
    return states


def test_vectors_are_those_of_the_formula(stored: PocketModel) -> None:
    exact = open_encoder(stored, "float32")
    for row, vectors in zip(rows(5), exact.forward(rows(5)), strict=True):
        assert vectors.shape == (len(row), 16)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(vectors, by_hand(stored, row), atol=1e-4)


def test_eight_bits_are_close_to_floats(stored: PocketModel, encoder: PocketEncoder) -> None:
    for row, vectors in zip(rows(5), encoder.forward(rows(5)), strict=True):
        assert np.abs(vectors - by_hand(stored, row)).mean() < 0.1


def test_nothing_but_the_row_itself_counts(encoder: PocketEncoder) -> None:
    """Any batch, in any order, gives the bits of a batch of one."""
    asked = [*rows(30), *rows(30, longest=6)]
    alone = [encoder.forward([row])[0] for row in asked]
    order = np.random.default_rng(5).permutation(len(asked))
    for pieces in (1, 50, 10**6):
        found = {
            int(order[number]): vectors
            for numbers, states in encoder.batches([asked[index] for index in order], pieces)
            for number, vectors in zip(numbers, states, strict=True)
        }
        for index, vectors in enumerate(alone):
            np.testing.assert_array_equal(found[index], vectors)


def test_batches_have_one_length_and_every_row_once(encoder: PocketEncoder) -> None:
    asked = rows(50)
    seen: list[int] = []
    for numbers, states in encoder.batches(asked, 64):
        assert {len(asked[number]) for number in numbers} == {states.shape[1]}
        assert len(numbers) == len(states) <= max(1, 64 // states.shape[1])
        seen += numbers
    assert sorted(seen) == list(range(50))


def test_no_rows_and_empty_rows(encoder: PocketEncoder) -> None:
    assert encoder.forward([]) == []
    assert [vectors.shape for vectors in encoder.forward([[], [5]])] == [(0, 16), (1, 16)]


def test_a_row_longer_than_the_positions_is_refused(encoder: PocketEncoder) -> None:
    assert encoder.forward([[5] * 40])[0].shape == (40, 16)
    with pytest.raises(ValueError, match="41 pieces, more than the 40 positions"):
        encoder.forward([[5] * 41])
