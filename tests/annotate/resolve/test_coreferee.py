"""Coreferee through its real chains, where the package is installed; its models cannot be made on the spot.

Elsewhere the adapter is tested on the form of its output: `doc._.coref_chains`, chains of mentions of token indexes.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from referee.annotate.protocols import Resolver
from referee.annotate.resolve.coreferee import CorefereeResolver, open_coreferee
from referee.errors import MissingError, UsageError
from tests.support.coreferent import parsed

DOCUMENT = parsed(
    "Ann/PROPN/4/nsubj and/CCONJ/3/cc Ben/PROPN/1/conj hit/VERB/0/root cups/NOUN/4/obj",
    "They/PRON/2/nsubj broke/VERB/0/root",
)


class Token(NamedTuple):
    text: str
    idx: int


class Recorded(list[Token]):
    """A document of spaCy, as far as the adapter looks at it."""

    def __init__(self, text: str, chains: list[list[list[int]]] | None) -> None:
        start = 0
        for token in text.split():
            start = text.index(token, start)
            self.append(Token(token, start))
            start += len(token)
        mentions = [[SimpleNamespace(token_indexes=indexes) for indexes in chain] for chain in chains or ()]
        found = None if chains is None else [SimpleNamespace(mentions=members) for members in mentions]
        self._ = SimpleNamespace(coref_chains=found)


def test_chains_become_antecedents() -> None:
    resolver = CorefereeResolver("coreferee:x", "1.5.0", lambda text: Recorded(text, [[[4], [5]]]))
    assert isinstance(resolver, Resolver)
    [[antecedent]] = resolver.resolve([DOCUMENT])
    assert DOCUMENT.text[antecedent.antecedent.start : antecedent.antecedent.end] == "cups"


def test_a_coordination_reaches_from_the_first_to_the_last() -> None:
    [[antecedent]] = CorefereeResolver("coreferee:x", "1.5.0", lambda text: Recorded(text, [[[0, 2], [5]]])).resolve(
        [DOCUMENT]
    )
    assert DOCUMENT.text[antecedent.antecedent.start : antecedent.antecedent.end] == "Ann and Ben"
    assert antecedent.antecedent.head == 0


def test_no_chains() -> None:
    assert list(CorefereeResolver("coreferee:x", "1.5.0", lambda text: Recorded(text, None)).resolve([DOCUMENT])) == [
        ()
    ]


def _real(chains: list[list[list[int]]]) -> Callable[[str], Any]:
    spacy = pytest.importorskip("spacy", reason="needs spaCy")
    models = pytest.importorskip("coreferee.data_model", reason="needs Coreferee, which is not installed here")
    if not spacy.tokens.Doc.has_extension("coref_chains"):
        spacy.tokens.Doc.set_extension("coref_chains", default=None)
    blank = spacy.blank("en")

    def pipeline(text: str) -> Any:
        doc = blank(text)
        doc._.coref_chains = models.ChainHolder()
        for indexes in chains:
            mentions = []
            for members in indexes:
                mention = models.Mention.__new__(models.Mention)
                mention.token_indexes, mention.root_index = members, members[0]
                mentions.append(mention)
            doc._.coref_chains.chains.append(models.Chain(mentions, 0))
        return doc

    return pipeline


def test_its_own_chains() -> None:
    # spaCy counts the line break as a token.
    [[antecedent]] = CorefereeResolver("coreferee:x", "1.5.0", _real([[[0, 2], [6]]])).resolve([DOCUMENT])
    assert DOCUMENT.text[antecedent.antecedent.start : antecedent.antecedent.end] == "Ann and Ben"
    assert antecedent.pronoun.sentence == 1


def test_a_pipeline_is_needed() -> None:
    pytest.importorskip("coreferee", reason="needs Coreferee, which is not installed here")
    with pytest.raises(UsageError, match="coreferee:PIPELINE"):
        open_coreferee("")
    with pytest.raises(MissingError, match="'no_such' is not installed"):
        open_coreferee("no_such")
