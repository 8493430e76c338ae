from __future__ import annotations

from referee.annotate.document import Document
from referee.annotate.resolve.mentions import MOST, REACH, children_of, mentions_of
from referee.annotate.resolve.words import words_of
from tests.support.coreferent import parsed


def _candidates(document: Document) -> list[list[str]]:
    """The forms of the candidates of each pronoun; a coordination has a plus."""
    words = words_of(document)
    mentions = mentions_of(words, children_of(words))
    forms = [word.form for sentence in document.sentences for word in sentence.words]
    names = [forms[head] + "+" * int(grouped) for head, grouped in zip(mentions.heads, mentions.grouped, strict=True)]
    return [[names[number] for number in row if number >= 0] for row in mentions.candidates.tolist()]


def test_candidates_precede_the_pronoun_nearest_first() -> None:
    document = parsed(
        "The/DET/2/det cup/NOUN/3/nsubj hit/VERB/0/root it/PRON/3/obj",
        "Its/PRON/2/nmod:poss handle/NOUN/3/nsubj broke/VERB/0/root",
    )
    assert _candidates(document) == [["cup"], ["it", "cup"]]


def test_a_coordination_is_a_mention_too() -> None:
    document = parsed(
        "Ann/PROPN/4/nsubj and/CCONJ/3/cc Ben/PROPN/1/conj sang/VERB/0/root", "They/PRON/2/nsubj left/VERB/0/root"
    )
    assert _candidates(document) == [["Ben", "Ann+", "Ann"]]


def test_a_mention_does_not_precede_what_it_contains() -> None:
    document = parsed("The/DET/2/det cup/NOUN/6/nsubj with/ADP/5/case its/PRON/5/nmod lid/NOUN/2/nmod fell/VERB/0/root")
    assert _candidates(document) == [[]]


def test_expletives_names_inside_names_and_compounds_are_no_candidates() -> None:
    document = parsed(
        "There/PRON/2/expl was/VERB/0/root tea/NOUN/4/compound time/NOUN/2/nsubj"
        " for/ADP/6/case Ann/PROPN/2/obl Lee/PROPN/6/flat",
        "It/PRON/2/nsubj ended/VERB/0/root",
    )
    assert _candidates(document) == [["Ann", "time"]]


def test_candidates_are_few_and_near() -> None:
    far = ["Tea/NOUN/0/root"] + ["No/INTJ/0/root"] * REACH
    assert _candidates(parsed(*far, "It/PRON/0/root")) == [[]]
    assert _candidates(parsed(*far[:-1], "It/PRON/0/root")) == [["Tea"]]
    many = " ".join(["cup/NOUN/0/root"] * (MOST + 5))
    assert len(_candidates(parsed(many, "It/PRON/0/root"))[0]) == MOST


def test_possessives_that_stand_alone_are_not_ranked() -> None:
    assert (
        _candidates(
            parsed("Tea/NOUN/0/root", "Theirs/PRON/2/nsubj cooled/VERB/0/root", "Mine/PRON/2/nsubj too/ADV/0/root")
        )
        == []
    )
