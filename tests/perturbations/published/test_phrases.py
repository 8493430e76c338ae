"""Phrase addition as published, on sentences made up here."""

from __future__ import annotations

import pytest

from referee.items import Item, Origin
from referee.perturbations.base import Dropped
from referee.perturbations.edits import edited
from referee.perturbations.published.phrases import Form, added, phrase, without_lines
from tests.support.items import item


@pytest.mark.parametrize(
    ("context", "form", "expected"),
    [
        (" the cup fell. ", "before", "He said: the cup fell."),
        (" the cup fell. ", "quoted", 'He said: "the cup fell."'),
        (" the cup fell. ", "inside", "the cup fell He said."),
        ("the cup fell ", "inside", "the cup fell He said"),
        (" the cup fell! ", "apart", "the cup fell! He said."),
        ("  ", "apart", ""),
        ("", "quoted", ""),
    ],
)
def test_a_phrase_in_each_form(context: str, form: Form, expected: str) -> None:
    assert edited(context, added(context, "He said", form)) == expected


def texts(language: str) -> str | None:
    return {"en": "He said", "de": "Er sagte"}.get(language)


def test_both_sides_change_in_their_last_sentence() -> None:
    one = item(
        source_context=("One.", "Two."), target_context=("Eins.",), meta={"separators": [" <SEP> ", "<SEP>x"], "n": 1}
    )
    result = phrase(one, "said", "before", texts)
    assert isinstance(result, Item)
    assert result.source_context == ("One.", "He said: Two.")
    assert result.target_context == ("Er sagte: Eins.",)
    assert result.meta == {"separators": [" <SEP>  ", " <SEP> x"], "n": 1}
    assert result.origin == Origin("a", "said", "attack")


def test_an_empty_context_stays_empty() -> None:
    result = phrase(item(source_context=("One.",)), "said", "apart", texts)
    assert isinstance(result, Item)
    assert (result.source_context, result.target_context) == (("One. He said.",), ())
    assert result.meta["separators"] == [" <SEP>  ", "<SEP>  "]


def test_published_lines_change_one_by_one() -> None:
    lines = {"source_lines": [" One. <SEP> Two.", "<SEP> Two.", "no separator"], "target_lines": ["Eins. <SEP> Zwei."]}
    result = phrase(item(meta={**lines, "n": 1}), "said", "before", texts)
    assert isinstance(result, Item)
    assert result.meta["source_lines"] == ["He said: One. <SEP>  Two.", "<SEP>  Two.", "<SEP> no separator"]
    assert result.meta["target_lines"] == ["Er sagte: Eins. <SEP>  Zwei."]
    assert without_lines(result.meta) == {"separators": result.meta["separators"], "n": 1}


def test_a_language_without_the_phrase() -> None:
    assert phrase(item(target_lang="qve"), "said", "before", texts) == Dropped("no phrases in the language 'qve'")
    assert phrase(item(source_lang="qve"), "said", "before", texts) == Dropped("no phrases in the language 'qve'")
