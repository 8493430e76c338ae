from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.annotate.pocket import passages
from referee.annotate.pocket.passages import Given, long_lines, of_text, of_tokens, runs, stretches
from referee.annotate.pocket.pieces import Pieces
from referee.annotate.pocket.rows import pack
from tests.support.tiny_annotator import LANGUAGES, SENTENCES, pieces_model


@pytest.fixture
def pieces() -> Pieces:
    return Pieces(pieces_model(), LANGUAGES)


def word(form: str, start: int, end: int, part: int = 0) -> Word:
    return Word(form, "_", "X", "", ROOT, "root", start, end, part)


def test_short_texts_are_one_stretch() -> None:
    for text in ("", "a", "a\nb\n"):
        assert [(one.start, one.text) for one in stretches(text)] == [(0, text)]


def test_long_texts_are_cut_at_lines_then_at_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "LONGEST", 10)
    for text in ("aaaa\nbbbb\ncccc\ndddd", "aaa bbb ccc ddd eee fff", "a" * 35, "\n" * 35, "ab " * 20 + "\nx"):
        parts = list(stretches(text))
        assert "".join(part.text for part in parts) == text
        assert all(text[part.start :].startswith(part.text) for part in parts)
        assert all(0 < len(part.text) <= 10 for part in parts)
    assert [part.text for part in stretches("aaaa\nbbbb\ncccc")] == ["aaaa\nbbbb\n", "cccc"]
    assert [part.text for part in stretches("aaa bbb ccc ddd")] == ["aaa bbb ", "ccc ddd"]


def test_atoms_have_their_lines_and_pieces(pieces: Pieces) -> None:
    text = "It fell.\n\nThe cup!\nIt broke"
    passage = of_text(text, np.array([0, 19]), pieces)
    spans = [text[start:end] for start, end in zip(passage.starts, passage.ends, strict=True)]
    assert spans == ["It", "fell", ".", "The", "cup", "!", "It", "broke"]
    assert passage.lines.tolist() == [0, 0, 0, 2, 2, 2, 3, 3]
    first, last = passage.pieces
    assert first[0] == 0
    assert last[-1] == len(passage.numbers) - 1
    assert (first[1:] == last[:-1] + 1).all()
    # The first two lines share a row; the last one belongs to another stretch.
    assert len(passage.rows.starts) == 2
    assert passage.rows.starts[1] == first[6]


def test_lines_that_do_not_fit_a_row_are_read_again_by_sentences(pieces: Pieces) -> None:
    long = " ".join(SENTENCES)
    passage = of_text(f"It fell.\n{long}\nThe cup!\n{long}", np.array([0]), pieces)
    assert long_lines(of_text("It fell.\nThe cup!", np.array([0]), pieces), np.array([0, 3])) is None
    assert long_lines(of_text(long, np.array([0]), pieces), np.array([0])) is None
    atoms_of = np.bincount(passage.lines)
    starts = np.cumsum(atoms_of) - atoms_of
    sentences = np.array([0, *range(starts[1], starts[2], 40), starts[2], *range(starts[3], len(passage.starts), 70)])
    again = long_lines(passage, sentences)
    assert again is not None
    first, last = passage.pieces
    expected = [
        *range(first[starts[1]], first[starts[2]]),
        *range(first[starts[3]], last[-1] + 1),
    ]
    assert again.pieces.tolist() == expected
    counts = np.diff(first[sentences], append=len(passage.numbers))
    chosen = passage.lines[sentences] % 2 == 1
    packed = pack(counts[chosen].tolist(), passage.lines[sentences][chosen].tolist())
    for one, other in zip(again.rows, packed, strict=True):
        assert one.tolist() == other.tolist()
    assert again.rows.last[-1] == len(expected)


@pytest.mark.parametrize("text", ["", " \n\t\n", "\x00\x1f"])
def test_nothing_to_read(pieces: Pieces, text: str) -> None:
    passage = of_text(text, np.array([0]), pieces)
    assert len(passage.starts) == len(passage.numbers) == len(passage.rows.starts) == 0


def test_given_tokens_are_read_as_in_the_text(pieces: Pieces) -> None:
    for text in SENTENCES:
        whole = of_text(text, np.array([0]), pieces)
        spans = list(zip(whole.starts.tolist(), whole.ends.tolist(), strict=True))
        sentence = Sentence(0, len(text), tuple(word(text[start:end], start, end) for start, end in spans))
        passage, counts = of_tokens([Given(text, (sentence,))], pieces)
        assert passage.numbers.tolist() == whole.numbers.tolist()
        assert counts.tolist() == [1] * len(spans)


def test_given_tokens_need_not_be_atoms(pieces: Pieces) -> None:
    text = "10 000 du cannot \t"
    words = (
        word("10 000", 0, 6),
        word("de", 7, 9, 1),
        word("le", 7, 9, 2),
        word("can", 10, 13),
        word("not", 13, 16),
        word("_", 17, 18),
        word("_", 18, 18),
    )
    passage, counts = of_tokens([Given(text, (Sentence(0, 18, words),))], pieces)
    assert counts.tolist() == [2, 1, 1, 1, 1, 1]
    expected = pieces.encode([" 10", " 000", " du", " can", "not", " \t", ""])
    assert passage.numbers.tolist() == expected.numbers.tolist()


def test_runs_keep_sentences_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "GIVEN", 5)
    sentences = tuple(Sentence(0, 1, (word("x", 0, 1),) * size) for size in (2, 2, 3, 9, 1))
    parts = list(runs(Document("d", "x", "en", sentences)))
    assert [[len(one.words) for one in part.sentences] for part in parts] == [[2, 2, 3], [9], [1]]
    assert [part.sentences for part in runs(Document("d", "", "en", ()))] == [()]


def test_sentences_are_the_lines_of_given_tokens(pieces: Pieces) -> None:
    sentences = tuple(Sentence(0, 3, (word("cup", 0, 3), word("cup", 0, 3))) for _ in range(3))
    passage, _ = of_tokens([Given("cup", sentences), Given("cup", sentences[:1])], pieces)
    assert np.unique(passage.lines).tolist() == [1, 2, 3, 4]
    assert len(passage.rows.starts) == 2
