from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.annotate.document import Antecedent, Document
from referee.annotate.protocols import Resolver
from referee.annotate.resolve.features import pairs_of
from referee.annotate.resolve.mentions import MOST
from referee.annotate.resolve.pocket import NAME, PocketResolver, _chosen, open_pocket, resolver_of
from referee.annotate.resolve.ranker import Floats, ranker_of
from referee.annotate.resolve.words import words_of
from referee.errors import UsageError
from referee.pocket import store
from tests.support.annotated import documents
from tests.support.coreferent import parsed
from tests.support.rankers import random_weights

RESOLVER = PocketResolver(ranker_of(store.PocketModel(store.RESOLVER, {}, b"", random_weights(2), "")), 0.0, "x")

CUP = "The/DET/2/det cup/NOUN/3/nsubj hit/VERB/0/root a/DET/5/det plate/NOUN/3/obj"
BROKE = "It/PRON/2/nsubj broke/VERB/0/root"


def _with(document: Document, rows: list[dict[int, float]]) -> list[tuple[str, float]]:
    """What is chosen if the pronouns have these probabilities, by the number of the candidate (0 is the nearest)."""
    words = words_of(document)
    pairs = pairs_of(words)
    probabilities: Floats = np.zeros((len(rows), 1 + MOST), np.float32)
    for row, shares in zip(probabilities, rows, strict=True):
        for column, share in shares.items():
            row[column + 1] = share
    forms = [word.form for sentence in document.sentences for word in sentence.words]
    chosen = _chosen(words, pairs, probabilities)
    return [(forms[pairs.mentions[mention]], round(confidence, 2)) for _, mention, confidence in chosen]


def test_the_most_probable_noun_is_chosen() -> None:
    assert _with(parsed(CUP, BROKE), [{0: 0.3, 1: 0.6}]) == [("cup", 0.6)]


def test_a_pronoun_hands_its_share_on() -> None:
    # The second "it" refers to the first with 0.8, and that one to the cup with 0.5, to the plate with 0.4.
    assert _with(parsed(CUP, BROKE, BROKE), [{1: 0.5, 0: 0.4}, {0: 0.8, 1: 0.1}]) == [("cup", 0.5), ("plate", 0.42)]
    assert _with(parsed(CUP, BROKE, BROKE), [{1: 0.9}, {0: 0.8}]) == [("cup", 0.9), ("cup", 0.72)]
    assert _with(parsed(CUP, BROKE, BROKE), [{}, {0: 0.8}]) == []


def test_mentions_of_one_noun_count_together() -> None:
    document = parsed(CUP, "A/DET/2/det cup/NOUN/0/root", BROKE)
    # 0 and 2 are cups, 1 is a plate.
    assert _with(document, [{0: 0.3, 1: 0.4, 2: 0.3}]) == [("cup", 0.6)]


def test_antecedents_are_nouns_before_their_pronouns() -> None:
    document = parsed(CUP, BROKE, "She/PRON/2/nsubj took/VERB/0/root its/PRON/4/nmod handle/NOUN/2/obj")
    [antecedents] = RESOLVER.resolve([document])
    assert [document.text[each.pronoun.start : each.pronoun.end] for each in antecedents] == ["It", "She", "its"]
    for each in antecedents:
        assert document.sentences[each.antecedent.sentence].words[each.antecedent.head].upos == "NOUN"
        assert each.antecedent.end <= each.pronoun.start
        assert 0 <= each.confidence <= 1


def test_a_pronoun_is_one_word() -> None:
    document = parsed(CUP, "Even/ADV/2/advmod it/PRON/3/nsubj broke/VERB/0/root")
    [[antecedent]] = RESOLVER.resolve([document])
    assert document.text[antecedent.pronoun.start : antecedent.pronoun.end] == "it"


def test_without_nouns_a_pronoun_may_be_named() -> None:
    document = parsed(CUP, *[BROKE] * 12)
    mentions = [each.antecedent.sentence for each in RESOLVER.ranked(document, nouns=False)]
    assert len(mentions) == 12
    assert any(mentions)
    assert not any(each.antecedent.sentence for each in RESOLVER.ranked(document))


def test_what_is_below_the_threshold_is_left_out() -> None:
    document = parsed(CUP, BROKE, "This/DET/2/det cup/NOUN/4/nsubj is/AUX/4/cop mine/PRON/0/root")
    sure = PocketResolver(RESOLVER.ranker, 0.75, "x")
    [kept] = sure.resolve([document])
    [every] = RESOLVER.resolve([document])
    assert kept == tuple(each for each in every if each.confidence >= 0.75)
    assert document.text[kept[-1].pronoun.start : kept[-1].pronoun.end] == "mine"
    assert list(PocketResolver(RESOLVER.ranker, 1.01, "x").resolve([document])) == [()]


def test_documents_are_resolved_one_by_one_in_order() -> None:
    texts = [parsed(CUP, BROKE, id="a"), Document("b", "", "en", ()), parsed(BROKE, id="c"), parsed("Go/VERB/0/root")]
    together = list(RESOLVER.resolve(texts))
    assert together == [antecedents for document in texts for antecedents in RESOLVER.resolve([document])]
    assert [len(antecedents) for antecedents in together] == [1, 0, 0, 0]


@given(documents())
def test_any_document(document: Document) -> None:
    [antecedents] = RESOLVER.resolve([document])
    assert all(isinstance(each, Antecedent) for each in antecedents)


@given(st.lists(documents(), max_size=4))
def test_documents_are_resolved_as_if_alone(several: list[Document]) -> None:
    story = parsed(CUP, BROKE, "They/PRON/2/nsubj saw/VERB/0/root it/PRON/2/obj")
    chosen = [each for document in several for each in (document, story)]
    together = list(RESOLVER.resolve(chosen))
    assert together == [next(RESOLVER.resolve([document])) for document in chosen]
    assert len(together) == len(chosen)


def test_it_is_a_resolver(tmp_path: Path) -> None:
    path = tmp_path / "resolver.npz"
    sha256 = store.write(path, store.RESOLVER, {"threshold": 0.4}, b"", random_weights(1))
    resolver = resolver_of(store.read(path, store.RESOLVER))
    assert isinstance(resolver, Resolver)
    assert (resolver.name, resolver.threshold, resolver.version) == (NAME, 0.4, sha256[:12])


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (
            (
                "The/DET/2/det/Definite=Def cup/NOUN/3/nsubj/Number=Sing fell/VERB/0/root/Tense=Past/fall"
                " from/ADP/6/case the/DET/6/det/Definite=Def table/NOUN/3/obl/Number=Sing",
                "It/PRON/2/nsubj/Number=Sing broke/VERB/0/root//break",
            ),
            [("It", "The cup")],
        ),
        (
            (
                "The/DET/2/det boys/NOUN/3/nsubj/Number=Plur/boy bought/VERB/0/root//buy"
                " a/DET/5/det book/NOUN/3/obj/Number=Sing",
                "They/PRON/2/nsubj/Number=Plur read/VERB/0/root it/PRON/2/obj/Number=Sing"
                " at/ADP/5/case home/NOUN/2/obl/Number=Sing",
            ),
            [("They", "The boys"), ("it", "a book")],
        ),
        (
            (
                "Anna/PROPN/2/nsubj/Number=Sing/Anna met/VERB/0/root//meet Tom/PROPN/2/obj/Number=Sing/Tom",
                "She/PRON/2/nsubj/Number=Sing likes/VERB/0/root//like him/PRON/2/obj/Number=Sing/he",
            ),
            [("She", "Anna"), ("him", "Tom")],
        ),
        (
            (
                "The/DET/2/det cup/NOUN/3/nsubj/Number=Sing fell/VERB/0/root//fall",
                "It/PRON/2/expl rained/VERB/0/root//rain",
            ),
            [],
        ),
    ],
)
def test_the_shipped_resolver(sentences: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    document = parsed(*sentences)
    [antecedents] = open_pocket().resolve([document])
    assert [
        (
            document.text[each.pronoun.start : each.pronoun.end],
            document.text[each.antecedent.start : each.antecedent.end],
        )
        for each in antecedents
    ] == expected


def test_it_has_no_argument() -> None:
    with pytest.raises(UsageError, match="pocket:large"):
        open_pocket("large")
