"""The shipped encoder is what its card says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee import pocket
from referee.pocket import forms, store
from referee.pocket.store import ALIGNER, ENCODER, HEADS, RESOLVER, PocketModel
from referee.train.recipes.encoder.treebanks import TRAINING

FOLDER = Path(pocket.__path__[0]) / ENCODER.folder
LARGEST = {ENCODER.file: 10 * 10**6, HEADS.file: 15 * 10**5, RESOLVER.file: 3 * 10**5, ALIGNER.file: 25 * 10**5}


@pytest.fixture(scope="module")
def encoder() -> PocketModel:
    return forms.shipped(ENCODER)


@pytest.fixture(scope="module")
def card() -> str:
    return (FOLDER / "CARD.md").read_text(encoding="utf-8")


def test_every_file_is_listed_with_its_hash_and_small() -> None:
    shipped = {path.name: path for path in FOLDER.glob("*.npz")}
    assert set(store.checksums(FOLDER)) == set(shipped)
    for name, path in shipped.items():
        assert path.stat().st_size <= LARGEST[name]


@pytest.mark.parametrize("kind", [ENCODER, HEADS, RESOLVER, ALIGNER], ids=lambda kind: kind.name)
def test_every_file_can_be_read(kind: store.Kind) -> None:
    assert forms.shipped(kind).weights


def test_the_card_names_what_the_file_says_of_itself(encoder: PocketModel, card: str) -> None:
    about = encoder.about
    assert f"{sum(weight.size for weight in encoder.weights.values()):,} weights" in card
    assert f"{about['size']['vocabulary']:,}: sentencepiece" in card
    for language in about["languages"]:
        assert f"({language})" in card
    assert about["licence"] == "CC-BY-SA-4.0"
    assert len(forms.encoder_vocabulary(encoder)) == about["size"]["vocabulary"]


def test_the_card_names_the_treebanks(card: str) -> None:
    files = [file for styles in TRAINING.values() for style in styles for file in style]
    for treebank in {file.partition("/")[0].removeprefix("UD_") for file in files}:
        assert re.search(rf"\b{treebank}[ ,]", card), treebank


def test_the_card_names_the_licences(card: str) -> None:
    for licence in ("Apache-2.0", "CC BY 2.0", "CC BY 4.0", "CC BY-SA 3.0", "CC BY-SA 4.0", "LGPL-LR"):
        assert licence in card
    assert "LGPL-LR" in (FOLDER / "LICENSE").read_text(encoding="utf-8")
