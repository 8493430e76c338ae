from __future__ import annotations

import logging

import pytest

from referee.annotate.document import Document, Sentence, Word
from referee.annotate.resolve.clusters import CERTAIN, Unmapped, antecedents_of
from tests.support.coreferent import parsed


def _spans(document: Document, *phrases: str) -> list[tuple[int, int]]:
    return [(document.text.index(phrase), document.text.index(phrase) + len(phrase)) for phrase in phrases]


def _texts(document: Document, *clusters: list[tuple[int, int] | None]) -> list[tuple[str, str, int]]:
    return [
        (
            document.text[each.pronoun.start : each.pronoun.end],
            document.text[each.antecedent.start : each.antecedent.end],
            each.antecedent.head,
        )
        for each in antecedents_of(document, clusters, Unmapped("tool"))
    ]


DOCUMENT = parsed(
    "The/DET/3/det old/ADJ/3/amod cup/NOUN/4/nsubj hit/VERB/0/root a/DET/6/det plate/NOUN/4/obj",
    "It/PRON/2/nsubj cracked/VERB/0/root ./PUNCT/2/punct",
    "Its/PRON/2/nmod:poss handle/NOUN/3/nsubj fell/VERB/0/root",
)


def test_pronouns_get_the_nearest_noun_of_their_cluster() -> None:
    cluster = _spans(DOCUMENT, "Its", "It ", "The old cup")
    assert _texts(DOCUMENT, [*cluster]) == [("It", "The old cup", 2), ("Its", "The old cup", 2)]
    [first, *_] = antecedents_of(DOCUMENT, [cluster], Unmapped("tool"))
    assert (first.confidence, first.pronoun.sentence, first.antecedent.sentence) == (CERTAIN, 1, 0)


def test_no_cataphora_and_no_pronouns_alone() -> None:
    assert _texts(DOCUMENT, [*_spans(DOCUMENT, "It ", "handle")]) == []
    assert _texts(DOCUMENT, [*_spans(DOCUMENT, "It ", "Its")]) == []
    assert _texts(DOCUMENT, [*_spans(DOCUMENT, "The old cup", "a plate")]) == []


def test_other_tokens_are_mapped_by_characters() -> None:
    start = DOCUMENT.text.index("old")
    assert _texts(DOCUMENT, [(start + 1, start + 6), *_spans(DOCUMENT, "It ")]) == [("It", "old cup", 2)]


def test_a_span_over_sentences_is_cut_to_its_largest_part() -> None:
    start, end = DOCUMENT.text.index("a plate"), DOCUMENT.text.index(" cracked")
    assert _texts(DOCUMENT, [(start, end), *_spans(DOCUMENT, "Its")]) == [("Its", "a plate", 5)]


def test_a_multi_word_token_is_its_pronoun() -> None:
    words = (
        Word("It", "it", "PRON", "", 2, "nsubj", 5, 9, 1),
        Word("'s", "be", "AUX", "", 2, "cop", 5, 9, 2),
        Word("hot", "hot", "ADJ", "", -1, "root", 10, 13),
    )
    tea = Sentence(0, 4, (Word("Tea.", "tea", "NOUN", "", -1, "root", 0, 4),))
    document = Document("d", "Tea. It's hot", "en", (tea, Sentence(5, 13, words)))
    [only] = antecedents_of(document, [[(0, 3), (5, 7)]], Unmapped("tool"))
    assert (only.pronoun.head, only.antecedent.head) == (0, 0)


def test_what_has_no_word_is_counted_and_reported_once(caplog: pytest.LogCaptureFixture) -> None:
    unmapped = Unmapped("tool")
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            antecedents_of(DOCUMENT, [[None, (1_000, 1_001), *_spans(DOCUMENT, "It ")]], unmapped)
    assert unmapped.spans == 4
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("tool: 2 mentions in document 'd' have no word")
    empty = Document("e", "", "en", ())
    assert antecedents_of(empty, [[(0, 1)]], unmapped) == ()
    assert unmapped.spans == 5


def test_possessive_determiners_count_as_pronouns() -> None:
    document = parsed("Hund/NOUN/0/root", "Sein/DET/2/det/Poss=Yes Ball/NOUN/0/root", "Der/DET/2/det Ball/NOUN/0/root")
    assert _texts(document, [*_spans(document, "Hund", "Sein")]) == [("Sein", "Hund", 0)]
    assert _texts(document, [*_spans(document, "Hund", "Der")]) == []
