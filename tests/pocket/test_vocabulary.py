"""The numbering of the vocabulary, and the files of its tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.pocket.vocabulary import Vocabulary

pytest.importorskip("sentencepiece")

TEXTS = [f"The {noun} is {what}." for noun in ("dog", "cat", "house", "tree") for what in ("old", "new", "red", "big")]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    from referee.train.recipes.translator.vocabulary import learn

    return learn(TEXTS, 32, ("de", "fr", "pt"))


def test_special_tokens_stand_where_marian_and_ctranslate2_want_them(vocabulary: Vocabulary) -> None:
    names = vocabulary.names()
    assert len(names) == len(set(names)) == 32
    assert names[:2] == ["</s>", "<unk>"]
    assert names[-4:] == [">>de<<", ">>fr<<", ">>pt<<", "<pad>"]
    assert "<s>" not in names


def test_numbers_are_those_of_the_names(vocabulary: Vocabulary) -> None:
    names = vocabulary.names()
    (tokens,) = vocabulary.encode(["The dog is red."])
    assert "".join(names[number] for number in tokens).replace("▁", " ").strip() == "The dog is red."
    assert vocabulary.encode(["ж"])[0][-1] == names.index("<unk>")


def test_its_files_are_those_of_a_tokenizer(vocabulary: Vocabulary, tmp_path: Path) -> None:
    vocabulary.save(tmp_path / "saved")
    assert (tmp_path / "saved/source.spm").read_bytes() == vocabulary.model
    assert (tmp_path / "saved/target.spm").read_bytes() == vocabulary.model
    numbers = json.loads((tmp_path / "saved/vocab.json").read_text(encoding="utf-8"))
    assert sorted(numbers, key=lambda name: numbers[name]) == vocabulary.names()
