"""Rows of several texts, held against a plain construction."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sentencepiece")
pytest.importorskip("google.protobuf")

from referee.pocket.encoder_vocabulary import END, PAD  # noqa: E402
from referee.train.recipes.encoder import batches  # noqa: E402
from referee.train.recipes.encoder.batches import IGNORED, Drawer, Drawing, filled, packed  # noqa: E402
from referee.train.recipes.encoder.examples import (  # noqa: E402
    FIRST,
    HEAD,
    LAST,
    LENGTH,
    TEXT,
    WORDS,
    Examples,
)
from tests.support import small_annotator, small_treebanks  # noqa: E402


def plain(examples: Examples, rows: list[list[range]]) -> list[dict[str, list[object]]]:
    """The same rows, sentence by sentence."""
    tokens = small_annotator.tokens()
    listed = []
    text_number = sentence_number = 0
    for row in rows:
        made: dict[str, list[object]] = {
            name: [] for name in ("pieces", "positions", "text", "atoms", "words", "feats", "sentence", "sources")
        }
        for text in row:
            start = len(made["pieces"])
            made["pieces"].append(tokens[examples.language[text.start]])
            for sentence in text:
                at, first = len(made["pieces"]), len(made["words"])
                pieces = slice(examples.first_piece[sentence], examples.first_piece[sentence + 1])
                made["pieces"] += examples.pieces[pieces].tolist()
                for atom in range(examples.first_atom[sentence], examples.first_atom[sentence + 1]):
                    one, two, border = examples.atoms[atom].tolist()
                    made["atoms"].append([one + at, two + at, border])
                for word in range(examples.first_word[sentence], examples.first_word[sentence + 1]):
                    values = examples.words[word].tolist()
                    values[FIRST] += at
                    values[LAST] += at
                    head = values[HEAD]
                    values[HEAD] = head + 1 + first if head >= 0 else (0 if head == -1 else IGNORED)
                    made["words"].append(values)
                    made["feats"].append(examples.feats[word].tolist())
                    made["sentence"].append(sentence_number)
                    made["sources"].append(word)
                sentence_number += 1
            made["pieces"].append(END)
            made["positions"] += range(len(made["pieces"]) - start)
            made["text"] += [text_number] * (len(made["pieces"]) - start)
            text_number += 1
        listed.append(made)
    return listed


def drawn(seed: int, rows: int = 4) -> list[list[range]]:
    examples = small_treebanks.examples()
    drawer = Drawer(examples, small_annotator.tokens(), Drawing(), seed)
    return next(filled(examples, iter(drawer.text, None), rows))


@pytest.mark.parametrize("seed", range(6))
def test_rows_hold_exactly_their_texts(seed: int) -> None:
    examples = small_treebanks.examples()
    rows = drawn(seed)
    texts = sum(map(len, rows))
    assert texts > len(rows)
    batch = packed(examples, rows, np.array(small_annotator.tokens()), np.zeros(texts, bool))
    for number, expected in enumerate(plain(examples, rows)):
        for name, nothing in (("pieces", PAD), ("positions", 0), ("text", -1)):
            values = getattr(batch, name)[number].tolist()
            assert values == expected[name] + [nothing] * (LENGTH - len(expected[name]))
        atoms, words = len(expected["atoms"]), len(expected["words"])
        assert batch.atoms[number, :atoms].tolist() == expected["atoms"]
        assert batch.words[number, :words].tolist() == expected["words"]
        assert batch.feats[number, :words].tolist() == expected["feats"]
        assert batch.sentence[number].tolist() == expected["sentence"] + [-1] * (WORDS - words)
        assert batch.word_source[number].tolist() == expected["sources"] + [-1] * (WORDS - words)
        assert (batch.atom_source[number] >= 0).sum() == atoms
        assert (batch.atoms[number, atoms:] == IGNORED).all()
        assert (batch.words[number, words:] == IGNORED).all()


def test_an_unknown_head_stays_unknown() -> None:
    examples = small_treebanks.examples()
    words = examples.words.copy()
    words[1, HEAD] = -2
    changed = Examples(**{**vars(examples), "words": words})
    batch = packed(changed, [[range(1)]], np.array(small_annotator.tokens()), np.zeros(1, bool))
    heads = batch.words[0, :, HEAD].tolist()
    assert heads[:3] == [words[0, HEAD] + 1, IGNORED, words[2, HEAD] + 1]


def test_styles_stand_at_the_language_and_are_0_for_the_followed_treebank() -> None:
    examples = small_treebanks.examples()
    tokens = np.array(small_annotator.tokens())
    followed, other = (int(np.flatnonzero(examples.treebank == style)[-1]) for style in (0, 1))
    rows = [[range(followed, followed + 1), range(other, other + 1)]]
    batch = packed(examples, rows, tokens, np.zeros(2, bool))
    (places,) = np.nonzero(batch.style[0].numpy())
    assert batch.text[0, places].tolist() == [1]
    assert batch.pieces[0, places].tolist() == [tokens[examples.language[other]]]
    number = int(batch.style[0, places[0]])
    assert number == 1 + int(examples.language[other]) * batches.STYLES_OF_LANGUAGE + 1
    assert not packed(examples, rows, tokens, np.ones(2, bool)).style.any()


def test_texts_are_consecutive_sentences_of_one_treebank() -> None:
    examples = small_treebanks.examples(per_style=12, styles=2)
    drawer = Drawer(examples, small_annotator.tokens(), Drawing(), 3)
    texts = list(islice(iter(drawer.text, None), 300))
    for text in texts:
        assert len(set(examples.language[text.start : text.stop])) == 1
        assert len(set(examples.treebank[text.start : text.stop])) == 1
        assert examples.first_piece[text.stop] - examples.first_piece[text.start] <= TEXT - 2
    assert {len(text) for text in texts} >= {1, 2, 3}


def test_languages_without_sentences_are_not_drawn() -> None:
    examples = small_treebanks.examples()
    chosen = int(examples.first_piece[6]), int(examples.first_atom[6]), int(examples.first_word[6])
    pieces, atoms, words = chosen
    english = Examples(
        examples.language[:6],
        examples.treebank[:6],
        examples.first_piece[:7],
        examples.first_atom[:7],
        examples.first_word[:7],
        examples.pieces[:pieces],
        examples.atoms[:atoms],
        examples.words[:words],
        examples.feats[:words],
    )
    drawer = Drawer(english, small_annotator.tokens(), Drawing(flatness=0.0), 1)
    assert all(drawer.text().stop <= 6 for _ in range(50))


def test_seeds_draw_other_batches() -> None:
    examples = small_treebanks.examples()
    drawer = Drawer(examples, small_annotator.tokens(), Drawing(), 5)
    again = Drawer(examples, small_annotator.tokens(), Drawing(), 5)
    first = drawer.draw(2).pieces
    assert torch.equal(first, again.draw(2).pieces)
    assert not torch.equal(drawer.seeded(0).draw(2).pieces, first)
    assert not torch.equal(drawer.seeded(0).draw(2).pieces, drawer.seeded(1).draw(2).pieces)


def test_a_text_that_fits_no_row_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "WORDS", 5)
    with pytest.raises(ValueError, match="does not fit a row"):
        list(filled(small_treebanks.examples(), [range(1)], 4))


def test_rows_are_full_before_the_next_begins() -> None:
    examples = small_treebanks.examples()
    texts = [range(number, number + 1) for number in range(len(examples))]
    rows = [row for part in filled(examples, texts, 2) for row in part]
    assert [text for row in rows for text in row] == texts
    sizes = np.diff(examples.first_piece) + 2
    words = np.diff(examples.first_word)
    for row, following in pairwise(rows):
        numbers = [text.start for text in row]
        assert sizes[numbers].sum() <= LENGTH
        assert words[numbers].sum() <= WORDS
        more = [*numbers, following[0].start]
        assert sizes[more].sum() > LENGTH or words[more].sum() > WORDS


def test_rows_of_a_batch() -> None:
    batch = Drawer(small_treebanks.examples(), small_annotator.tokens(), Drawing(), 5).draw(3)
    part = batch.rows(1, 1).to("cpu")
    assert torch.equal(part.pieces, batch.pieces[1:2])
    assert torch.equal(part.feats, batch.feats[1:2])
