"""Forms of German nouns from a table in the form of german-nouns."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import InputError
from referee.languages.analyses import Analysis
from referee.languages.de.noun_forms import read_noun_forms

HEADER = "lemma,pos,genus,genus 1,genus 2,genus 3,genus 4,nominativ singular,nominativ singular 1,nominativ singular 2"
TABLE = f"""{HEADER},genitiv singular,genitiv singular*,nominativ plural,nominativ plural 1,nominativ plural 2
Tisch,Substantiv,m,,,,,Tisch,,,Tisches,Tischs,Tische,,
Band,Substantiv,,n,m,,,,Band,Band,,,,Bänder,Bände
Anna,"Substantiv,Vorname",f,,,,,Anna,,,Annas,,Annas,,
Mond,"Eigenname,Substantiv",m,,,,,Mond,,,Mondes,,,,
Leute,Substantiv,,,,,,,,,,,Leute,,
-heit,"Affix,Substantiv",f,,,,,-heit,,,-heit,,,,
Rote Rübe,"Substantiv,Wortverbindung",f,,,,,Rote Rübe,,,,,,,
"""


def test_forms_have_gender_number_and_case(tmp_path: Path) -> None:
    path = tmp_path / "nouns.csv"
    path.write_text(TABLE)
    forms = read_noun_forms(path)
    assert forms["Tischs"] == (Analysis("NOUN", "Masc", "Sing", "Gen", "", "Tisch"),)
    assert forms["Band"] == tuple(Analysis("NOUN", gender, "Sing", "Nom", "", "Band") for gender in ("Neut", "Masc"))
    assert [found.gender for found in forms["Bänder"]] == ["Neut"]
    assert [found.gender for found in forms["Bände"]] == ["Masc"]
    assert {found.upos for found in forms["Annas"]} == {"PROPN"}
    assert {found.upos for found in forms["Mond"]} == {"NOUN"}
    assert [found.gender for found in forms["Leute"]] == ["*"]
    assert set(forms) == {
        "Tisch",
        "Tisches",
        "Tischs",
        "Tische",
        "Band",
        "Bänder",
        "Bände",
        "Anna",
        "Annas",
        "Mond",
        "Mondes",
        "Leute",
    }


def test_another_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nouns.csv"
    path.write_text("lemma,pos\nTisch,Substantiv\n")
    with pytest.raises(InputError, match="lacks columns"):
        read_noun_forms(path)
