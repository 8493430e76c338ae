from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from referee.errors import InputError, MissingError
from referee.languages.de import nouns as module
from referee.languages.de.nouns import installed_nouns, read_nouns
from tests.support.nouns_table import write_nouns


def test_forms_lead_to_nouns(tmp_path: Path) -> None:
    nouns = read_nouns(write_nouns(tmp_path / "nouns.csv"))
    assert [noun.lemma for noun in nouns.with_form("Bären", "m")] == ["Bär"]
    assert nouns.with_form("Bären", "f") == []
    (bear,) = nouns.with_form("Bär", "m")
    assert [bear.form(case) for case in ("nom", "acc", "dat", "gen")] == ["Bär", "Bären", "Bären", "Bären"]


def test_nouns_of_two_genders_and_names_are_not_certain(tmp_path: Path) -> None:
    nouns = read_nouns(write_nouns(tmp_path / "nouns.csv"))
    assert nouns.only("See") is None
    assert nouns.only("Rose") is None
    assert nouns.only("Nichts") is None
    tasse = nouns.only("Tasse")
    assert tasse is not None
    assert tasse.gender == "f"


def test_another_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "nouns.csv").write_text("lemma,pos\n")
    with pytest.raises(InputError, match=r"nouns\.csv:1: has no column 'genus'"):
        read_nouns(tmp_path / "nouns.csv")


def test_without_the_package_the_user_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    installed_nouns.cache_clear()
    with pytest.raises(MissingError, match="pip install --no-deps german-nouns"):
        installed_nouns()
    installed_nouns.cache_clear()


@pytest.mark.skipif(find_spec("german_nouns") is None, reason="german-nouns is not installed")
def test_the_installed_list_knows_curtains() -> None:
    nouns = installed_nouns()
    found = {lemma: nouns.only(lemma) for lemma in ("Vorhang", "Gardine", "See")}
    assert {lemma: noun and noun.gender for lemma, noun in found.items()} == {
        "Vorhang": "m",
        "Gardine": "f",
        "See": None,
    }
