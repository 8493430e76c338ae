from __future__ import annotations

import numpy as np
from hypothesis import given

from referee.annotate.document import Document
from referee.annotate.resolve.features import SIZES, Pairs, pairs_of
from referee.annotate.resolve.words import words_of
from tests.support.annotated import documents
from tests.support.coreferent import parsed


def _pairs(*sentences: str) -> Pairs:
    return pairs_of(words_of(parsed(*sentences)))


def _changed(one: Pairs, other: Pairs) -> int:
    """In how many features the first candidates of the first pronouns differ."""
    return int((one.of_pair[0, 0] != other.of_pair[0, 0]).sum())


def test_features_choose_rows_of_the_tables() -> None:
    pairs = _pairs("The/DET/2/det cup/NOUN/3/nsubj/Number=Sing hit/VERB/0/root", "It/PRON/2/nsubj broke/VERB/0/root")
    for features, size in zip((pairs.of_pronoun, pairs.of_mention, pairs.of_pair), SIZES, strict=True):
        assert features.min() >= 0
        assert features.max() < size
        # Every column has rows of its own.
        assert (np.diff(features.reshape(-1, features.shape[-1])[0]) > 0).all()


def test_what_the_features_tell_apart() -> None:
    after = "It/PRON/2/nsubj broke/VERB/0/root"
    plain = _pairs("cup/NOUN/2/nsubj/Number=Sing hit/VERB/0/root", after)
    assert _changed(plain, _pairs("cup/NOUN/2/nsubj/Number=Sing hit/VERB/0/root", after)) == 0
    for other in (
        ("cups/NOUN/2/nsubj/Number=Plur/cup hit/VERB/0/root", after),
        ("teacher/NOUN/2/nsubj/Number=Sing hit/VERB/0/root", after),
        ("cup/NOUN/2/obj/Number=Sing hit/VERB/0/root", after),
        ("cup/NOUN/2/nsubj/Number=Sing broke/VERB/0/root", after),
        ("cup/NOUN/2/nsubj/Number=Sing hit/VERB/0/root", "Yes/INTJ/0/root", after),
        ("it/PRON/2/nsubj/Number=Sing hit/VERB/0/root", after),
        ("cup/NOUN/2/nsubj/Number=Sing hit/VERB/0/root", "They/PRON/2/nsubj broke/VERB/0/root"),
    ):
        assert _changed(plain, _pairs(*other)), other


def test_arguments_of_one_verb() -> None:
    one = "cup/NOUN/2/nsubj/Number=Sing hit/VERB/0/root {}/PRON/2/obj"
    assert _changed(_pairs(one.format("it")), _pairs(one.format("itself")))


def test_neither_pronouns_nor_mentions() -> None:
    for document in (Document("d", "", "en", ()), parsed("Go/VERB/0/root"), parsed("It/PRON/2/expl rains/VERB/0/root")):
        pairs = pairs_of(words_of(document))
        assert pairs.of_pair.shape[:2] == pairs.candidates.shape
        assert len(pairs.of_mention) == len(pairs.mentions)


@given(documents())
def test_any_document(document: Document) -> None:
    pairs = pairs_of(words_of(document))
    assert pairs.candidates.shape[0] == len(pairs.pronouns)
    assert (pairs.candidates < max(len(pairs.mentions), 1)).all()
