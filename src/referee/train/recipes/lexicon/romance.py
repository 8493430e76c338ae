"""Analyses from the dictionaries of French and Portuguese, in the values of UD_French-GSD and UD_Portuguese-Bosque."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from referee.languages.analyses import UNCLEAR, Analysis, distinct
from referee.train.recipes.lexicon.hunspell import Form, read_forms

_NUMBERS = {"sg": ("Sing",), "pl": ("Plur",), "inv": ("Sing", "Plur")}
_GENDERS = {"mas": ("Masc",), "fem": ("Fem",), "epi": ("Masc", "Fem")}
_FRENCH = {"nom": "NOUN", "adj": "ADJ", "npr": "PROPN", "prn": "PROPN", "patr": "PROPN", "adv": "ADV", "interj": "INTJ"}
_FINITE = frozenset(["ipre", "spre", "iimp", "ipsi", "ifut", "cond", "simp", "impe"])
_PORTUGUESE = {"nc": ("NOUN",), "adj": ("ADJ",), "a_nc": ("ADJ", "NOUN"), "np": ("PROPN",), "adv": ("ADV",)}


def french(dictionary: Path) -> dict[str, tuple[Analysis, ...]]:
    """Analyses by form, from the dictionary of Dicollecte (`po:` word class, `is:` gender and number)."""
    forms: dict[str, list[Analysis]] = defaultdict(list)
    for form in read_forms(dictionary):
        if form.form.isalpha():
            forms[form.form].extend(_french(form))
    return {form: distinct(analyses) for form, analyses in forms.items() if analyses}


def _french(form: Form) -> Iterator[Analysis]:
    fields = (*form.entry, *form.rule)
    classes = [field.removeprefix("po:").rstrip("!") for field in fields if field.startswith("po:")]
    values = [field.removeprefix("is:") for field in fields if field.startswith("is:")]
    genders = next((_GENDERS[value] for value in values if value in _GENDERS), ("",))
    numbers = next((_NUMBERS[value] for value in values if value in _NUMBERS), ("",))
    verb = any(re.match(r"v[0-3]", name) for name in classes)
    if verb:
        yield from _french_verb(form, classes, genders, numbers)
        return
    names = [_FRENCH.get(name, UNCLEAR) for name in classes]
    for upos in dict.fromkeys(names):
        for number in numbers:
            for gender in genders:
                known = upos not in (UNCLEAR, "PROPN")
                yield Analysis(
                    upos, gender if known else UNCLEAR, number if known else UNCLEAR, "", "", _lemma(form, upos)
                )


def _lemma(form: Form, upos: str) -> str:
    return UNCLEAR if upos == UNCLEAR else form.stem


def _french_verb(
    form: Form, classes: list[str], genders: tuple[str, ...], numbers: tuple[str, ...]
) -> Iterator[Analysis]:
    upos = UNCLEAR if form.stem in ("être", "avoir", "faire") else "VERB"
    if "ppas" in classes:
        for number in numbers:
            for gender in genders:
                # A participle is a verb or an adjective (lemma: itself in the masculine).
                yield Analysis(UNCLEAR, gender, number, "", "", UNCLEAR)
        return
    counts = {"Sing" if name[1:3] == "sg" else "Plur" for name in classes if name[1:3] in ("sg", "pl")}
    for number in sorted(counts) if _FINITE & set(classes) else [""]:
        yield Analysis(upos, "", number, "", "", form.stem)


def portuguese(dictionary: Path) -> dict[str, tuple[Analysis, ...]]:
    """Analyses by form, from the dictionary of Natura (`[CAT=nc,G=m,N=s]`, changed by rules: `+N=p`)."""
    forms: dict[str, list[Analysis]] = defaultdict(list)
    for form in read_forms(dictionary):
        if form.form.isalpha():
            forms[form.form].extend(_portuguese(form))
    return {form: distinct(analyses) for form, analyses in forms.items() if analyses}


def _portuguese(form: Form) -> Iterator[Analysis]:
    for tag in form.entry:
        stem, values = form.stem, {}
        for pair in re.sub(r"^\[(\$([^$]*)\$)?|\]$", "", tag).split(","):
            key, _, value = pair.partition("=")
            values[key] = value
        other = re.match(r"\[\$([^$]*)\$", tag)
        stem = other[1] if other else stem
        for field in form.rule:
            for pair in field.lstrip("+").split(","):
                key, _, value = pair.partition("=")
                values[key] = value
        genders = {"m": ("Masc",), "f": ("Fem",), "_": ("Masc", "Fem")}.get(values.get("G", ""), (UNCLEAR,))
        numbers = {"s": ("Sing",), "p": ("Plur",), "_": ("Sing", "Plur")}.get(values.get("N", ""), (UNCLEAR,))
        kind = values.get("CAT", "")
        for upos in _PORTUGUESE.get(kind, (UNCLEAR,)):
            inflected = upos in ("NOUN", "ADJ")
            for gender in genders if inflected else (UNCLEAR,):
                for number in numbers if inflected else (UNCLEAR,):
                    if upos == "ADV":
                        gender = number = ""
                    yield Analysis(upos, gender, number, "", "", stem if inflected or upos == "ADV" else UNCLEAR)
