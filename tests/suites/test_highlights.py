from __future__ import annotations

import pytest

from referee.suites.highlights import Highlighted, marked, parsed, squeezed


def words(text: Highlighted) -> tuple[list[str], list[str]]:
    """The marked pronouns and the highlighted words."""
    return (
        [text.text[start:end] for start, end in text.pronouns],
        [text.text[start:end] for start, end in text.highlights],
    )


@pytest.mark.parametrize(
    ("line", "text", "pronouns", "highlights"),
    [
        ("Nothing.", "Nothing.", [], []),
        ("", "", [], []),
        ("Is <p>it</p> red?", "Is it red?", ["it"], []),
        ("the  <hon>cup<hoff>  fell", "the cup fell", [], ["cup"]),
        ("the <hon>cup<hoff> fell", "the cup fell", [], ["cup"]),
        ("l' <hon>eau<hoff> .", "l'eau.", [], ["eau"]),
        ("<hon>Is <p>it</p> red<hoff> , then", "Is it red, then", ["it"], ["Is it red"]),
        ("no  <hon>way<hoff>", "no way", [], ["way"]),
        ("a  <hon>b<hoff>  c  <hon>d<hoff>  e", "a b c d e", [], ["b", "d"]),
        ("f<p>it</p>s <p>it</p>", "fits it", ["it", "it"], []),
    ],
)
def test_marks_are_taken_out(line: str, text: str, pronouns: list[str], highlights: list[str]) -> None:
    result = parsed(line)
    assert result.text == text
    assert words(result) == (pronouns, highlights)
    assert not result.damaged


@pytest.mark.parametrize(
    ("line", "text", "highlights"),
    [
        # A second highlight cut the end of the first one in two.
        ("the  <hon>cup <h <hon>off><hoff>  fell", "the cup fell", ["cup"]),
        ("the  <hon>cu <hon>p <ho<hoff> ff>  fell", "the cu p fell", ["cu p"]),
        ("the  <hon>cup  <hon><hoff><hoff>   fell", "the cup fell", ["cup"]),
        # An end is missing.
        ("the  <hon>cup <hon>fell<hoff>  off", "the cup fell off", ["cup fell"]),
        ("the  <hon>cup fell", "the cup fell", []),
    ],
)
def test_damaged_highlights_are_joined(line: str, text: str, highlights: list[str]) -> None:
    result = parsed(line)
    assert (result.text, words(result)[1], result.damaged) == (text, highlights, True)


def test_marks_inside_words_are_told_from_pronouns() -> None:
    result = parsed("f<p>it</p>s, '<p>it</p>' and 8<p>it</p>")
    assert [result.text[start:end] for start, end in result.whole] == ["it"]
    assert result.has_parts
    assert not parsed("<p>it</p>'s").has_parts


def test_marks_move_to_a_text_with_other_spaces() -> None:
    result = parsed("the  <hon>c <hon>up<hoff><hoff> : <p>it</p> fell").onto("the cup\u00a0: it fell")
    assert words(result) == (["it"], ["cup"])
    assert squeezed("a b\u00a0c") == "abc"


@pytest.mark.parametrize(
    "line",
    [
        "Is <p>it</p> red?",
        "the  <hon>cup<hoff>  fell",
        "<hon><p>It</p><hoff>  fell  <hon>down<hoff>",
        "l' <hon>eau<hoff> .",
        "<p>it</p>s  <hon>a<hoff>  b",
    ],
)
def test_a_line_without_faults_comes_back(line: str) -> None:
    result = parsed(line)
    assert marked(result.text, result.pronouns, result.highlights) == line
