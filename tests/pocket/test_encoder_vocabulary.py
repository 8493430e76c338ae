"""The numbering of the encoder's vocabulary."""

from __future__ import annotations

import pytest

from referee.annotate.pocket.pieces import Pieces
from referee.pocket.encoder_vocabulary import BEGIN, END, PAD, SPECIAL, UNKNOWN, EncoderVocabulary
from tests.support import small_encoder

pytest.importorskip("sentencepiece")


@pytest.fixture(scope="module")
def vocabulary() -> EncoderVocabulary:
    return EncoderVocabulary(small_encoder.pieces(), small_encoder.LANGUAGES)


def test_special_tokens_stand_where_xlm_roberta_has_them(vocabulary: EncoderVocabulary) -> None:
    names = vocabulary.names()
    assert len(names) == len(set(names)) == len(vocabulary)
    assert tuple(names[:4]) == SPECIAL
    assert [names[number] for number in (BEGIN, PAD, END, UNKNOWN)] == ["<s>", "<pad>", "</s>", "<unk>"]
    assert names[-4:] == ["<en>", "<de>", "<ru>", "<mask>"]
    assert names[vocabulary.mask] == "<mask>"
    assert [names[vocabulary.language(language)] for language in ("en", "de", "ru")] == ["<en>", "<de>", "<ru>"]


def test_pieces_are_those_of_their_numbers(vocabulary: EncoderVocabulary) -> None:
    names = vocabulary.names()
    of_parts = vocabulary.encode([" The", " dog", " isn", "'", "t", " собака"])
    read = ["".join(names[number] for number in part) for part in of_parts]
    assert read == ["▁The", "▁dog", "▁isn", "'", "t", "▁собака"]


def test_unknown_characters_are_one_token(vocabulary: EncoderVocabulary) -> None:
    names = vocabulary.names()
    assert vocabulary.encode(["猫", " 猫犬", ""]) == [[UNKNOWN], [names.index("▁"), UNKNOWN], []]


def test_the_annotators_number_pieces_in_the_same_way(vocabulary: EncoderVocabulary) -> None:
    """They cut many atoms at once, with a memory of their own."""
    pieces = Pieces(vocabulary.model, vocabulary.languages)
    assert len(pieces) == len(vocabulary)
    assert [pieces.language(one) for one in vocabulary.languages] == list(
        map(vocabulary.language, vocabulary.languages)
    )
    atoms = [" The", " dog", "'", "s", " 猫", " Häuser", " собака", "..."]
    for _ in range(2):
        assert pieces.encode(atoms).numbers.tolist() == [number for atom in vocabulary.encode(atoms) for number in atom]
