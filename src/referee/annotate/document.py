"""Annotated documents: sentences and words with characters of the text, whatever tool found them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

ROOT = -1
"""The head of a word that has none."""


class Word(NamedTuple):
    """A syntactic word of Universal Dependencies.

    `start` and `end` are characters of the document. The words of a multi-word token (French *du*: *de*, *le*) share
    the characters of the token and are numbered by `part` from 1; every other word has part 0.
    """

    form: str
    lemma: str
    upos: str
    feats: str
    """Features in CoNLL-U's form (`Case=Nom|Number=Sing`); empty for none."""
    head: int
    """The index of the head in the sentence, `ROOT` for the root."""
    deprel: str
    start: int
    end: int
    part: int = 0
    xpos: str = ""

    def feature(self, name: str) -> str | None:
        """The value of a feature, or None.

        >>> Word("it", "it", "PRON", "Gender=Neut|Number=Sing", ROOT, "root", 0, 2).feature("Number")
        'Sing'
        """
        for pair in self.feats.split("|"):
            key, _, value = pair.partition("=")
            if key == name:
                return value
        return None


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words in order, and the characters of the document from the first to the last."""

    start: int
    end: int
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A text and what was found in it."""

    id: str
    text: str
    language: str
    sentences: tuple[Sentence, ...]
    annotator: str = ""
    """The name and version of the tool."""


class Mention(NamedTuple):
    """A noun phrase or pronoun: its sentence, the index of its head word in it, and its characters."""

    sentence: int
    head: int
    start: int
    end: int


class Antecedent(NamedTuple):
    """What a pronoun refers to, and how sure the resolver is (0 to 1)."""

    pronoun: Mention
    antecedent: Mention
    confidence: float
