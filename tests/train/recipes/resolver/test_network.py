from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch (`pip install 'referee[hf]'`)")

import torch

from referee.annotate.resolve.features import pairs_of
from referee.annotate.resolve.ranker import ranker_of
from referee.annotate.resolve.words import words_of
from referee.pocket import store
from referee.train.recipes.resolver import gum
from referee.train.recipes.resolver.examples import examples_of, together
from referee.train.recipes.resolver.network import Schedule, trained, weights_of

SMALL = Schedule(hidden=8, inner=4, epochs=10, batch=8, warm_up=5, peak=2e-2)


def test_numpy_computes_what_torch_does(gum_folder: Path) -> None:
    golds = gum.training(gum_folder)
    examples = together([examples_of(gold.document, gold) for gold in golds[:6]])
    networks = [trained(examples, seed, Schedule(hidden=8, inner=4, epochs=1)) for seed in (1, 2)]
    ranker = ranker_of(store.PocketModel(store.RESOLVER, {}, b"", weights_of(networks), ""))
    document = golds[7].document
    own = examples_of(document, golds[7])
    tensors = [torch.from_numpy(array) for array in own[:4]]
    with torch.no_grad():
        expected = sum(torch.softmax(network(*tensors), dim=1) for network in networks) / 2
    np.testing.assert_allclose(ranker.probabilities(pairs_of(words_of(document))), np.asarray(expected), atol=1e-5)


def test_it_learns(gum_folder: Path) -> None:
    golds = gum.training(gum_folder)
    examples = together([examples_of(gold.document, gold) for gold in golds])
    ranker = ranker_of(store.PocketModel(store.RESOLVER, {}, b"", weights_of([trained(examples, 1, SMALL)]), ""))
    for gold in gum.measured(gum_folder, "dev"):
        probabilities = ranker.probabilities(pairs_of(words_of(gold.document)))
        # It refers to the subject, the second nearest; the rain to nothing.
        assert probabilities.argmax(axis=1).tolist() == [2, 0]


def test_the_same_seed_gives_the_same_network(gum_folder: Path) -> None:
    examples = together([examples_of(gold.document, gold) for gold in gum.training(gum_folder)[:4]])
    one, same, other = (weights_of([trained(examples, seed, Schedule(epochs=1))])["pair"] for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
