"""Maverick's package pins versions that no other package here accepts, so it is not installed for tests.

The adapter is tested on the form of its output: `clusters_token_offsets`, pairs of first and last token, over the
sentences that it was given.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.annotate.document import Document, Sentence, Word
from referee.annotate.protocols import Resolver
from referee.annotate.resolve.maverick import MaverickResolver
from tests.support.coreferent import parsed


class Recorded:
    """Answers with clusters of token offsets, and keeps what it was asked."""

    def __init__(self, *clusters: tuple[tuple[int, int], ...]) -> None:
        self.clusters = clusters
        self.asked: list[list[list[str]]] = []

    def predict(self, sample: list[list[str]]) -> dict[str, Any]:
        self.asked.append(sample)
        tokens = [token for sentence in sample for token in sentence]
        return {"tokens": tokens, "clusters_token_offsets": list(self.clusters), "clusters_char_offsets": None}


DOCUMENT = parsed(
    "The/DET/2/det cup/NOUN/3/nsubj hit/VERB/0/root a/DET/5/det plate/NOUN/3/obj", "It/PRON/2/nsubj broke/VERB/0/root"
)


def test_token_offsets_become_antecedents() -> None:
    model = Recorded(((0, 1), (5, 5)))
    resolver = MaverickResolver("maverick", "1.0.7", model)
    assert isinstance(resolver, Resolver)
    [[antecedent]] = resolver.resolve([DOCUMENT])
    assert DOCUMENT.text[antecedent.antecedent.start : antecedent.antecedent.end] == "The cup"
    assert (antecedent.antecedent.head, antecedent.pronoun.sentence, antecedent.pronoun.head) == (1, 1, 0)
    assert model.asked == [[["The", "cup", "hit", "a", "plate"], ["It", "broke"]]]


def test_a_multi_word_token_is_one_token() -> None:
    words = (
        Word("It", "it", "PRON", "", 2, "nsubj", 5, 9, 1),
        Word("'s", "be", "AUX", "", 2, "cop", 5, 9, 2),
        Word("hot", "hot", "ADJ", "", -1, "root", 10, 13),
    )
    tea = Sentence(
        0, 4, (Word("Tea", "tea", "NOUN", "", -1, "root", 0, 3), Word(".", ".", "PUNCT", "", 0, "punct", 3, 4))
    )
    document = Document("d", "Tea. It's hot", "en", (tea, Sentence(5, 13, words)))
    model = Recorded(((0, 0), (2, 2)))
    [[antecedent]] = MaverickResolver("maverick", "1.0.7", model).resolve([document])
    assert model.asked == [[["Tea", "."], ["It's", "hot"]]]
    assert (antecedent.antecedent.end, antecedent.pronoun.start) == (3, 5)


def test_empty_documents_are_not_asked() -> None:
    model = Recorded()
    assert list(MaverickResolver("maverick", "1.0.7", model).resolve([Document("d", " ", "en", ())])) == [()]
    assert model.asked == []


def test_offsets_beyond_the_text_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    resolver = MaverickResolver("maverick", "1.0.7", Recorded(((0, 1), (5, 99))))
    assert list(resolver.resolve([DOCUMENT])) == [()]
    assert resolver.unmapped.spans == 1
    assert "maverick: 1 mentions" in caplog.text
