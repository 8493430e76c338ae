from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.annotate.align.model import read_parts
from referee.errors import RefereeError
from referee.pocket.store import PocketModel
from tests.support.small_aligner import parts, published

pytest.importorskip("sentencepiece")


@pytest.fixture
def models(tmp_path: Path) -> tuple[PocketModel, PocketModel]:
    return published(tmp_path)


def test_parts_are_what_was_stored(models: tuple[PocketModel, PocketModel]) -> None:
    read, made = read_parts(*models), parts()
    assert list(read.tables) == ["en-de"]
    assert np.array_equal(read.tables["en-de"].seen, made.tables["en-de"].seen)
    assert read.layer == 1
    assert np.abs(read.projection.matrix - made.projection.matrix).max() < 0.02
    for one, other in ((read.weighing.first, made.weighing.first), (read.weighing.second, made.weighing.second)):
        assert np.array_equal(one.weights, other.weights)
        assert np.array_equal(one.out, other.out)
        assert one.out_bias == other.out_bias
    assert models[0].about["pairs of words"] == {"en-de": 6}


def test_another_encoder_is_refused(models: tuple[PocketModel, PocketModel]) -> None:
    model, encoder = models
    with pytest.raises(RefereeError, match=r"made for another encoder. Run `python -m referee.train.recipes.aligner"):
        read_parts(model, replace(encoder, sha256="0" * 64))


@pytest.mark.parametrize("missing", ["projection", "first.weights", "second.out_bias"])
def test_a_part_that_is_missing(models: tuple[PocketModel, PocketModel], missing: str) -> None:
    model, encoder = models
    weights = {name: array for name, array in model.weights.items() if name != missing}
    with pytest.raises(RefereeError, match="is not a pocket aligner"):
        read_parts(replace(model, weights=weights), encoder)


def test_other_features_are_refused(models: tuple[PocketModel, PocketModel]) -> None:
    model, encoder = models
    with pytest.raises(RefereeError, match="it has other features"):
        read_parts(replace(model, about={**model.about, "features": ["table"]}), encoder)
