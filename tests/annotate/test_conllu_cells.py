from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.annotate.conllu_cells import cell, comment, escaped, sentence_id, unescaped, value
from referee.io.text import visible

ANY = st.text(st.characters())


@given(ANY)
def test_escapes_round_trip_and_fit_misc(text: str) -> None:
    written = escaped(text)
    assert unescaped(written) == text
    assert not set(written) & set("\t\n\r |")
    written.encode()


@given(ANY)
def test_comments_round_trip_behind_the_stripping_of_spaces(text: str) -> None:
    written = comment(text)
    assert "\n" not in written
    assert unescaped(written.strip(" ")) == text


@given(ANY)
def test_cells_have_no_breaks(text: str) -> None:
    written = cell(text)
    assert written
    assert not set(written) & set("\t\n\r\x00\x85\u2028")
    written.encode()
    assert cell(written) == written


@pytest.mark.parametrize("text", ["\\", "\\x", "\\u12", "a\\"])
def test_unknown_escapes(text: str) -> None:
    with pytest.raises(ValueError, match="is not a known escape"):
        unescaped(text)


def test_empty_values() -> None:
    assert (cell(""), value("_"), value("a_")) == ("_", "", "a_")


@given(ANY)
def test_ids_have_no_characters_that_act_on_a_terminal(text: str) -> None:
    written = sentence_id(text, 1)
    assert written == visible(written)
    assert not any(map(str.isspace, written))


def test_ids_of_sentences() -> None:
    assert (sentence_id("a/b%", 3), sentence_id("", 1)) == ("a%2Fb%25-3", "1")
