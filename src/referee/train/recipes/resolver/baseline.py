"""The baseline: the nearest subject before a pronoun that agrees with it in number."""

from __future__ import annotations

from collections.abc import Sequence

from referee.annotate.document import Antecedent, Document, Word
from referee.annotate.resolve.spans import mention_of, word_of
from referee.train.recipes.resolver.pronouns import PLURAL

_NOMINAL = ("NOUN", "PROPN", "PRON")


def nearest_subjects(document: Document) -> list[Antecedent]:
    """The nearest agreeing subject (noun, name or pronoun) of every pronoun that has one, however far away."""
    antecedents = []
    latest: dict[bool, tuple[int, int]] = {}
    for number, sentence in enumerate(document.sentences):
        for index, word in enumerate(sentence.words):
            if word.upos not in _NOMINAL:
                continue
            subject = latest.get(word.form.lower() in PLURAL)
            if word.upos == "PRON" and subject is not None:
                pronoun = word_of(document.sentences, number, index)
                antecedents.append(Antecedent(pronoun, mention_of(document.sentences, *subject), 1.0))
            if word.deprel.startswith("nsubj"):
                latest[_is_plural(sentence.words, index)] = number, index
    return antecedents


def _is_plural(words: Sequence[Word], index: int) -> bool:
    coordinated = any(word.head == index and word.deprel.startswith("conj") for word in words)
    return coordinated or words[index].feature("Number") == "Plur"
