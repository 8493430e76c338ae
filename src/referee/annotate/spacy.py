"""spaCy pipelines as annotators: `spacy:NAME` for one that is installed, `spacy:FOLDER` for one on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.annotate.protocols import SourceText
from referee.annotate.registry import Choice
from referee.errors import InputError, MissingError, UsageError
from referee.languages import base
from referee.logs import logger

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

_GROUP = "spacy_models"
_NOT_NEEDED = ("ner", "entity_linker", "textcat", "textcat_multilabel")
_QUALITIES = {"trf": 49, "lg": 45, "md": 44, "sm": 43}
"""Below the bundled annotator: many pipelines have relations of their own, not those of UD."""
_OTHER_QUALITY = 42
_ANY_LANGUAGE = "xx"
_FIELDS = {"POS": "parts of speech", "MORPH": "features", "LEMMA": "lemmas", "DEP": "trees", "SENT_START": "sentences"}


class _Line(NamedTuple):
    """A line of a document: which one, and where it begins there."""

    document: int
    start: int


def installed(language: str) -> list[Choice]:
    """The installed pipelines for a language, or all; nothing is imported."""
    names = {entry.name for entry in entry_points(group=_GROUP)}
    return [
        Choice(_QUALITIES.get(name.rpartition("_")[2], _OTHER_QUALITY), name)
        for name in sorted(names)
        if not language or name.partition("_")[0] == language
    ]


def open_spacy(argument: str) -> SpacyAnnotator:
    """Open an installed pipeline or a folder; a name that is not installed is never loaded or downloaded."""
    import spacy

    names = [choice.argument for choice in installed("")]
    if argument not in names and not Path(argument, "config.cfg").is_file():
        problem = f"'spacy:{argument}' is neither an installed pipeline nor the folder of one"
        there = f" ({', '.join(names)})" if names else ""
        raise MissingError(problem, f"use an installed one{there}, or the path of a folder with a config.cfg")
    try:
        pipeline = spacy.load(argument if argument in names else Path(argument), exclude=_NOT_NEEDED)
    except (OSError, ValueError, ImportError, KeyError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise InputError(f"'spacy:{argument}' cannot be loaded ({reason})", "install it again") from error
    return SpacyAnnotator(f"spacy:{argument}", f"{pipeline.meta['version']} (spaCy {spacy.__version__})", pipeline)


@dataclass(frozen=True)
class SpacyAnnotator:
    """A pipeline of spaCy. Components that it does not have leave their fields empty."""

    name: str
    version: str
    pipeline: Language

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]:
        """Annotate documents line by line: a line break ends a sentence."""
        code = self.pipeline.lang
        if code not in (base(language), _ANY_LANGUAGE):
            raise UsageError(f"'{self.name}' is a pipeline for '{code}', not for '{language}'", "choose another one")
        annotator = f"{self.name} {self.version}"
        waiting: dict[int, SourceText] = {}
        warned = False
        docs = self.pipeline.pipe(_lines(texts, waiting), as_tuples=True)
        for number, lines in groupby(docs, key=lambda pair: pair[1].document):
            sentences: list[Sentence] = []
            for doc, line in lines:
                if not warned and (warned := bool(len(doc))):
                    self._warn(doc)
                sentences += _sentences(doc, line.start)
            source = waiting.pop(number)
            yield Document(source.id, source.text, language, tuple(sentences), annotator)

    def _warn(self, doc: Doc) -> None:
        missing = [what for field, what in _FIELDS.items() if len(doc) > 1 and not doc.has_annotation(field)]
        if missing:
            logger.warning("%s has no component for %s: they stay empty.", self.name, ", ".join(missing))


def _lines(texts: Iterable[SourceText], waiting: dict[int, SourceText]) -> Iterator[tuple[str, _Line]]:
    """Lines of all documents; each document has at least one, and waits until its lines are annotated."""
    for number, source in enumerate(texts):
        waiting[number] = source
        start = 0
        for line in source.text.split("\n"):
            if line.strip() or not start:
                yield line, _Line(number, start)
            start += len(line) + 1


def _sentences(doc: Doc, start: int) -> Iterator[Sentence]:
    spans: Iterable[Sequence[Token]] = doc.sents if doc.has_annotation("SENT_START") else [list(doc)]
    parsed = doc.has_annotation("DEP")
    for span in spans:
        tokens = [token for token in span if not token.is_space]
        if tokens:
            words = tuple(_words(tokens, start, parsed=parsed))
            yield Sentence(words[0].start, words[-1].end, words)


def _words(tokens: list[Token], start: int, *, parsed: bool) -> Iterator[Word]:
    indices = {token.i: index for index, token in enumerate(tokens)}
    for token in tokens:
        head, deprel = _head(token, indices) if parsed else (ROOT, "")
        begin = start + token.idx
        # fmt: off
        yield Word(
            token.text, token.lemma_, token.pos_, str(token.morph), head, deprel, begin, begin + len(token.text),
            xpos=token.tag_,
        )
        # fmt: on


def _head(token: Token, indices: dict[int, int]) -> tuple[int, str]:
    """The index of the head in the sentence, and the relation; a head that is white space gives way to its own."""
    head = token.head
    while head.is_space and head.head.i != head.i:
        head = head.head
    if head.i == token.i or head.i not in indices:
        return ROOT, "root"
    return indices[head.i], token.dep_
