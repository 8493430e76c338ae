from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.annotate.resolve import ranker as ranker_module
from referee.annotate.resolve.features import SIZES, pairs_of
from referee.annotate.resolve.ranker import Ranker, ranker_of
from referee.annotate.resolve.words import words_of
from referee.pocket import store
from tests.support.coreferent import parsed
from tests.support.rankers import random_weights

PAIRS = pairs_of(
    words_of(
        parsed(
            "The/DET/2/det cup/NOUN/3/nsubj hit/VERB/0/root the/DET/5/det plate/NOUN/3/obj",
            *["It/PRON/2/nsubj broke/VERB/0/root it/PRON/2/obj"] * 3,
        )
    )
)


def _ranker(networks: int = 2) -> Ranker:
    return ranker_of(store.PocketModel(store.RESOLVER, {}, b"", random_weights(networks), ""))


def test_every_pronoun_has_a_distribution() -> None:
    probabilities = _ranker().probabilities(PAIRS)
    assert probabilities.shape == (6, 1 + PAIRS.candidates.shape[1])
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-5)
    assert (probabilities[:, 1:][PAIRS.candidates < 0] == 0).all()


def test_networks_are_averaged() -> None:
    weights = random_weights(2)
    both = _ranker().probabilities(PAIRS)
    half = {name: _half(name, array, 2) for name, array in weights.items()}
    singles = [
        ranker_of(store.PocketModel(store.RESOLVER, {}, b"", {name: parts[number] for name, parts in half.items()}, ""))
        for number in range(2)
    ]
    mean = (singles[0].probabilities(PAIRS) + singles[1].probabilities(PAIRS)) / 2
    np.testing.assert_allclose(both, mean, atol=1e-5)


def _half(name: str, array: np.ndarray, networks: int) -> list[np.ndarray]:
    by_rows = array.ndim == 1 or name in ("second", "out", "nothing_out")
    return np.split(array, networks, axis=0 if by_rows else 1)


def test_pronouns_are_ranked_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _ranker().probabilities(PAIRS)
    monkeypatch.setattr(ranker_module, "BLOCK", 4)
    np.testing.assert_allclose(_ranker().probabilities(PAIRS), whole, atol=1e-6)


def test_a_document_without_pronouns() -> None:
    pairs = pairs_of(words_of(parsed("Tea/NOUN/0/root")))
    assert _ranker().probabilities(pairs).shape == (0, 1 + pairs.candidates.shape[1])


def test_the_score_of_nothing_counts() -> None:
    certain = replace(_ranker(), nothing_out_bias=np.full(2, 50, np.float32))
    assert (certain.probabilities(PAIRS)[:, 0] > 0.99).all()


def test_weights_go_through_the_store(tmp_path: Path) -> None:
    store.write(tmp_path / "resolver.npz", store.RESOLVER, {"threshold": 0.5}, b"", random_weights(2))
    stored = ranker_of(store.read(tmp_path / "resolver.npz", store.RESOLVER))
    assert stored.pair.shape[0] == SIZES.pair
    np.testing.assert_allclose(stored.probabilities(PAIRS), _ranker().probabilities(PAIRS), atol=0.05)
