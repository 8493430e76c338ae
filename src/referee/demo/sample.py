"""A small challenge set of our own: twins whose one different word decides what "it" refers to.

German needs the gender of the right noun for its pronoun, and in each pair of sentences the two nouns differ in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.items import Candidate, Item, Span


@dataclass(frozen=True)
class Noun:
    """A noun with its German form and gender."""

    english: str
    german: str
    gender: str


@dataclass(frozen=True)
class Template:
    """A sentence about two nouns, and two ways to go on: with the first the first noun is meant, else the second."""

    name: str
    english: str
    german: str
    cases: tuple[str, str]
    english_words: tuple[str, str]
    german_words: tuple[str, str]


ARTICLES = {
    "nominative": {"m": "der", "f": "die", "n": "das"},
    "accusative": {"m": "den", "f": "die", "n": "das"},
    "dative": {"m": "dem", "f": "der", "n": "dem"},
}
PRONOUNS = {"m": "er", "f": "sie", "n": "es"}

THINGS = (
    Noun("ball", "Ball", "m"),
    Noun("lamp", "Lampe", "f"),
    Noun("book", "Buch", "n"),
    Noun("hat", "Hut", "m"),
    Noun("vase", "Vase", "f"),
    Noun("radio", "Radio", "n"),
)
PLACES = (
    Noun("basket", "Korb", "m"),
    Noun("bag", "Tasche", "f"),
    Noun("barrel", "Fass", "n"),
)
TEMPLATES = (
    Template(
        "fit",
        "The {a} does not fit into the {b} because it is too {word}.",
        "{a} passt nicht in {b}, weil {pronoun} zu {word} ist.",
        ("nominative", "accusative"),
        ("large", "small"),
        ("groß", "klein"),
    ),
    Template(
        "hide",
        "You cannot see the {a} behind the {b} because it is too {word}.",
        "Man sieht {a} hinter {b} nicht, weil {pronoun} zu {word} ist.",
        ("accusative", "dative"),
        ("low", "high"),
        ("niedrig", "hoch"),
    ),
)


def sample() -> Iterator[Item]:
    """The items, twin after twin."""
    for template in TEMPLATES:
        for thing in THINGS:
            for place in PLACES:
                if thing.gender != place.gender:
                    yield from _twins(template, thing, place)


def _twins(template: Template, thing: Noun, place: Noun) -> Iterator[Item]:
    group = f"{template.name}-{thing.english}-{place.english}"
    for number, noun in enumerate((thing, place)):
        word = template.english_words[number]
        source = template.english.format(a=thing.english, b=place.english, word=word)
        yield Item(
            id=f"{group}-{number + 1}",
            group=group,
            label=template.name,
            task="translate",
            source_lang="en",
            target_lang="de",
            source=source,
            candidates=tuple(
                Candidate(
                    _german(template, thing, place, pronoun, template.german_words[number]),
                    {"pronoun": pronoun, "gender": gender, "position": _position(gender, thing, place)},
                )
                for gender, pronoun in PRONOUNS.items()
            ),
            gold=list(PRONOUNS).index(noun.gender),
            expected=(PRONOUNS[noun.gender],),
            features={"position": "first" if number == 0 else "second"},
            spans=(
                _span("pronoun", "it", source),
                _span("antecedent", noun.english, source),
                _span("trigger", word, source),
            ),
        )


def _german(template: Template, thing: Noun, place: Noun, pronoun: str, word: str) -> str:
    phrases = [
        f"{ARTICLES[case][noun.gender]} {noun.german}"
        for case, noun in zip(template.cases, (thing, place), strict=True)
    ]
    text = template.german.format(a=phrases[0], b=phrases[1], pronoun=pronoun, word=word)
    return text[0].upper() + text[1:]


def _position(gender: str, thing: Noun, place: Noun) -> str:
    return "first" if gender == thing.gender else "second" if gender == place.gender else "neither"


def _span(role: str, word: str, source: str) -> Span:
    start = source.index(f" {word}") + 1
    return Span(role, "source", start, start + len(word))
