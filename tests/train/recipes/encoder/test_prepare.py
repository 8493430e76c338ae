"""From treebanks to arrays, by the documented command."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

for package in ("torch", "sentencepiece", "google.protobuf"):
    pytest.importorskip(package)

from referee.train.recipes.encoder import prepare  # noqa: E402
from referee.train.recipes.encoder.examples import LEMMA, SPLIT, UNKNOWN, Examples  # noqa: E402
from referee.train.recipes.encoder.inventory import FEATURES, Inventory  # noqa: E402
from referee.train.recipes.encoder.passages import LANGUAGES  # noqa: E402
from referee.train.recipes.encoder.treebanks import TRAINING  # noqa: E402
from referee.train.recipes.encoder.vocabulary import PIECES  # noqa: E402
from tests.support import small_annotator, small_treebanks  # noqa: E402
from tests.support.small_translator import called  # noqa: E402


@pytest.fixture(scope="module")
def prepared(treebanks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("prepared")
    (out / "given.model").write_bytes(small_treebanks.pieces_model())
    called(prepare.main, treebanks, out / "given.model", out / "out")
    return out / "out"


def texts(examples: Examples) -> list[str]:
    """The texts again, from their pieces."""
    names = small_annotator.vocabulary().names()
    edges = examples.first_piece.tolist()
    spelled = ["".join(names[number] for number in examples.pieces[a:b]) for a, b in pairwise(edges)]
    return [text.replace("\N{LOWER ONE EIGHTH BLOCK}", " ").strip() for text in spelled]


def test_all_sentences_but_the_measured_ones_are_learned(prepared: Path) -> None:
    train, measured = (Examples.read(prepared / f"{name}.npz") for name in ("train", "measured"))
    for number, language in enumerate(LANGUAGES):
        files = sum(map(len, TRAINING[language]))
        learned, held_out = (
            [text for text, own in zip(texts(one), one.language, strict=True) if own == number]
            for one in (train, measured)
        )
        expected = {small_treebanks.sentence(language, index).text for index in range(small_treebanks.PER_MEASURED)}
        short = small_treebanks.short(language).text
        assert set(held_out) == {*expected, short}
        assert expected.isdisjoint(learned)
        assert len(set(learned) - {short}) == files * small_treebanks.PER_FILE


def test_styles_are_in_the_order_of_the_treebanks(prepared: Path) -> None:
    train = Examples.read(prepared / "train.npz")
    for number, language in enumerate(LANGUAGES):
        own = train.treebank[train.language == number]
        assert np.unique(own).tolist() == list(range(len(TRAINING[language])))
        assert (np.diff(own) >= 0).all()
    assert set(Examples.read(prepared / "measured.npz").treebank.tolist()) == {0}


def test_what_conventions_leave_open_is_not_learned(prepared: Path) -> None:
    """The rules of UD_German-HDT leave the lemmas of prepositions open, and those of no other word of ours."""
    train = Examples.read(prepared / "train.npz")
    inventory = Inventory.read(prepared / "inventory.json")
    sentence = np.repeat(np.arange(len(train)), np.diff(train.first_word))
    hdt = (train.language[sentence] == LANGUAGES.index("de")) & (train.treebank[sentence] == 2)
    adpositions = train.words[:, 4] == inventory.upos.index("ADP")
    assert (hdt & adpositions).any()
    assert (train.words[hdt & adpositions, LEMMA] == UNKNOWN).all()
    followed = (train.language[sentence] == LANGUAGES.index("de")) & (train.treebank[sentence] == 0)
    assert (train.words[followed & adpositions, LEMMA] != UNKNOWN).all()
    assert "?" not in {value for values in inventory.features.values() for value in values}


def test_borders_inside_an_atom_are_splits(prepared: Path) -> None:
    train = Examples.read(prepared / "train.npz")
    inventory = Inventory.read(prepared / "inventory.json")
    english = np.repeat(train.language, np.diff(train.first_word)) == 0
    splits = {inventory.splits[number].further for number in np.unique(train.words[english, SPLIT]) if number > 0}
    assert splits == {("not",)}


def test_the_pieces_travel_with_the_treebanks(prepared: Path) -> None:
    assert (prepared / PIECES).read_bytes() == small_treebanks.pieces_model()


def test_features_of_a_file_that_marks_none_are_not_learned(prepared: Path) -> None:
    train = Examples.read(prepared / "train.npz")
    english = np.repeat(train.language, np.diff(train.first_word)) == 0
    assert (train.feats[english, FEATURES.index("Gender")] == UNKNOWN).all()
    assert (train.feats[english, FEATURES.index("Number")] >= 0).any()


def test_sentences_that_are_too_long_are_left_out() -> None:
    members = {("de", 0): [small_treebanks.texts("de", range(4))]}
    pieces, inventory = small_treebanks.pieces(), small_treebanks.inventory()
    everything = prepare.examples(members, inventory, pieces)
    sizes = np.diff(everything.first_piece)
    assert len(set(sizes.tolist())) > 1
    some = prepare.examples(members, inventory, pieces, longest=int(sizes.max()) - 1)
    assert len(some) == (sizes < sizes.max()).sum()
