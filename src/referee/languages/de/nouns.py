"""Gender and forms of German nouns, from the list of the package `german-nouns`."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from referee.errors import InputError, MissingError
from referee.languages.de.grammar import CASES, GENDERS, Case, Gender

_COLUMNS: dict[Case, str] = {
    "nom": "nominativ singular",
    "acc": "akkusativ singular",
    "dat": "dativ singular",
    "gen": "genitiv singular",
}
# The list gives an older form in -e beside the usual one, and numbers where several are as good.
_VARIANTS = ("", " 1", "*", " 2", " 3", " 4")
_NAMES = ("Vorname", "Nachname", "Eigenname", "Toponym", "Abkürzung")


@dataclass(frozen=True)
class Noun:
    """A noun in the singular; `forms` by case, the usual one first."""

    lemma: str
    gender: Gender
    forms: dict[Case, tuple[str, ...]]

    def form(self, case: Case) -> str | None:
        """The usual form in a case."""
        return self.forms[case][0] if self.forms[case] else None


@dataclass(frozen=True)
class Nouns:
    """Nouns by their lemma and by any form of theirs in the singular."""

    by_lemma: dict[str, list[Noun]]
    by_form: dict[str, list[Noun]]

    def with_form(self, form: str, gender: Gender) -> list[Noun]:
        """The nouns of a gender that a word may be a form of, those that are called so first."""
        nouns = [noun for noun in self.by_form.get(form, []) if noun.gender == gender]
        return sorted(nouns, key=lambda noun: noun.lemma != form)

    def only(self, lemma: str) -> Noun | None:
        """The noun of that name if it has one gender; 'See' and 'Band' are two nouns each."""
        nouns = self.by_lemma.get(lemma, [])
        return nouns[0] if len({noun.gender for noun in nouns}) == 1 else None


@cache
def installed_nouns() -> Nouns:
    """The list of the installed package, or the command that installs it."""
    spec = find_spec("german_nouns")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        # Its dependencies serve the making of the list only, and want a very old lxml.
        remedy = "install it with `pip install --no-deps german-nouns`"
        raise MissingError("the genders of German nouns need the package german-nouns", remedy)
    return read_nouns(Path(folders[0]) / "nouns.csv")


def read_nouns(path: Path) -> Nouns:
    """Nouns from a table with the columns of `german-nouns`; names, plurals and what has no gender are left out."""
    by_lemma: dict[str, list[Noun]] = defaultdict(list)
    by_form: dict[str, list[Noun]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        columns = {name: index for index, name in enumerate(header)}
        try:
            lemma_at, kind_at, gender_at = columns["lemma"], columns["pos"], columns["genus"]
            others = [columns[f"genus {number}"] for number in range(1, 5)]
            forms_at = {
                case: [columns[name + variant] for variant in _VARIANTS if name + variant in columns]
                for case, name in _COLUMNS.items()
            }
        except KeyError as error:
            raise InputError(f"has no column {error}", "install version 1.2 of german-nouns", path, 1) from None
        for row in rows:
            genders = [row[column] for column in (gender_at, *others) if row[column] in GENDERS]
            if not genders or any(name in row[kind_at] for name in _NAMES):
                continue
            forms = {case: tuple(row[column] for column in at if row[column]) for case, at in forms_at.items()}
            for gender in GENDERS:
                if gender in genders and forms["nom"]:
                    noun = Noun(row[lemma_at], gender, forms)
                    by_lemma[noun.lemma].append(noun)
                    for form in {form for case in CASES for form in forms[case]}:
                        by_form[form].append(noun)
    return Nouns(dict(by_lemma), dict(by_form))
