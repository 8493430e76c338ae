"""Genders of nouns from running text: articles and other words before a noun that agree with it, counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import regex

from referee.languages.analyses import UNCLEAR, Analysis
from referee.train.recipes.lexicon.counting import texts
from referee.train.recipes.lexicon.paradigms import Word

_PAIR = regex.compile(r"(?<![\p{L}\p{M}])([\p{L}\p{M}]+)([ '’])(?=([\p{Ll}\p{M}]{3,})(?![\p{L}\p{M}'’]))")
DETERMINERS = {
    "es": {
        ("Masc", "Sing"): "el un del al este ese aquel otro nuestro mismo mucho todo cuyo ningún algún buen primer",
        ("Fem", "Sing"): "la una esta esa aquella otra nuestra misma mucha toda cuya ninguna alguna buena primera",
        ("Masc", "Plur"): "los unos estos esos aquellos otros nuestros mismos muchos todos cuyos algunos buenos varios",
        ("Fem", "Plur"): "las unas estas esas aquellas otras nuestras mismas muchas todas cuyas algunas buenas varias",
    },
    "it": {
        (
            "Masc",
            "Sing",
        ): "il lo un uno del al nel sul dal dello allo nello sullo dallo questo quello mio tuo suo nostro"
        " vostro altro stesso",
        ("Fem", "Sing"): "la una della alla nella sulla dalla questa quella mia tua sua nostra vostra altra stessa",
        ("Masc", "Plur"): "i gli dei degli ai agli nei negli sui dai questi quei quegli miei tuoi suoi nostri altri",
        ("Fem", "Plur"): "le delle alle nelle sulle dalle queste quelle mie tue sue nostre altre",
    },
    "pt": {
        (
            "Masc",
            "Sing",
        ): "o um do ao no pelo este esse aquele deste desse neste nesse meu teu seu nosso outro mesmo todo",
        ("Fem", "Sing"): "a uma da à na pela esta essa aquela desta dessa nesta nessa minha tua sua nossa outra mesma",
        ("Masc", "Plur"): "os uns dos aos nos pelos estes esses aqueles meus teus seus nossos outros mesmos todos",
        ("Fem", "Plur"): "as umas das às nas pelas estas essas aquelas minhas tuas suas nossas outras mesmas todas",
    },
}
"""Words that agree with the noun after them."""
_ELIDED = {("it", "un"): ("Fem", "Sing")}
"""The same before an apostrophe; what is not here may be of either gender then."""
_FEMININE_WITH_EL = regex.compile(r"h?[aá]")
"""Spanish nouns that may be feminine after *el* and *un* (*el agua*)."""
_UNCHANGED = {"es": regex.compile(r"[sx]$"), "it": regex.compile(r"([^aeiou]|i|ie)$"), "pt": regex.compile(r"[sx]$")}
"""Nouns in the singular that are the same in the plural (*crisis*, *città*)."""
_LEAST, _SHARE = 3, 0.95
"""How often a noun must have been seen after such words, and how many of them must agree."""


def counted_words(text: Path, language: str) -> Iterator[Word]:
    """Nouns of a text whose gender and number the words before them tell."""
    for noun, counts in _counts(text, language).items():
        genders: Counter[str] = Counter()
        numbers: Counter[str] = Counter()
        for (gender, number), count in counts.items():
            genders[gender] += count
            numbers[number] += count
        total = sum(counts.values())
        gender, number = (_agreed(values, total) for values in (genders, numbers))
        if total >= _LEAST and gender:
            number = UNCLEAR if not number or (number == "Sing" and _UNCHANGED[language].search(noun)) else number
            yield Word(UNCLEAR, tuple(_forms(noun, Analysis("NOUN", gender, number), language)))


def _forms(noun: str, tag: Analysis, language: str) -> Iterator[tuple[str, Analysis]]:
    """The noun, and its plural where that is regular."""
    yield noun, tag
    if tag.number == "Sing" and (plural := _plural(noun, tag.gender, language)):
        yield plural, tag._replace(number="Plur")


def _plural(noun: str, gender: str, language: str) -> str:
    changes: tuple[tuple[str, str], ...] = ()
    if language == "it" and not noun.endswith(("io", "co", "go", "ie", "cia", "gia")):
        feminine = (("ca", "che"), ("ga", "ghe"), ("a", "e"), ("e", "i"))
        changes = feminine if gender == "Fem" else (("o", "i"), ("e", "i"))
    elif language == "es":
        changes = (("ión", "iones"), ("z", "ces"), *((vowel, vowel + "s") for vowel in "aeo"))
        changes = (*changes, *((end, end + "es") for end in ("or", "al", "ar", "er", "el", "dad", "tud")))
    return next((noun[: len(noun) - len(end)] + other for end, other in changes if noun.endswith(end)), "")


def _agreed(values: Counter[str], total: int) -> str:
    value, count = values.most_common(1)[0]
    return value if count >= _SHARE * total else ""


def _counts(text: Path, language: str) -> dict[str, Counter[tuple[str, str]]]:
    values = {word: key for key, words in DETERMINERS[language].items() for word in words.split()}
    counts: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for line in texts(text, language):
        for match in _PAIR.finditer(line):
            word, mark, noun = match.group(1, 2, 3)
            key = values.get(word.lower()) if mark == " " else _ELIDED.get((language, word.lower()))
            if key and not (language == "es" and key == ("Masc", "Sing") and _FEMININE_WITH_EL.match(noun)):
                counts[noun][key] += 1
    return counts
