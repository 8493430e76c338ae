"""Clusters of other tools, as characters of the text, mapped to the words of a document.

Tools have tokens of their own. A span whose characters no word has cannot be mapped: it is counted, and a warning says
so once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.annotate.document import Antecedent, Document, Mention, Word
from referee.logs import logger

Span = tuple[int, int]
Cluster = Sequence[Span | None]
CERTAIN = 1.0
"""The confidence of tools that decide without one."""
_NOUNS = ("NOUN", "PROPN")


@dataclass(slots=True)
class Unmapped:
    """Spans that were not found in the documents of a tool."""

    tool: str
    spans: int = 0
    warned: bool = False

    def add(self, document: str, spans: int) -> None:
        """Count the spans of a document; the first ones are reported."""
        self.spans += spans
        if spans and not self.warned:
            self.warned = True
            logger.warning(
                "%s: %d mentions in document '%s' have no word and are left out. Later ones are counted, not reported.",
                self.tool,
                spans,
                document,
            )


def antecedents_of(document: Document, clusters: Iterable[Cluster], unmapped: Unmapped) -> tuple[Antecedent, ...]:
    """For each pronoun of a cluster, the nearest noun or name before it in the same cluster."""
    places = _Places(document)
    antecedents = []
    missing = 0
    for cluster in clusters:
        mentions = [None if span is None else places.mention(span) for span in cluster]
        missing += sum(mention is None for mention in mentions)
        nouns: list[Mention] = []
        for mention in sorted({mention for mention in mentions if mention is not None}, key=_order):
            word = document.sentences[mention.sentence].words[mention.head]
            if word.upos in _NOUNS:
                nouns.append(mention)
            elif _is_pronoun(word):
                before = [noun for noun in nouns if noun.end <= mention.start]
                if before:
                    antecedents.append(Antecedent(mention, before[-1], CERTAIN))
    unmapped.add(document.id, missing)
    return tuple(sorted(antecedents, key=lambda each: _order(each.pronoun)))


def _order(mention: Mention) -> tuple[int, int, int]:
    return mention.start, mention.end, mention.head


def _is_pronoun(word: Word) -> bool:
    """Personal and possessive pronouns; German *sein* is a determiner in some tools."""
    return word.upos == "PRON" or (word.upos == "DET" and word.feature("Poss") == "Yes")


class _Places:
    """Finds the words of a span of characters."""

    def __init__(self, document: Document) -> None:
        self._sentences = document.sentences
        self._starts = [sentence.start for sentence in document.sentences]

    def mention(self, span: Span) -> Mention | None:
        """The mention with these characters. A span over a border of sentences is cut to its largest part."""
        start, end = span
        first = max(bisect_right(self._starts, start) - 1, 0)
        parts = []
        for number in range(first, max(bisect_left(self._starts, end), first)):
            words = self._sentences[number].words if number < len(self._sentences) else ()
            inside = [index for index, word in enumerate(words) if word.start < end and start < word.end]
            parts.append((len(inside), -number, inside))
        if not parts or not max(parts)[0]:
            return None
        _, negative, inside = max(parts)
        sentence = self._sentences[-negative]
        head = _head(sentence.words, inside)
        return Mention(-negative, head, sentence.words[inside[0]].start, sentence.words[inside[-1]].end)


def _head(words: Sequence[Word], inside: Sequence[int]) -> int:
    """The word that hangs from outside the span. Of the words of one token (*it's*), a pronoun or noun is preferred."""
    tops = [index for index in inside if words[index].head not in inside] or [inside[-1]]
    likely = [index for index in tops if words[index].upos in (*_NOUNS, "PRON")]
    if not likely and len({(words[index].start, words[index].end) for index in inside}) == 1:
        likely = [index for index in inside if words[index].upos in (*_NOUNS, "PRON")]
    return (likely or tops)[0]
