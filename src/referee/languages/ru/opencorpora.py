"""Analyses of Russian forms by the package `pymorphy3` (dictionary OpenCorpora), in the values of UD_Russian-GSD."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from referee.languages.analyses import UNCLEAR, Analysis, distinct

_GENDERS = {"masc": "Masc", "femn": "Fem", "neut": "Neut"}
_NUMBERS = {"sing": "Sing", "plur": "Plur"}
_ANIMACIES = {"anim": "Anim", "inan": "Inan"}
_CASES = {
    "nomn": "Nom", "gent": "Gen", "datv": "Dat", "accs": "Acc", "ablt": "Ins", "loct": "Loc", "gen1": "Gen",
    "gen2": "Gen", "acc2": "Acc", "loc1": "Loc", "loc2": "Loc", "voct": "Voc",
}  # fmt: skip
_CLASSES = {
    "NOUN": "NOUN", "ADJF": "ADJ", "ADJS": "ADJ", "VERB": "VERB", "INFN": "VERB", "PRTF": "VERB", "PRTS": "VERB",
    "GRND": "VERB", "NUMR": "NUM", "ADVB": "ADV", "NPRO": "PRON", "PREP": "ADP", "PRCL": "PART", "INTJ": "INTJ",
}  # fmt: skip
_NAMES = frozenset(("Name", "Surn", "Patr", "Geox", "Orgn", "Trad"))
_AUXILIARY = frozenset(("быть", "бы"))
_ADJECTIVES = frozenset(("другой", "сам", "самый"))
"""Pronominal adjectives of OpenCorpora that are plain adjectives in GSD."""
_LEMMAS = {"должный": "должен"}
"""Lemmas of GSD that are others."""
_RELATIVE = frozenset(("который",))
_MANY = frozenset(("тот", "весь", "один"))
"""Words of several classes, which OpenCorpora and GSD draw in other places."""


class Tag(Protocol):
    """What is needed of a tag of `pymorphy3`."""

    @property
    def POS(self) -> str | None:  # noqa: N802, the package's name
        """The word class."""

    @property
    def grammemes(self) -> frozenset[str]:
        """All that the tag says."""


class Parse(Protocol):
    """What is needed of a parse of `pymorphy3`."""

    @property
    def tag(self) -> Tag:
        """What the form is."""

    @property
    def normal_form(self) -> str:
        """The lemma."""


class Morphology(Protocol):
    """What is needed of `pymorphy3.MorphAnalyzer`."""

    def word_is_known(self, word: str) -> bool:
        """Whether the dictionary has the word."""

    def parse(self, word: str) -> Sequence[Parse]:
        """What the word may be."""


def analyses(morphology: Morphology, form: str) -> tuple[Analysis, ...]:
    """What a form may be; empty if the dictionary does not have it."""
    if not morphology.word_is_known(form.lower()):
        return ()
    return distinct(analysis for parse in morphology.parse(form) for analysis in form_analyses(form, parse))


def is_name(tag: Tag) -> bool:
    """Whether a word is a name, and has a capital."""
    return not _NAMES.isdisjoint(tag.grammemes)


def form_analyses(form: str, parse: Parse) -> Iterator[Analysis]:
    """What one parse says of a form; nothing for abbreviations, and for names without a capital."""
    grammemes = parse.tag.grammemes
    kind = str(parse.tag.POS)
    # Surnames and short first names make half of the common words ambiguous.
    unnamed = is_name(parse.tag) and form == form.lower()
    if kind not in _CLASSES or unnamed or "Abbr" in grammemes or "Init" in grammemes:
        if kind in ("CONJ", "COMP", "PRED"):
            yield Analysis(*[UNCLEAR] * len(Analysis._fields))
        return
    upos = _upos(kind, parse)
    gender = next((value for key, value in _GENDERS.items() if key in grammemes), "")
    number = next((value for key, value in _NUMBERS.items() if key in grammemes), "")
    case = next((value for key, value in _CASES.items() if key in grammemes), "")
    animacy = next((value for key, value in _ANIMACIES.items() if key in grammemes), "")
    if "Fixd" in grammemes and kind == "ADJF":
        gender = number = case = animacy = ""
    if kind == "NOUN":
        gender = gender if not {"ms-f", "GNdr", "Ms-f"} & grammemes and gender else UNCLEAR
    elif kind == "NPRO":
        gender, animacy = gender or UNCLEAR, UNCLEAR
        number = "" if parse.normal_form == "себя" else number
    elif kind == "PRTS":
        case = animacy = UNCLEAR
    elif "Apro" in grammemes and kind == "ADJF":
        animacy = UNCLEAR
    elif kind in ("PRTF", "NUMR"):
        gender, number, animacy = gender if kind == "PRTF" else UNCLEAR, number or UNCLEAR, UNCLEAR
    elif kind == "ADVB" or kind == "PRCL":
        gender = number = case = animacy = ""
    elif kind in ("VERB", "INFN", "GRND", "ADJS"):
        case = animacy = ""
    yield Analysis(upos, gender, number, case, animacy, _lemma(form, parse.normal_form, upos))


def _upos(kind: str, parse: Parse) -> str:
    if kind == "NOUN":
        return "PROPN" if is_name(parse.tag) else "NOUN"
    lemma = parse.normal_form
    if lemma in _AUXILIARY or lemma in _MANY:
        return UNCLEAR
    if lemma in _ADJECTIVES or lemma in _RELATIVE:
        return "ADJ" if lemma in _ADJECTIVES else "PRON"
    if "Apro" in parse.tag.grammemes and kind != "NPRO":
        return "DET" if kind == "ADJF" else UNCLEAR
    return _CLASSES[kind]


def _lemma(form: str, lemma: str, upos: str) -> str:
    """The lemma as treebanks write it: without ё, names with a capital, prepositions as they stand (во, со, об)."""
    if upos == "ADP":
        return form.lower()
    if lemma in _MANY:
        return UNCLEAR
    lemma = _LEMMAS.get(lemma, lemma)
    lemma = lemma.replace("ё", "е")
    return lemma.capitalize() if upos == "PROPN" else lemma
