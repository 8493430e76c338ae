from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.annotate.document import Document
from referee.annotate.resolve.spans import mention_of, word_of
from tests.support.annotated import documents
from tests.support.coreferent import parsed


def test_what_belongs_to_a_noun_phrase() -> None:
    document = parsed(
        "From/ADP/4/case the/DET/4/det old/ADJ/4/amod cup/NOUN/10/obl of/ADP/6/case tea/NOUN/4/nmod and/CCONJ/9/cc"
        " a/DET/9/det plate/NOUN/4/conj fell/VERB/0/root crumbs/NOUN/10/nsubj ./PUNCT/10/punct"
    )
    single = mention_of(document.sentences, 0, 3)
    group = mention_of(document.sentences, 0, 3, grouped=True)
    assert document.text[single.start : single.end] == "the old cup of tea"
    assert document.text[group.start : group.end] == "the old cup of tea and a plate"
    assert (single.sentence, single.head) == (0, 3)


def test_a_predicate_is_without_its_subject_and_copula() -> None:
    document = parsed("It/PRON/4/nsubj was/AUX/4/cop my/PRON/4/nmod:poss cup/NOUN/0/root ./PUNCT/4/punct")
    mention = mention_of(document.sentences, 0, 3)
    assert document.text[mention.start : mention.end] == "my cup"


def test_a_pronoun_is_named_without_what_hangs_from_it() -> None:
    document = parsed("Even/ADV/2/advmod it/PRON/3/nsubj fell/VERB/0/root")
    assert document.text[slice(*word_of(document.sentences, 0, 1)[2:])] == "it"
    assert document.text[slice(*mention_of(document.sentences, 0, 1)[2:])] == "Even it"


@given(documents(), st.booleans())
def test_any_word_of_any_document(document: Document, grouped: bool) -> None:
    for number, sentence in enumerate(document.sentences):
        for index, word in enumerate(sentence.words):
            mention = mention_of(document.sentences, number, index, grouped=grouped)
            assert mention.start <= word.start <= word.end <= mention.end
