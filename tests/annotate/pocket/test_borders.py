from __future__ import annotations

import numpy as np
import pytest

from referee.annotate.pocket.atoms import atoms
from referee.annotate.pocket.borders import LONGEST, tokens


def cut(text: str, kinds: list[int], second: dict[int, int] | None = None) -> list[list[str]]:
    """Sentences of a text by the kinds of border behind its atoms; `second` names the next best kind of an atom."""
    _, starts, ends = atoms(text)
    scores = np.zeros((len(starts), 3))
    scores[np.arange(len(kinds)), kinds] = 5
    for atom, kind in (second or {}).items():
        scores[atom, kind] = 4
    lines = np.array([text[:start].count("\n") for start in starts], np.int64)
    first, last, sentences = tokens(text, np.array(starts, np.int64), np.array(ends, np.int64), lines, scores)
    spans = [text[starts[one] : ends[other]] for one, other in zip(first, last, strict=True)]
    return [part.tolist() for part in np.split(np.array(spans, object), sentences[1:])] if spans else []


def test_atoms_join_to_tokens_and_sentences() -> None:
    assert cut("It's 5pm. Go!", [0, 0, 1, 0, 1, 2, 1, 2]) == [["It's", "5pm", "."], ["Go", "!"]]


def test_the_end_of_a_line_and_of_the_text_end_a_sentence() -> None:
    assert cut("a b\nc d", [1, 0, 1, 0]) == [["a", "b"], ["c", "d"]]
    assert cut("a\n\n\nb", [1, 1]) == [["a"], ["b"]]


@pytest.mark.parametrize("space", [" ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"])
def test_a_number_may_hold_a_space(space: str) -> None:
    assert cut(f"10{space}000 m", [0, 1, 2]) == [[f"10{space}000", "m"]]


def test_words_do_not() -> None:
    assert cut("a lot 10 m", [0, 0, 0, 2]) == [["a", "lot", "10", "m"]]


@pytest.mark.parametrize("gap", ["  ", "\t", "\x00", " \x07 ", "\u2028"])
def test_a_token_does_not_go_over_more(gap: str) -> None:
    assert cut(f"10{gap}000 m", [0, 1, 2]) == [["10", "000", "m"]]
    assert cut(f"10{gap}000 m", [0, 1, 2], {0: 2}) == [["10"], ["000", "m"]]


def test_no_atoms() -> None:
    assert cut(" \n ", []) == []


def test_long_sentences_are_cut_at_the_most_probable_border() -> None:
    text = "x " * 1_000
    sizes = [len(sentence) for sentence in cut(text, [1] * 1_000, {249: 2, 279: 0})]
    assert sizes[0] == 250
    assert sum(sizes) == 1_000
    assert max(sizes) <= LONGEST
    assert min(sizes[:-1]) >= 100


def test_a_sentence_of_the_longest_length_stays_whole() -> None:
    assert [len(one) for one in cut("x " * LONGEST, [1] * LONGEST)] == [LONGEST]
    assert len(cut("x " * (LONGEST + 1), [1] * (LONGEST + 1))) == 2
