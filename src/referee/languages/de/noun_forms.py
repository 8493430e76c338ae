"""Analyses of German nouns and names by the table of the package `german-nouns`, in the values of UD_German-GSD."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from referee.errors import InputError
from referee.languages.analyses import UNCLEAR, Analysis, distinct

_GENDERS = {"m": "Masc", "f": "Fem", "n": "Neut"}
_CASES = {"nominativ": "Nom", "genitiv": "Gen", "dativ": "Dat", "akkusativ": "Acc"}
_NUMBERS = {"singular": "Sing", "plural": "Plur"}
_NAMES = ("Vorname", "Nachname", "Eigenname", "Toponym", "Straßenname")
"""`Eigenname` alone is a thing that exists once (*Sonne*), and a noun in GSD."""
_SKIPPED = ("Affix", "Gebundenes", "Buchstabe", "Wortverbindung", "Redewendung", "Grußformel")


def read_noun_forms(path: Path) -> dict[str, tuple[Analysis, ...]]:
    """Analyses of every form of the table's nouns."""
    forms: dict[str, list[Analysis]] = defaultdict(list)
    for noun in read_nouns(path):
        for form, analysis in noun:
            forms[form].append(analysis)
    return {form: distinct(analyses) for form, analyses in forms.items()}


def read_nouns(path: Path) -> Iterator[list[tuple[str, Analysis]]]:
    """The forms of each noun with what they are; affixes, letters and phrases are left out."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        columns = {name: index for index, name in enumerate(next(rows, []))}
        if not {"lemma", "pos", "genus", "genus 1", "nominativ singular"} <= set(columns):
            raise InputError("lacks columns", "install version 1.2 of german-nouns", path, 1)
        cells = [
            (columns[name], _CASES[parts[0]], _NUMBERS[parts[1].rstrip("*")], parts[2] if len(parts) > 2 else "")
            for name in columns
            if len(parts := name.split(" ")) > 1 and parts[0] in _CASES
        ]
        for row in rows:
            kinds = row[columns["pos"]]
            if any(skipped in kinds for skipped in _SKIPPED):
                continue
            upos = "PROPN" if any(name in kinds for name in _NAMES) and kinds != "Eigenname,Substantiv" else "NOUN"
            genders = {
                number: _GENDERS[value]
                for number in ("", "1", "2", "3", "4")
                if (value := row[columns[f"genus {number}".rstrip()]]) in _GENDERS
            }
            noun = [
                (row[column], Analysis(upos, gender, number, case, "", row[columns["lemma"]]))
                for column, case, number, variant in cells
                if row[column] and row[column].isalpha()
                for gender in _cell_genders(genders, variant)
            ]
            if noun:
                yield noun


def _cell_genders(genders: dict[str, str], variant: str) -> list[str]:
    """The gender of a cell: that of its number, or of the row; all of them if the cell has no number."""
    if variant in genders:
        return [genders[variant]]
    return list(dict.fromkeys(genders.values())) or [UNCLEAR]
