"""Polish forms by morfeusz2."""

from __future__ import annotations

import pytest

from referee.languages.analyses import Analysis, agreed
from referee.languages.pl.sgjp import analyses, word_forms

morfeusz2 = pytest.importorskip("morfeusz2", reason="morfeusz2 is not installed")


@pytest.fixture(scope="module")
def morfeusz() -> object:
    return morfeusz2.Morfeusz(expand_tags=True)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("kobietami", Analysis("NOUN", "Fem", "Plur", "Ins", "", "kobieta")),
        ("domu", Analysis("NOUN", "Masc", "Sing", "*", "Inan", "dom")),
        ("drzwi", Analysis("NOUN", "Neut", "Ptan", "*", "", "drzwi")),
        ("który", Analysis("DET", "Masc", "Sing", "*", "*", "który")),
        ("zrobiła", Analysis("VERB", "Fem", "Sing", "", "", "zrobić")),
        ("się", Analysis("PRON", "", "", "", "", "się")),
        ("Krakowem", Analysis("PROPN", "Masc", "Sing", "Ins", "Inan", "Kraków")),
    ],
)
def test_columns_on_which_all_analyses_agree(morfeusz: object, form: str, expected: Analysis) -> None:
    assert agreed(analyses(morfeusz, form)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["zrobiłem", "xqzy", "12"])
def test_two_words_in_one_and_unknown_words_have_none(morfeusz: object, form: str) -> None:
    assert analyses(morfeusz, form) == ()  # type: ignore[arg-type]


def test_a_lemma_has_all_its_forms_but_no_derogatory_ones(morfeusz: object) -> None:
    forms = word_forms(morfeusz, "człowiek")  # type: ignore[arg-type]
    assert ("ludźmi", Analysis("NOUN", "Masc", "Plur", "Ins", "Hum", "człowiek")) in forms
    assert {analysis.animacy for _, analysis in forms} == {"Hum"}
