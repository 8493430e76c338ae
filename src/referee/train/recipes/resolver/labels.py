"""Which mention of a parse is which mention of GUM's annotators: by the characters of their head words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from referee.annotate.document import Document, Mention
from referee.train.recipes.resolver.gum import GoldDocument, GoldMention


class Index:
    """Finds the annotated mention of a noun phrase or pronoun."""

    def __init__(self, gold: GoldDocument) -> None:
        heads = sorted(
            (start, end, number) for number, mention in enumerate(gold.mentions) for start, end in mention.heads
        )
        self._mentions = gold.mentions
        self._starts = [start for start, _, _ in heads]
        self._heads = heads

    def find(self, document: Document, mention: Mention) -> GoldMention | None:
        """The annotated mention with the same head; among several, the one with the most similar span."""
        head = document.sentences[mention.sentence].words[mention.head]
        position = bisect_right(self._starts, head.start)
        near = self._heads[max(position - 8, 0) : position + 8]
        same = [self._mentions[number] for start, end, number in near if start < head.end and head.start < end]
        return min(same, key=lambda gold: abs(gold.start - mention.start) + abs(gold.end - mention.end), default=None)


def nominal_before(mentions: Sequence[GoldMention], pronoun: GoldMention) -> bool:
    """Whether a noun or a name of the same entity ends before the pronoun."""
    return any(
        mention.entity == pronoun.entity and mention.end <= pronoun.start and mention.upos in ("NOUN", "PROPN")
        for mention in mentions
    )
