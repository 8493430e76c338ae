"""Peers of the pocket annotator, installed for the benchmark only: spaCy's small French pipeline, and natasha.

Both take raw text (`annotate`) and the tokens of a gold annotation (`tag`). Neither splits multi-word tokens: `tag`
keeps them whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from referee.annotate.document import ROOT, Document, Sentence, Word
from referee.annotate.protocols import SourceText

if TYPE_CHECKING:
    from spacy.tokens import Token

    from referee.annotate.spacy import SpacyAnnotator

SPACY_PIPELINE = "fr_core_news_sm"


class Measured(Protocol):
    """An annotator that also takes gold tokens."""

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]: ...

    def tag(self, documents: Iterable[Document]) -> Iterator[Document]: ...


class Peer(Measured, Protocol):
    """One with a name, a version and a size."""

    @property
    def label(self) -> str: ...

    @property
    def megabytes(self) -> float: ...


def spacy_peer() -> Peer:
    from referee.annotate.spacy import open_spacy

    return SpacyPeer(open_spacy(SPACY_PIPELINE))


@dataclass(frozen=True)
class SpacyPeer:
    """A pipeline of spaCy: its raw text by our adapter, gold tokens by documents that are made of them."""

    adapter: SpacyAnnotator

    @property
    def label(self) -> str:
        return f"{SPACY_PIPELINE} {version(SPACY_PIPELINE)} (spaCy {version('spacy')})"

    @property
    def megabytes(self) -> float:
        return installed_size(SPACY_PIPELINE)

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]:
        yield from self.adapter.annotate(texts, language)

    def tag(self, documents: Iterable[Document]) -> Iterator[Document]:
        from spacy.tokens import Doc

        pipeline = self.adapter.pipeline
        for document in documents:
            tokens = [token_words(document, sentence) for sentence in document.sentences]
            made = [
                Doc(
                    pipeline.vocab,
                    words=[word.form for word in words],
                    spaces=[spaced(words, index) for index in range(len(words))],
                    sent_starts=[index == 0 for index in range(len(words))],
                )
                for words in tokens
            ]
            parsed = pipeline.pipe(made)
            yield with_sentences(document, [spacy_words(words, doc) for words, doc in zip(tokens, parsed, strict=True)])


def spacy_words(words: list[Word], doc: Iterable[Token]) -> list[Word]:
    return [
        word._replace(
            lemma=token.lemma_,
            upos=token.pos_,
            feats=str(token.morph),
            head=ROOT if token.head.i == token.i else token.head.i,
            deprel="root" if token.head.i == token.i else token.dep_,
        )
        for word, token in zip(words, doc, strict=True)
    ]


class Natasha:
    """natasha: razdel's tokens, slovnet's tags and trees, pymorphy's lemmas."""

    def __init__(self) -> None:
        from natasha import MorphVocab, NewsEmbedding, NewsMorphTagger, NewsSyntaxParser, Segmenter

        vectors = NewsEmbedding()
        self._segmenter = Segmenter()
        self._tagger = NewsMorphTagger(vectors)
        self._parser = NewsSyntaxParser(vectors)
        self._forms = MorphVocab()

    @property
    def label(self) -> str:
        return f"natasha {version('natasha')}"

    @property
    def megabytes(self) -> float:
        return installed_size("natasha") + installed_size("pymorphy2_dicts_ru")

    def annotate(self, texts: Iterable[SourceText], language: str) -> Iterator[Document]:
        from natasha import Doc

        for source in texts:
            sentences: list[Sentence] = []
            start = 0
            for line in source.text.split("\n"):
                doc = Doc(line)
                if line.strip():
                    doc.segment(self._segmenter)
                    sentences += [self._sentence(sent, start) for sent in self._parsed(doc).sents if sent.tokens]
                start += len(line) + 1
            yield Document(source.id, source.text, language, tuple(sentences), self.label)

    def tag(self, documents: Iterable[Document]) -> Iterator[Document]:
        from natasha import Doc
        from natasha.doc import DocSent, DocToken

        for document in documents:
            sents = []
            for sentence in document.sentences:
                tokens = [DocToken(word.start, word.end, word.form) for word in token_words(document, sentence)]
                sents.append(DocSent(sentence.start, sentence.end, "", tokens))
            parsed = self._parsed(Doc(document.text, [token for sent in sents for token in sent.tokens], None, sents))
            yield replace(document, sentences=tuple(self._sentence(sent, 0) for sent in parsed.sents))

    def _parsed(self, doc: Any) -> Any:  # noqa: ANN401 - natasha has no types
        doc.tag_morph(self._tagger)
        doc.parse_syntax(self._parser)
        return doc

    def _sentence(self, sent: Any, offset: int) -> Sentence:  # noqa: ANN401 - natasha has no types
        places = {token.id: index for index, token in enumerate(sent.tokens)}
        words = []
        for token in sent.tokens:
            token.lemmatize(self._forms)
            feats = "|".join(f"{name}={value}" for name, value in sorted((token.feats or {}).items()))
            head = places.get(token.head_id, ROOT)
            place = (offset + token.start, offset + token.stop)
            words.append(Word(token.text, token.lemma, token.pos, feats, head, token.rel, *place))
        return Sentence(words[0].start, words[-1].end, tuple(words))


def token_words(document: Document, sentence: Sentence) -> list[Word]:
    """One word per token, with the form of the token."""
    return [
        word._replace(form=document.text[word.start : word.end], part=0) if word.part else word
        for word in sentence.words
        if word.part <= 1
    ]


def spaced(words: list[Word], index: int) -> bool:
    return index + 1 < len(words) and words[index].end < words[index + 1].start


def with_sentences(document: Document, sentences: list[list[Word]]) -> Document:
    made = [
        Sentence(old.start, old.end, tuple(words)) for old, words in zip(document.sentences, sentences, strict=True)
    ]
    return replace(document, sentences=tuple(made))


def installed_size(package: str) -> float:
    """Megabytes of an installed package."""
    import importlib.util

    spec = importlib.util.find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return sum(path.stat().st_size for folder in folders for path in Path(folder).rglob("*") if path.is_file()) / 1e6
