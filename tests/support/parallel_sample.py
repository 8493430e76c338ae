"""Sentence pairs of our own: some with links made by hand, and as many more as wanted."""

from __future__ import annotations

import random

GERMAN = [
    ("It is big .", "Es ist groß .", "0-0 1-1 2-2 3-3"),
    ("I see it .", "Ich sehe ihn .", "0-0 1-1 2-2 3-3"),  # another word
    ("The cup fell and it broke .", "Die Tasse fiel , und sie brach .", "4-5 5-6"),
    ("He took it .", "Er nahm es .", "0-0 1-1 2-2"),
    ("It is late , I said it .", "Es ist spät , sagte ich .", "0-0"),  # two, one not aligned
    ("Is it this or that ?", "Ist er oder sie das ?", "1-1 1-3"),  # two genders
    ("You said it .", "Das sagten Sie .", "2-2"),  # polite, so another word
    ("The IT people left .", "Er ging .", "1-0"),  # no pronoun
    ("Its tail .", "Sein Schwanz .", "0-0"),
    ("Because it 's red .", "Weil er rot ist .", "1-1"),
    ("It rains , though .", "Doch , es regnet .", "0-1"),  # a comma translates nothing
    ("", "", ""),
]

NOUNS = [("cup", "Tasse", "sie"), ("table", "Tisch", "er"), ("book", "Buch", "es"), ("house", "Haus", "es")]
PLACES = [("here", "hier"), ("there", "dort"), ("outside", "draußen"), ("inside", "drinnen")]
VERBS = [("see", "sehe"), ("buy", "kaufe"), ("take", "nehme"), ("want", "will")]
LOOKS = [("big", "groß"), ("small", "klein"), ("red", "rot"), ("old", "alt")]


def sentences(count: int) -> list[tuple[str, str]]:
    """Sentences in which `it` is sie, er or es by the noun before."""
    draw = random.Random(0)
    pairs = []
    for _ in range(count):
        noun, wort, pronoun = draw.choice(NOUNS)
        (place, ort), (verb, tun), (look, art) = draw.choice(PLACES), draw.choice(VERBS), draw.choice(LOOKS)
        pairs.append(
            draw.choice(
                [
                    (f"I {verb} the {noun} because it is {look}.", f"Ich {tun} {wort}, weil {pronoun} {art} ist."),
                    (f"The {noun} is {place}; it is {look}.", f"{wort} ist {ort}; {pronoun} ist {art}."),
                    (f"He is {look} and I {verb} him {place}.", f"Er ist {art} und ich {tun} ihn {ort}."),
                ]
            )
        )
    return pairs
