"""What a noun or name can stand for: its class in WordNet, its gender if it is a person's name or a gendered noun."""

from __future__ import annotations

from typing import NamedTuple

from referee.languages.en.animacy import name_kinds, noun_classes

CLASSES = (
    "", "person", "animal", "group", "artifact", "location", "act", "time", "communication", "state", "cognition",
    "attribute", "substance", "food", "event", "object", "plant", "body", "quantity", "possession", "feeling",
    "process", "phenomenon", "relation", "shape", "Tops", "motive",
)  # fmt: skip
_NUMBER = {name: number for number, name in enumerate(CLASSES)}
GENDERS = {"": 0, "m": 1, "f": 2, "mf": 3, "s": 4}
_MALE = frozenset((
    "man", "boy", "father", "dad", "daddy", "papa", "son", "brother", "uncle", "nephew", "grandfather", "grandpa",
    "husband", "king", "prince", "sir", "gentleman", "guy", "lord", "mr.", "mr", "actor", "waiter", "boyfriend",
    "bloke", "lad", "monk", "priest", "duke",
))  # fmt: skip
_FEMALE = frozenset((
    "woman", "girl", "mother", "mom", "mum", "mama", "mommy", "daughter", "sister", "aunt", "niece", "grandmother",
    "grandma", "wife", "queen", "princess", "madam", "lady", "mrs.", "mrs", "ms.", "ms", "miss", "actress", "waitress",
    "girlfriend", "nun", "widow", "bride", "duchess",
))  # fmt: skip


class Kind(NamedTuple):
    """The most frequent class, the second, and the gender, as numbers."""

    first: int
    second: int
    gender: int


def kind_of(lemma: str, *, name: bool) -> Kind:
    """Look a lemma up, as it is spelled; `name` says that it is a proper noun."""
    classes = noun_classes().get(lemma) or noun_classes().get(lemma.lower()) or ()
    gender = ""
    if name:
        gender = name_kinds().get(lemma.capitalize(), "")
        if gender and not (classes and classes[0] == "location"):
            classes = ("person", *classes)
    if lemma.lower() in _MALE:
        gender = "m"
    elif lemma.lower() in _FEMALE:
        gender = "f"
    numbers = [_NUMBER.get(each, 0) for each in classes[:2]] + [0, 0]
    return Kind(numbers[0], numbers[1], GENDERS[gender])
