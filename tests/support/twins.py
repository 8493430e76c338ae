"""Twins for tests: two sentences that differ in one word, which decides what "it" refers to."""

from __future__ import annotations

from collections.abc import Iterator

from referee.items import Candidate, Item

PRONOUNS = {"m": "er", "f": "sie", "n": "es"}
THINGS = {"ball": ("Der Ball", "m"), "lamp": ("Die Lampe", "f"), "book": ("Das Buch", "n")}
PLACES = {"basket": ("den Korb", "m"), "bag": ("die Tasche", "f"), "barrel": ("das Fass", "n")}
WORDS = (("large", "groß"), ("small", "klein"))


def twins() -> Iterator[Item]:
    """Twelve items in six pairs; in the first of each the first noun is right, in the second the second."""
    for thing, (german, gender) in THINGS.items():
        for container, (inside, other) in PLACES.items():
            if gender == other:
                continue
            for number, (right, (word, translated)) in enumerate(zip((gender, other), WORDS, strict=True), 1):
                yield Item(
                    id=f"{thing}-{container}-{number}",
                    group=f"{thing}-{container}",
                    label="fit",
                    task="translate",
                    source_lang="en",
                    target_lang="de",
                    source=f"The {thing} does not fit into the {container} because it is too {word}.",
                    candidates=tuple(
                        Candidate(
                            f"{german} passt nicht in {inside}, weil {pronoun} zu {translated} ist.",
                            {"gender": candidate_gender},
                        )
                        for candidate_gender, pronoun in PRONOUNS.items()
                    ),
                    gold=list(PRONOUNS).index(right),
                    expected=(PRONOUNS[right],),
                )


def of_first_noun(item: Item) -> str:
    """The translation in which "it" is the noun that comes first."""
    gender = THINGS[item.id.partition("-")[0]][1]
    return next(candidate.text for candidate in item.candidates if candidate.features["gender"] == gender)
