"""The pocket resolver: antecedents of English pronouns from the parse, by a small learned ranker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from referee.annotate.document import Antecedent, Document, Mention, Sentence
from referee.annotate.resolve.features import Pairs, pairs_of
from referee.annotate.resolve.possessives import ALONE, owned, stands_alone
from referee.annotate.resolve.ranker import Floats, Ranker, ranker_of
from referee.annotate.resolve.spans import mention_of, word_of
from referee.annotate.resolve.words import NOUN, PROPN, THIRD, Words, words_of
from referee.errors import UsageError
from referee.pocket.forms import shipped
from referee.pocket.store import RESOLVER, PocketModel

NAME = "pocket"
_NEGLIGIBLE = 0.003
_TOGETHER = 4_000
"""Words that are ranked together."""
_SIMILAR = 0.3
"""Of several mentions of one noun, the last that has this share of the most probable one's probability is named."""


@dataclass(frozen=True)
class PocketResolver:
    """Resolves *it, they, he, she* and their forms, and *mine, theirs*; what it is not sure of, it leaves out."""

    ranker: Ranker
    threshold: float
    version: str
    name: str = NAME

    def resolve(self, documents: Iterable[Document]) -> Iterator[tuple[Antecedent, ...]]:
        """The antecedents of each document, in the order of the pronouns. An antecedent is a noun or a name."""
        for together in _together(documents):
            for document, found in zip(together, self._ranked(together), strict=True):
                sure = [each for each in (*found, *_possessives(document)) if each.confidence >= self.threshold]
                yield tuple(sorted(sure, key=lambda each: (each.pronoun.start, each.pronoun.head)))

    def ranked(self, document: Document, *, nouns: bool = True) -> list[Antecedent]:
        """The most probable noun of each pronoun, however improbable; without `nouns`, the most probable mention."""
        return self._ranked([document], nouns=nouns)[0]

    def _ranked(self, documents: Sequence[Document], *, nouns: bool = True) -> list[list[Antecedent]]:
        found: list[list[Antecedent]] = [[] for _ in documents]
        words = words_of(*documents)
        if not ((words.pronoun > 0) & (words.pronoun <= THIRD)).any():
            return found
        pairs = pairs_of(words)
        if not len(pairs.pronouns) or not len(pairs.mentions):
            return found
        probabilities = self.ranker.probabilities(pairs)
        chosen = _chosen(words, pairs, probabilities) if nouns else _nearest(pairs, probabilities)
        for pronoun, mention, confidence in chosen:
            number = int(words.document[pronoun])
            sentences = documents[number].sentences
            word = word_of(sentences, int(words.ordinal[pronoun]), int(words.position[pronoun]))
            found[number].append(Antecedent(word, _mention(sentences, words, pairs, mention), confidence))
        return found


def _together(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Documents by the thousand words: short ones are ranked together, for arrays have a price of their own."""
    waiting: list[Document] = []
    size = 0
    for document in documents:
        waiting.append(document)
        size += sum(len(sentence.words) for sentence in document.sentences)
        if size >= _TOGETHER:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


def open_pocket(argument: str = "") -> PocketResolver:
    """Open the shipped resolver."""
    if argument:
        raise UsageError(f"pocket:{argument}: the pocket resolver takes no argument", "write `pocket`")
    return _shipped()


def resolver_of(model: PocketModel) -> PocketResolver:
    """The resolver that is stored in a file."""
    return PocketResolver(ranker_of(model), float(model.about["threshold"]), model.sha256[:12])


@cache
def _shipped() -> PocketResolver:
    return resolver_of(shipped(RESOLVER))


def _mention(sentences: tuple[Sentence, ...], words: Words, pairs: Pairs, mention: int) -> Mention:
    head = pairs.mentions[mention]
    ordinal, position = int(words.ordinal[head]), int(words.position[head])
    return mention_of(sentences, ordinal, position, grouped=bool(pairs.grouped[mention]))


def _chosen(words: Words, pairs: Pairs, probabilities: Floats) -> list[tuple[int, int, float]]:
    """For each pronoun that has any: its word, the mention of the most probable noun, the probability of that noun.

    A pronoun may refer to an earlier pronoun; its probability is then handed on to what that one refers to. Mentions
    of the same noun count together.
    """
    nominal = np.isin(words.upos[pairs.mentions], (NOUN, PROPN))
    single = ~pairs.grouped
    pronoun_of = {int(word): number for number, word in enumerate(pairs.pronouns)}
    handed = [
        pronoun_of.get(int(word), -1) if alone else -1 for word, alone in zip(pairs.mentions, single, strict=True)
    ]
    lemma = np.where(pairs.grouped, -1 - np.arange(len(pairs.mentions)), words.lemma[pairs.mentions]).tolist()
    likely = probabilities[:, 1:] > _NEGLIGIBLE
    distributions: list[dict[int, float]] = []
    chosen = []
    for number, word in enumerate(pairs.pronouns.tolist()):
        columns = np.flatnonzero(likely[number])
        distribution: dict[int, float] = {}
        for mention, probability in zip(
            pairs.candidates[number, columns].tolist(), probabilities[number, columns + 1].tolist(), strict=True
        ):
            if nominal[mention]:
                distribution[mention] = distribution.get(mention, 0.0) + probability
            elif handed[mention] >= 0:
                for further, share in distributions[handed[mention]].items():
                    distribution[further] = distribution.get(further, 0.0) + probability * share
        distributions.append(distribution)
        if distribution:
            mention, confidence = _best(distribution, lemma)
            chosen.append((word, mention, min(confidence, 1.0)))
    return chosen


def _nearest(pairs: Pairs, probabilities: Floats) -> list[tuple[int, int, float]]:
    """For each pronoun: its word, the most probable mention, its probability."""
    columns = probabilities[:, 1:].argmax(axis=1)
    rows = np.arange(len(columns))
    mentions, confidence = pairs.candidates[rows, columns], probabilities[rows, columns + 1]
    return [
        each
        for each in zip(pairs.pronouns.tolist(), mentions.tolist(), confidence.tolist(), strict=True)
        if each[1] >= 0
    ]


def _best(distribution: dict[int, float], lemma: list[int]) -> tuple[int, float]:
    totals: dict[int, float] = {}
    for mention, probability in distribution.items():
        totals[lemma[mention]] = totals.get(lemma[mention], 0.0) + probability
    best = max(totals, key=lambda each: totals[each])
    same = {mention: probability for mention, probability in distribution.items() if lemma[mention] == best}
    enough = _SIMILAR * max(same.values())
    return max(mention for mention, probability in same.items() if probability >= enough), totals[best]


def _possessives(document: Document) -> Iterator[Antecedent]:
    for number, sentence in enumerate(document.sentences):
        for index, word in enumerate(sentence.words):
            if word.form.lower() in ALONE and stands_alone(sentence, index):
                answer = owned(document, number, index)
                if answer is not None:
                    yield Antecedent(word_of(document.sentences, number, index), *answer)
