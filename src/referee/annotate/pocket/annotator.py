"""The pocket annotator: texts in, documents with sentences, words, tags, lemmas and trees out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

import referee
from referee.annotate.document import Document, Sentence
from referee.annotate.pocket.analyser import Analyser, Ranker
from referee.annotate.pocket.heads import Heads, read_heads
from referee.annotate.pocket.lexicon import Lexicon, open_lexicon
from referee.annotate.pocket.passages import Given, Stretch, runs, stretches
from referee.annotate.pocket.pieces import Pieces
from referee.annotate.protocols import SourceText
from referee.errors import InputError, UsageError
from referee.languages import base
from referee.pocket import forms, store
from referee.pocket.encoder import PocketEncoder, open_encoder
from referee.registry import lookup

NAME = "pocket"
CORE = "core"
"""The argument with which results do not depend on the packages that are installed."""

TOGETHER = 1 << 15
"""Characters that are computed together: enough for full batches, little in memory."""

_PER_WORD = 5
# Characters of a word, where only words are counted.

Source = TypeVar("Source", SourceText, Document)
Part = TypeVar("Part", Stretch, Given)


class Lexical(NamedTuple):
    """A lexicon for one language: its version, and what ranks its entries."""

    version: str
    ranker: Ranker


Lexicons = Callable[[str, Heads], Lexical | None]


class PocketAnnotator:
    """The encoder with its heads. What a language needs is made when it is first asked for."""

    def __init__(self, encoder: PocketEncoder, heads: Heads, lexicons: Lexicons, name: str = NAME) -> None:
        if heads.about.encoder != encoder.sha256:
            problem = "the heads of the pocket annotator belong to another encoder"
            raise InputError(problem, "install referee again", store.HEADS.file)
        self._encoder, self._heads, self._lexicons, self._name = encoder, heads, lexicons, name
        self._pieces = Pieces(encoder.vocabulary.model, encoder.vocabulary.languages)
        self._opened: dict[str, tuple[Analyser, str]] = {}

    @property
    def name(self) -> str:
        """The name it is opened by."""
        return self._name

    @property
    def version(self) -> str:
        """The version of the package and the start of the heads' hash, which depends on the encoder's."""
        return f"{referee.__version__}-{self._heads.sha256[:8]}"

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]:
        """Annotate documents, in order."""
        analyser, label = self._of(language)
        annotated = _computed(
            texts, lambda source: stretches(source.text), lambda part: len(part.text) + 1, analyser.annotate
        )
        return (Document(source.id, source.text, language, found, label) for source, found in annotated)

    def tag(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Keep the sentences and words of documents, and predict everything else."""
        for language, members in groupby(documents, lambda document: document.language):
            analyser, label = self._of(language)
            tagged = _computed(members, runs, _characters, analyser.tag)
            for document, sentences in tagged:
                yield replace(document, sentences=sentences, annotator=label)

    def _of(self, language: str) -> tuple[Analyser, str]:
        """What annotates a language, and the name that its documents bear."""
        if language not in self._opened:
            codes = {code: code for code in sorted(self._heads.about.languages)}
            code = codes.get(base(language)) or lookup("language of the pocket annotator", language, codes)
            lexical = self._lexicons(code, self._heads)
            label = f"{self.name} {self.version}" + (f", {lexical.version}" if lexical else "")
            ranker = lexical.ranker if lexical else None
            self._opened[language] = Analyser(self._encoder, self._pieces, self._heads, code, ranker), label
        return self._opened[language]


def open_pocket(argument: str = "") -> PocketAnnotator:
    """Open the annotator that comes with the package; with the argument `core` it uses no other package's lexicon."""
    if argument not in ("", CORE):
        problem = f"'{NAME}:{argument}': '{argument}' is not an argument of the pocket annotator"
        raise UsageError(problem, f"write '{NAME}' or '{NAME}:{CORE}'")
    heads = read_heads(forms.shipped(store.HEADS))
    if argument == CORE:
        return PocketAnnotator(open_encoder(), heads, shipped_lexicon, f"{NAME}:{CORE}")
    return PocketAnnotator(open_encoder(), heads, best_lexicon)


def no_lexicon(_language: str, _heads: Heads) -> Lexical | None:
    """Nothing: the heads decide alone."""
    return None


def shipped_lexicon(language: str, heads: Heads) -> Lexical | None:
    """The lexicon of a language that comes with the package, where it has one."""
    return _lexical(open_lexicon(language, optional=False), heads)


def best_lexicon(language: str, heads: Heads) -> Lexical | None:
    """The lexicons of a language, those of installed packages first."""
    return _lexical(open_lexicon(language), heads)


def _lexical(lexicon: Lexicon | None, heads: Heads) -> Lexical | None:
    if lexicon is None:
        return None
    return Lexical(lexicon.version, lexicon.ranker(heads.about.upos, dict(heads.about.features)))


def _characters(part: Given) -> int:
    return 1 + _PER_WORD * sum(len(sentence.words) for sentence in part.sentences)


@dataclass
class _Waiting(Generic[Source]):
    """A document of which some parts are not computed yet."""

    source: Source
    missing: int = 0
    sentences: list[Sentence] = field(default_factory=list)


def _computed(
    sources: Iterable[Source],
    cut: Callable[[Source], Iterator[Part]],
    size: Callable[[Part], int],
    compute: Callable[[Sequence[Part]], list[list[Sentence]]],
) -> Iterator[tuple[Source, tuple[Sentence, ...]]]:
    """Sentences of documents, in order. Parts of many short documents are computed together, those of a long one not.

    What a part gives does not depend on the parts that it is computed with.
    """
    waiting: deque[_Waiting[Source]] = deque()
    parts: list[Part] = []
    owners: list[_Waiting[Source]] = []
    total = 0
    for source in sources:
        document = _Waiting(source)
        waiting.append(document)
        for part in cut(source):
            parts.append(part)
            owners.append(document)
            document.missing += 1
            total += size(part)
            if total >= TOGETHER:
                _finish(owners, compute(parts))
                parts, owners, total = [], [], 0
        while waiting and not waiting[0].missing:
            done = waiting.popleft()
            yield done.source, tuple(done.sentences)
    if parts:
        _finish(owners, compute(parts))
    for done in waiting:
        yield done.source, tuple(done.sentences)


def _finish(owners: Sequence[_Waiting[Source]], sentences: Sequence[list[Sentence]]) -> None:
    for document, found in zip(owners, sentences, strict=True):
        document.sentences += found
        document.missing -= 1
