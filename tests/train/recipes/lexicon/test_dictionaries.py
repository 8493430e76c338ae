"""Words with all their forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.languages.analyses import Analysis
from referee.train.recipes.lexicon.dictionaries import (
    french_words,
    german_words,
    polish_words,
    portuguese_words,
    russian_words,
)
from tests.languages.de.test_noun_forms import TABLE
from tests.train.recipes.lexicon.test_romance import FRENCH, PORTUGUESE


def test_german_nouns_are_ordered_by_frequency(tmp_path: Path) -> None:
    path = tmp_path / "nouns.csv"
    path.write_text(TABLE)
    words = german_words(path, {"Bänder": 2.0, "Tischs": 1.0})
    assert [word.lemma for word in words][:2] == ["Band", "Tisch"]
    assert ("Bänder", Analysis("NOUN", "Neut", "Plur", "Nom")) in words[0].forms


def test_polish_words_have_forms_that_the_text_lacks() -> None:
    morfeusz2 = pytest.importorskip("morfeusz2", reason="morfeusz2 is not installed")
    words = polish_words(morfeusz2.Morfeusz(expand_tags=True), {"kobietami": 2.0, "zamek": 1.0, "qqq": 5.0})
    assert words[0].lemma == "kobieta"
    assert ("kobiety", Analysis("NOUN", "Fem", "Sing", "Gen")) in words[0].forms
    assert {word.lemma for word in words[1:]} >= {"zamek"}


def test_russian_words_are_without_the_letter_that_texts_leave_out() -> None:
    pymorphy3 = pytest.importorskip("pymorphy3", reason="pymorphy3 is not installed")
    words = russian_words(pymorphy3.MorphAnalyzer(lang="ru"), {"елками": 2.0, "Анна": 1.0})
    assert words[0].lemma == "елка"
    assert ("елку", Analysis("NOUN", "Fem", "Sing", "Acc", "Inan")) in words[0].forms
    assert ("Анной", Analysis("PROPN", "Fem", "Sing", "Ins", "Anim")) in words[1].forms


def test_french_feminine_nouns_have_their_own_lemma(tmp_path: Path) -> None:
    path = tmp_path / "fr.dic"
    path.write_text("3\nacteur/F.() po:nom\ntasse/S.() po:nom is:fem\nici po:adv\n")
    path.with_suffix(".aff").write_text(
        FRENCH + "SFX F. Y 2\nSFX F. 0 0 eur is:mas is:sg\nSFX F. eur rice eur is:fem is:sg\n"
    )
    words = {word.lemma: [form for form, _ in word.forms] for word in french_words(path)}
    assert words == {"acteur": ["acteur"], "actrice": ["actrice"], "tasse": ["tasse", "tasses"]}


def test_portuguese_nouns_leave_the_lemma_open(tmp_path: Path) -> None:
    path = tmp_path / "pt.dic"
    path.write_text("1\ngato/p\t[CAT=nc,G=m,N=s]\n")
    path.with_suffix(".aff").write_text(PORTUGUESE)
    [word] = portuguese_words(path)
    assert word.lemma == "*"
    assert [form for form, _ in word.forms] == ["gato", "gatos"]
