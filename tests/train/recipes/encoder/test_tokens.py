"""Tokens of treebank sentences, with the characters they cover."""

from __future__ import annotations

import pytest

from referee.annotate.pocket.atoms import atoms
from referee.train.recipes.encoder.tokens import joined, tokens

small_treebanks = pytest.importorskip("tests.support.small_treebanks", exc_type=ImportError)


def test_multi_word_tokens_cover_their_words_and_empty_nodes_are_left_out() -> None:
    sentence = small_treebanks.sentence("fr", 0)
    assert any(".1\t" in row for row in sentence.rows)
    found = tokens(sentence.text, sentence.rows)
    assert found is not None
    assert [sentence.text[token.start : token.end] for token in found] == [token.form for token in found]
    (contracted,) = [token for token in found if len(token.words) > 1]
    assert (contracted.form, [word.form for word in contracted.words]) == ("du", ["de", "le"])
    words = [word for token in found for word in token.words]
    assert [word.head for word in words] == [1, 2, -1, 5, 5, 2, 2]
    assert words[1].features["Number"] == "Sing"


def test_a_border_inside_an_atom_joins_tokens() -> None:
    sentence = small_treebanks.sentence("en", 0)
    found = tokens(sentence.text, sentence.rows)
    assert found is not None
    assert [token.form for token in found[2:4]] == ["can", "not"]
    _, starts, ends = atoms(sentence.text)
    whole = joined(found, starts, ends)
    assert whole[2].form == "cannot"
    assert [word.form for word in whole[2].words] == ["can", "not"]
    assert (whole[2].start, whole[2].end) == (found[2].start, found[3].end)
    assert [word for token in whole for word in token.words] == [word for token in found for word in token.words]


def test_words_that_do_not_spell_the_text_are_refused() -> None:
    sentence = small_treebanks.sentence("de", 0)
    assert tokens(f"{sentence.text} more", sentence.rows) is None
    assert tokens(f"x {sentence.text}", sentence.rows) is None
    assert tokens(sentence.text.replace(" ", " x ", 1), sentence.rows) is None


def test_a_lemma_that_is_missing_is_the_form() -> None:
    found = tokens("_ a", ["1\t_\t_\tSYM\t_\t_\t0\troot\t_\t_", "2\ta\t_\tX\t_\t_\t1\tdep\t_\t_"])
    assert found is not None
    assert [token.words[0].lemma for token in found] == ["_", "a"]
