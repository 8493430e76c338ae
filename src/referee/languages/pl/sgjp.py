"""Analyses of Polish forms by the package `morfeusz2` (dictionary SGJP), in the values of UD_Polish-PDB."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from referee.languages.analyses import UNCLEAR, Analysis, distinct

_GENDERS = {
    "m1": ("Masc", "Hum"),
    "m2": ("Masc", "Nhum"),
    "m3": ("Masc", "Inan"),
    "f": ("Fem", ""),
    "n": ("Neut", ""),
}
_NUMBERS = {"sg": "Sing", "pl": "Plur"}
_CASES = {"nom": "Nom", "gen": "Gen", "dat": "Dat", "acc": "Acc", "inst": "Ins", "loc": "Loc", "voc": "Voc"}
_CLASSES = {
    "subst": "NOUN", "depr": "NOUN", "ger": "NOUN", "adj": "ADJ", "ppas": "ADJ", "pact": "ADJ", "adja": "ADJ",
    "adjp": "ADJ", "adjc": "ADJ", "ppron12": "PRON", "ppron3": "PRON", "siebie": "PRON", "num": "NUM", "numcomp": "NUM",
    "fin": "VERB", "praet": "VERB", "impt": "VERB", "imps": "VERB", "inf": "VERB", "pcon": "VERB", "pant": "VERB",
    "winien": "VERB", "bedzie": "AUX", "aglt": "AUX", "adv": "ADV", "prep": "ADP", "conj": "CCONJ", "comp": "SCONJ",
    "interj": "INTJ", "part": "PART",
}  # fmt: skip
_PRONOUNS = frozenset(
    ["kto", "co", "to", "wszystko", "nic", "nikt", "coś", "ktoś", "cokolwiek", "ktokolwiek", "cóż", "któż", "się"]
)
_DETERMINERS = frozenset(
    [
        "ten",
        "tamten",
        "ów",
        "taki",
        "który",
        "jaki",
        "czyj",
        "mój",
        "twój",
        "swój",
        "nasz",
        "wasz",
        "każdy",
        "żaden",
        "wszystek",
        "wszelki",
        "jakiś",
        "któryś",
        "czyjś",
        "tenże",
        "takiż",
        "niejaki",
        "jakikolwiek",
        "którykolwiek",
        "czyjkolwiek",
        "ile",
        "tyle",
        "wiele",
        "kilka",
        "parę",
        "kilkanaście",
        "kilkadziesiąt",
        "kilkaset",
        "niewiele",
        "mało",
        "dużo",
        "mnóstwo",
        "ileś",
        "kilkoro",
        "niektóry",
        "oba",
        "obydwa",
        "obydwoje",
        "oboje",
    ]
)
_NAMES = frozenset(("imię", "nazwisko", "nazwa_geograficzna", "nazwa_firmy", "nazwa_własna", "nazwa_organizacji"))
_RARE = ("daw.", "gwar.", "przest.", "arch.", "rzad.")
_MANY = frozenset(("być", "bywać", "zostać", "zostawać", "to", "więc"))
"""Words of several classes in PDB."""


class Morfeusz(Protocol):
    """What is needed of `morfeusz2.Morfeusz`."""

    def analyse(self, text: str) -> list[tuple[int, int, tuple[str, str, str, list[str], list[str]]]]:
        """Edges of the graph of segments."""

    def generate(self, lemma: str) -> list[tuple[str, str, str, list[str], list[str]]]:
        """Forms of a lemma."""


def analyses(morfeusz: Morfeusz, form: str) -> tuple[Analysis, ...]:
    """What a form may be; empty if the dictionary does not have it as one word."""
    common: list[Analysis] = []
    rare: list[Analysis] = []
    for start, end, (orth, lemma, tag, names, labels) in morfeusz.analyse(form):
        if (start, end) != (0, 1) or orth != form:
            continue
        (rare if _is_rare(tag, labels) else common).extend(_analysis(lemma, tag, names))
    return distinct(common or rare)


def word_forms(morfeusz: Morfeusz, lemma: str) -> list[tuple[str, Analysis]]:
    """All usual forms of a lemma, named as the dictionary names it (`oko:Sn_col`), with what they are."""
    return [
        (form, analysis)
        for form, name, tag, names, labels in morfeusz.generate(lemma)
        if name == lemma and not _is_rare(tag, labels)
        for analysis in _analysis(lemma, tag, names)
    ]


def _is_rare(tag: str, labels: list[str]) -> bool:
    return tag.startswith("depr") or any(label in _RARE for label in labels)


def _analysis(lemma: str, tag: str, names: list[str]) -> Iterator[Analysis]:
    kind, *values = tag.split(":")
    if kind not in _CLASSES and kind != "pred":
        return
    # Lemmas carry the number of the homonym and its class: 'oko:Sn_col', 'zamek:Sm3~1'.
    lemma = lemma.partition(":")[0].partition("~")[0] or lemma
    upos = _upos(kind, lemma, names)
    numbers = next((value for value in values if value in _NUMBERS), "")
    number = _NUMBERS.get(numbers, "")
    if "pt" in values and kind == "subst":
        number = "Ptan"
    cases = [_CASES[value] for part in values[:3] for value in part.split(".") if value in _CASES]
    genders = [_GENDERS[value] for part in values for value in part.split(".") if value in _GENDERS]
    if kind in ("prep", "adjp"):
        cases, genders = [UNCLEAR], []
    if kind in ("adja", "adjp", "adjc"):
        lemma = UNCLEAR
    if kind == "ppron12":
        # PDB gives I and you the gender of a person.
        genders = [_GENDERS["m1"], _GENDERS["f"]]
    for case in cases or [""]:
        for gender, animacy in genders or [("", "")]:
            yield Analysis(upos, gender, number, case, animacy, lemma)


def _upos(kind: str, lemma: str, names: list[str]) -> str:
    if kind == "subst":
        if lemma in _PRONOUNS:
            return "PRON"
        # A name is a name; a common noun with a capital may be part of one.
        return "PROPN" if names and all(name in _NAMES for name in names) else "NOUN"
    if lemma in _DETERMINERS and kind in ("adj", "num"):
        return "DET"
    if lemma in _MANY or kind in ("pred", "part"):
        return "PRON" if lemma == "się" else UNCLEAR
    return _CLASSES[kind]
