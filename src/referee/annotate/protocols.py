"""What tools can be asked: to annotate texts, to resolve pronouns, to align sentence pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from referee.annotate.document import Antecedent, Document


class SourceText(NamedTuple):
    """A document to annotate. A line break in its text always ends a sentence."""

    id: str
    text: str


class Tokens(NamedTuple):
    """A sentence and the characters of its tokens."""

    text: str
    spans: tuple[tuple[int, int], ...]


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: Tokens
    target: Tokens


Links = tuple[tuple[int, int], ...]
"""Aligned tokens of a pair: index in the source, index in the target; sorted."""


@runtime_checkable
class Annotator(Protocol):
    """Finds sentences, words, tags and trees."""

    @property
    def name(self) -> str:
        """The name it was opened by, such as `spacy:fr_core_news_sm`."""

    @property
    def version(self) -> str:
        """What changes when its results may."""

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]:
        """Annotate documents, in order."""


@runtime_checkable
class Resolver(Protocol):
    """Finds the antecedents of pronouns."""

    @property
    def name(self) -> str:
        """The name it was opened by."""

    @property
    def version(self) -> str:
        """What changes when its results may."""

    def resolve(self, documents: Iterable[Document]) -> Iterator[tuple[Antecedent, ...]]:
        """Resolve the pronouns of documents, in order."""


@runtime_checkable
class Aligner(Protocol):
    """Finds the words that translate each other."""

    @property
    def name(self) -> str:
        """The name it was opened by."""

    @property
    def version(self) -> str:
        """What changes when its results may."""

    def align(self, pairs: Sequence[SentencePair], source: str, target: str) -> list[Links]:
        """Align the tokens of sentence pairs in two languages."""
