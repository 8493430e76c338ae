from __future__ import annotations

from hypothesis import given

from referee.annotate.document import Document
from referee.annotate.resolve.words import NSUBJ, PLURAL, PRONOUNS, RELATION, SINGULAR, UPOS, VERBS, words_of
from tests.support.annotated import documents
from tests.support.coreferent import parsed


def test_words_as_arrays() -> None:
    document = parsed(
        "The/DET/2/det cups/NOUN/3/nsubj:pass/Number=Plur/cup took/VERB/0/root/Voice=Pass/take"
        " it/PRON/3/obj/Number=Sing",
        "Ann/PROPN/2/nsubj/Number=Sing/Ann left/VERB/0/root",
    )
    words = words_of(document)
    assert words.size == 6
    assert words.sentence.tolist() == [0, 0, 0, 0, 1, 1]
    assert words.position.tolist() == [0, 1, 2, 3, 0, 1]
    assert words.head.tolist() == [1, 2, -1, 2, 5, -1]
    assert [UPOS[number] for number in words.upos.tolist()] == ["DET", "NOUN", "VERB", "PRON", "PROPN", "VERB"]
    assert words.relation.tolist()[:2] == [RELATION["det"], NSUBJ]
    assert words.number.tolist() == [0, PLURAL, 0, SINGULAR, SINGULAR, 0]
    assert words.passive.tolist() == [False, False, True, False, False, False]
    assert words.pronoun.tolist() == [0, 0, 0, PRONOUNS["it"], 0, 0]
    assert words.determiner.tolist() == [1, 0, 0, 0, 0, 0]
    assert words.verb.tolist()[2] == VERBS.index("take") + 1
    assert words.kind[1, 0] > 0
    assert words.kind[0].tolist() == [0, 0, 0]


def test_the_same_lemma_has_the_same_number() -> None:
    words = words_of(parsed("cups/NOUN/0/root//cup cup/NOUN/1/x//cup cup/VERB/1/x//cup"))
    assert words.lemma.tolist() == [0, 0, 1]


def test_a_document_without_words() -> None:
    words = words_of(Document("d", "", "en", ()))
    assert (words.size, len(words.head), words.kind.shape) == (0, 0, (0, 3))


@given(documents())
def test_any_document(document: Document) -> None:
    words = words_of(document)
    assert words.size == sum(len(sentence.words) for sentence in document.sentences)
    assert all(len(array) == words.size for array in (words.head, words.upos, words.lemma, words.kind, words.verb))
