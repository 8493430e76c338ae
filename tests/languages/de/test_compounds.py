"""German nouns by their last part."""

from __future__ import annotations

import pytest

from referee.languages.analyses import Analysis
from referee.languages.de.compounds import compound_analyses

NOUNS = {
    "Tür": [Analysis("NOUN", "Fem", "Sing", "Nom", "", "Tür")],
    "Türen": [Analysis("NOUN", "Fem", "Plur", "Nom", "", "Tür")],
    "Maschine": [Analysis("NOUN", "Fem", "Sing", "Nom", "", "Maschine")],
    "Haus": [Analysis("NOUN", "Neut", "Sing", "Nom", "", "Haus")],
    "Arbeit": [Analysis("NOUN", "Fem", "Sing", "Nom", "", "Arbeit")],
    "Berlin": [Analysis("PROPN", "Neut", "Sing", "Nom", "", "Berlin")],
}


def lookup(form: str) -> tuple[Analysis, ...]:
    return tuple(NOUNS.get(form, ()))


@pytest.mark.parametrize(
    ("form", "lemma", "gender", "number"),
    [
        ("Haustüren", "Haustür", "Fem", "Plur"),
        ("Arbeitshaus", "Arbeitshaus", "Neut", "Sing"),
        ("Schreibmaschine", "Schreibmaschine", "Fem", "Sing"),
        ("Beanstandung", "Beanstandung", "Fem", "Sing"),
        ("Beanstandungen", "Beanstandung", "Fem", "Plur"),
    ],
)
def test_the_last_part_decides(form: str, lemma: str, gender: str, number: str) -> None:
    analyses = compound_analyses(lookup, form)
    assert {(found.lemma, found.gender, found.number) for found in analyses} == {(lemma, gender, number)}


@pytest.mark.parametrize("form", ["Xyzhaus", "haustür", "HAUSTÜR", "Ostberlin", "Tür", "Sprung", ""])
def test_what_is_not_certain_stays_unknown(form: str) -> None:
    assert compound_analyses(lookup, form) == ()
