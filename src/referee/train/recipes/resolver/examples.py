"""Examples of the ranker: the pronouns of parsed documents, their candidates, and which of them are correct."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.annotate.document import Document
from referee.annotate.resolve.features import Pairs, pairs_of
from referee.annotate.resolve.spans import mention_of
from referee.annotate.resolve.words import Words, words_of
from referee.train.recipes.resolver.gum import GoldDocument
from referee.train.recipes.resolver.labels import Index

_UNKNOWN = -1


class Examples(NamedTuple):
    """Features of each pronoun, of its candidates and of the pairs; candidates that are there, and those correct."""

    pronouns: NDArray[np.int32]
    mentions: NDArray[np.int32]
    pairs: NDArray[np.int32]
    there: NDArray[np.bool_]
    correct: NDArray[np.bool_]


def examples_of(parsed: Document, gold: GoldDocument) -> Examples:
    """The examples of a document in a parse of its own or of the annotators."""
    words = words_of(parsed)
    pairs = pairs_of(words)
    pronouns, mentions = _entities(parsed, gold, words, pairs)
    there = pairs.candidates >= 0
    candidates = np.maximum(pairs.candidates, 0)
    if not len(mentions):
        mentions = np.array([_UNKNOWN])
    correct = there & (pronouns[:, None] != _UNKNOWN) & (mentions[candidates] == pronouns[:, None])
    of_mention = pairs.of_mention if len(pairs.of_mention) else np.zeros((1, pairs.of_mention.shape[1]), np.int32)
    return Examples(pairs.of_pronoun, of_mention[candidates], pairs.of_pair, there, correct)


def together(examples: Sequence[Examples]) -> Examples:
    """Examples of several documents in one."""
    return Examples(*(np.concatenate(arrays) for arrays in zip(*examples, strict=True)))


def _entities(
    parsed: Document, gold: GoldDocument, words: Words, pairs: Pairs
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The entities of the pronouns and of the mentions."""
    index = Index(gold)

    def entity(head: int, *, grouped: bool) -> int:
        place = int(words.sentence[head]), int(words.position[head])
        mention = index.find(parsed, mention_of(parsed.sentences, *place, grouped=grouped))
        return _UNKNOWN if mention is None else mention.entity

    return (
        np.array([entity(head, grouped=False) for head in pairs.pronouns.tolist()], np.int64),
        np.array(
            [
                entity(head, grouped=grouped)
                for head, grouped in zip(pairs.mentions.tolist(), pairs.grouped.tolist(), strict=True)
            ],
            np.int64,
        ),
    )
