"""fastcoref through its real classes, with a tiny model of random weights, where the package is installed.

It is not among the development packages, because it needs transformers before 5. Elsewhere the adapter is tested on
the form of its output: objects whose `get_clusters(as_strings=False)` gives characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.annotate.document import Document
from referee.annotate.protocols import Resolver
from referee.annotate.resolve.fastcoref import FastcorefResolver
from referee.annotate.resolve.fastcoref import open_fastcoref as opened
from tests.support.coreferent import parsed
from tests.support.letters import letters_config

DOCUMENT = parsed(
    "The/DET/2/det cup/NOUN/3/nsubj hit/VERB/0/root a/DET/5/det plate/NOUN/3/obj", "It/PRON/2/nsubj broke/VERB/0/root"
)


class Result:
    def __init__(self, clusters: list[list[tuple[int, int] | None]]) -> None:
        self.clusters = clusters

    def get_clusters(self, as_strings: bool = True) -> list[list[tuple[int, int] | None]]:
        assert not as_strings
        return self.clusters


class Recorded:
    """Says that the first seven characters and the first "It" are the same, and has one mention without characters."""

    def predict(self, texts: Sequence[str]) -> list[Result]:
        assert all(text.strip() for text in texts)
        return [Result([[(0, 7), (text.index("It"), text.index("It") + 2), None]]) for text in texts]


def test_characters_become_antecedents() -> None:
    resolver = FastcorefResolver("fastcoref", "2.1.6", Recorded())
    assert isinstance(resolver, Resolver)
    empty = Document("e", " ", "en", ())
    first, nothing, last = resolver.resolve([DOCUMENT, empty, DOCUMENT])
    assert first == last
    assert nothing == ()
    [antecedent] = first
    assert (antecedent.antecedent.head, antecedent.pronoun.sentence) == (1, 1)
    assert resolver.unmapped.spans == 2


def test_many_documents_keep_their_order() -> None:
    documents = [DOCUMENT if number % 3 else Document(str(number), "", "en", ()) for number in range(150)]
    found = list(FastcorefResolver("fastcoref", "2.1.6", Recorded()).resolve(documents))
    assert [len(antecedents) for antecedents in found] == [int(number % 3 > 0) for number in range(150)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with one small layer and the letters as its vocabulary."""
    pytest.importorskip("fastcoref", reason="needs fastcoref and transformers before 5, which is not installed here")
    import torch
    from fastcoref.coref_models.modeling_fcoref import FCorefModel

    path = tmp_path_factory.mktemp("fastcoref")
    config = letters_config(path)
    config.coref_head = {
        "max_span_length": 30, "top_lambda": 0.25, "ffnn_size": 8, "dropout_prob": 0.0, "max_segment_len": 512,
        "max_doc_len": None,
    }  # fmt: skip
    torch.manual_seed(1)
    FCorefModel(config).save_pretrained(path)
    return path


@pytest.mark.filterwarnings("ignore")
def test_the_real_classes(folder: Path) -> None:
    resolver = opened(str(folder))
    assert resolver.name == f"fastcoref:{folder}"
    documents = [DOCUMENT, Document("e", "", "en", ()), parsed(*["It/PRON/2/nsubj broke/VERB/0/root"] * 30)]
    assert len(list(resolver.resolve(documents))) == 3
    full = [documents[0].text, documents[2].text]
    spans = [
        "" if span is None else text[span[0] : span[1]].strip()
        for text, result in zip(full, resolver.model.predict(texts=full), strict=True)
        for cluster in result.get_clusters(as_strings=False)
        for span in cluster
    ]
    assert any(spans), "random weights find mentions in these texts"
    # Some spans have no characters; others are line breaks, which are tokens there and no words here.
    assert resolver.unmapped.spans == spans.count("")
