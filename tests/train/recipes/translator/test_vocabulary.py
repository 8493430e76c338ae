"""The numbering of the vocabulary."""

from __future__ import annotations

import pytest

pytest.importorskip("sentencepiece")

from referee.errors import InputError
from referee.pocket.vocabulary import Vocabulary
from referee.train.recipes.translator.vocabulary import learn

TEXTS = [f"The {noun} is {what}." for noun in ("dog", "cat", "house", "tree") for what in ("old", "new", "red", "big")]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return learn(TEXTS, 32, ("de", "fr", "pt"))


def test_the_same_texts_give_the_same_pieces(vocabulary: Vocabulary) -> None:
    assert learn(TEXTS, 32, ("de", "fr", "pt")).model == vocabulary.model


def test_too_little_text_is_said_to_be(vocabulary: Vocabulary) -> None:
    with pytest.raises(InputError, match="a vocabulary of 500 cannot be learnt from these texts"):
        learn(TEXTS, 500, ("de",))
