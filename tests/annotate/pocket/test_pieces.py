from __future__ import annotations

import io

import numpy as np
import pytest
import sentencepiece

from referee.annotate.pocket import pieces as module
from referee.annotate.pocket.atoms import atoms
from referee.annotate.pocket.pieces import UNKNOWN, Pieces
from tests.support.tiny_annotator import LANGUAGES, SENTENCES, pieces_model


@pytest.fixture
def pieces() -> Pieces:
    return Pieces(pieces_model(), LANGUAGES)


def one_by_one(texts: list[str]) -> list[list[int]]:
    """Numbers by sentencepiece alone."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=pieces_model())
    return [[number + 1 if number else UNKNOWN for number in processor.encode(text)] for text in texts]


def cut(pieces: Pieces, texts: list[str]) -> list[list[int]]:
    numbers, counts = pieces.encode(texts)
    return [part.tolist() for part in np.split(numbers, np.cumsum(counts)[:-1])] if texts else []


def test_pieces_are_those_of_sentencepiece_atom_by_atom(pieces: Pieces) -> None:
    for text in SENTENCES:
        spelled = atoms(text)[0]
        assert cut(pieces, spelled) == one_by_one(spelled)
        assert cut(pieces, spelled) == one_by_one(spelled)  # by now from memory


def test_no_atoms_and_repeated_atoms(pieces: Pieces) -> None:
    assert cut(pieces, []) == []
    assert cut(pieces, [" it", " it", " cup", " it"]) == one_by_one([" it", " it", " cup", " it"])


def test_a_space_is_only_where_the_atom_has_one(pieces: Pieces) -> None:
    with_space, without = cut(pieces, [" it", "it"])
    assert with_space != without


def test_a_model_that_adds_a_space_is_not_followed_in_that(pieces: Pieces) -> None:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES * 5),
        model_writer=model,
        vocab_size=120,
        remove_extra_whitespaces=False,
        minloglevel=2,
        num_threads=1,
    )
    adding = Pieces(model.getvalue(), LANGUAGES)
    assert cut(adding, [" it"]) != cut(adding, ["it"])


def test_unknown_characters_count_as_a_piece(pieces: Pieces) -> None:
    for atom in ("你好", "😀", "\ud800", " \udfff", "▁", "<s>", "\ufeff"):
        numbers, counts = pieces.encode([" it", atom, "."])
        assert len(counts) == 3
        assert counts.min() >= 1
        assert counts.sum() == len(numbers)
        assert numbers.max() < pieces.language("en")
        assert numbers.min() >= UNKNOWN


def test_long_atoms_are_cut_but_not_kept(pieces: Pieces) -> None:
    long = "tasse" * 3_000
    texts = [" it", long, " cup", long + "n"]
    assert cut(pieces, texts) == one_by_one(texts)
    assert cut(pieces, texts) == one_by_one(texts)
    assert len(pieces._index) == 2


def test_memory_is_bounded(pieces: Pieces, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEPT_ATOMS", 10)
    for start in range(0, 200, 7):
        texts = [f" {number:03}" for number in range(start, start + 7)]
        assert cut(pieces, texts) == one_by_one(texts)
        assert len(pieces._index) <= 17


def test_numbers_of_languages_follow_the_pieces(pieces: Pieces) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=pieces_model())
    assert pieces.language("en") == processor.get_piece_size() + 1
    assert pieces.language("ru") == pieces.language("en") + 7
    assert len(pieces) == pieces.language("ru") + 2
