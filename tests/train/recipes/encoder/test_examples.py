"""Labelled sentences as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.annotate.pocket.atoms import atoms
from referee.annotate.pocket.scripts import lemma, split
from referee.train.recipes.encoder.examples import (
    DEPREL,
    FIRST,
    HEAD,
    LAST,
    LEMMA,
    PART,
    SPLIT,
    TAG,
    UNKNOWN,
    Builder,
    Examples,
    marked_features,
)
from referee.train.recipes.encoder.inventory import FEATURES, universal
from referee.train.recipes.encoder.passages import LANGUAGES
from referee.train.recipes.encoder.tokens import Token, TreebankWord
from tests.support import small_treebanks


def built(*members: tuple[str, str, list[Token]], marked: frozenset[str] = small_treebanks.MARKED) -> Examples:
    builder = Builder(small_treebanks.inventory(), small_treebanks.pieces())
    for language, text, tokens in members:
        builder.add(language, 1, text, tokens, marked)
    return builder.examples()


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_say_what_the_treebank_says(language: str) -> None:
    inventory = small_treebanks.inventory()
    texts = small_treebanks.texts(language, range(4))
    examples = built(*((language, text, tokens) for text, tokens in texts))
    assert len(examples) == 4
    assert set(examples.language.tolist()) == {LANGUAGES.index(language)}
    word = 0
    for _, tokens in texts:
        for token in tokens:
            script = inventory.splits[examples.words[word, SPLIT]]
            assert split(token.form, script) == tuple(one.form for one in token.words)
            for part, one in enumerate(token.words):
                row = examples.words[word]
                assert inventory.upos[row[TAG]] == one.upos
                assert lemma(one.form, inventory.lemmas[row[LEMMA]]) == one.lemma
                assert inventory.deprels[row[DEPREL]] == universal(one.deprel)
                assert row[HEAD] == one.head
                assert row[PART] == (part + 1 if len(token.words) > 1 else 0)
                assert part == 0 or row[SPLIT] == UNKNOWN
                for name, value in zip(FEATURES, examples.feats[word], strict=True):
                    expected = one.features.get(name, "") if name in small_treebanks.MARKED else None
                    assert (None if value == UNKNOWN else inventory.features[name][value]) == expected
                word += 1
    assert word == len(examples.words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pieces_of_atoms_and_words(language: str) -> None:
    text, tokens = small_treebanks.texts(language, range(1))[0]
    examples = built((language, text, tokens))
    spelled, starts, ends = atoms(text)
    encoded = [small_treebanks.pieces().encode([atom]).numbers.tolist() for atom in spelled]
    assert examples.pieces.tolist() == [number for part in encoded for number in part]
    sizes = np.cumsum([0, *map(len, encoded)])
    assert examples.atoms[:, 0].tolist() == sizes[:-1].tolist()
    assert examples.atoms[:, 1].tolist() == (sizes[1:] - 1).tolist()
    ending = {token.end for token in tokens}
    assert examples.atoms[:-1, 2].tolist() == [int(end in ending) for end in ends[:-1]]
    assert examples.atoms[-1, 2] == 2
    spans = [(token.start, token.end) for token in tokens for _ in token.words]
    firsts = [sizes[starts.index(start)] for start, _ in spans]
    lasts = [sizes[ends.index(end) + 1] - 1 for _, end in spans]
    assert examples.words[:, [FIRST, LAST]].tolist() == [[*pair] for pair in zip(firsts, lasts, strict=True)]


def test_what_a_treebank_leaves_open_is_not_learned() -> None:
    open_word = TreebankWord("Hund", "?", "?", {"Gender": "?", "Number": "Sing"}, -1, "?")
    examples = built(("de", "Hund", [Token("Hund", 0, 4, (open_word,))]))
    row = examples.words[0]
    assert [row[column] for column in (TAG, LEMMA, DEPREL)] == [UNKNOWN] * 3
    assert examples.feats[0, FEATURES.index("Gender")] == UNKNOWN
    assert examples.feats[0, FEATURES.index("Number")] > 0
    assert row[HEAD] == -1


def test_absence_is_a_label_only_where_a_feature_is_marked() -> None:
    word = TreebankWord(".", ".", "PUNCT", {}, -1, "root")
    examples = built(("de", ".", [Token(".", 0, 1, (word,))]), marked=frozenset({"Number"}))
    values = dict(zip(FEATURES, examples.feats[0].tolist(), strict=True))
    assert values.pop("Number") == 0
    assert set(values.values()) == {UNKNOWN}


def test_features_are_marked_from_ten_words_on() -> None:
    word = TreebankWord("x", "x", "X", {"Number": "Sing"}, -1, "root")
    sentence = [Token("x", 0, 1, (word,))]
    assert marked_features([sentence] * 10) == {"Number"}
    assert marked_features([sentence] * 9) == frozenset()


def test_what_is_saved_is_read(tmp_path: Path) -> None:
    examples = small_treebanks.examples()
    examples.save(tmp_path / "x.npz")
    again = Examples.read(tmp_path / "x.npz")
    for name, array in vars(examples).items():
        np.testing.assert_array_equal(getattr(again, name), array)
        assert getattr(again, name).dtype == array.dtype


def test_no_sentences_are_empty_arrays() -> None:
    examples = built()
    assert len(examples) == 0
    assert examples.first_piece.tolist() == [0]
