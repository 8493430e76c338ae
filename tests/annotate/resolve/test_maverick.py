"""Maverick through its real classes, with a tiny model of random weights, where the package is installed.

It is not among the development packages: it pins versions that they do not accept (`pip install --no-deps` helps), and
needs transformers before 5. Elsewhere the adapter is tested on the form of its output: `clusters_token_offsets`, pairs
of first and last token over the sentences that it was given.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from referee.annotate.document import Document, Sentence, Word
from referee.annotate.protocols import Resolver
from referee.annotate.resolve.maverick import MaverickResolver, open_maverick
from tests.support.coreferent import parsed
from tests.support.letters import letters_config


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


def test_tokens_without_an_offset_are_counted() -> None:
    resolver = MaverickResolver("maverick", "1.0.7", Recorded(((0, 1), (None, 5))))  # type: ignore[arg-type]
    assert list(resolver.resolve([DOCUMENT])) == [()]
    assert resolver.unmapped.spans == 1


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint with random weights."""
    pytest.importorskip(
        "maverick", reason="needs maverick-coref and transformers before 5, which is not installed here"
    )
    import torch
    from maverick.models.pl_modules import BasePLModule
    from transformers import AutoModel

    folder = tmp_path_factory.mktemp("maverick")
    torch.manual_seed(1)
    AutoModel.from_config(letters_config(folder)).save_pretrained(folder)  # type: ignore[no-untyped-call]
    module = BasePLModule(
        model={
            "_target_": "maverick.models.model_mes.Maverick_mes", "huggingface_model_name": str(folder),
            "freeze_encoder": False, "span_representation": "concat_start_end", "incremental_model_hidden_size": 16,
            "incremental_model_num_layers": 1, "incremental_position_encoding": False,
        }
    )  # fmt: skip
    weights = {"state_dict": module.state_dict(), "hyper_parameters": dict(module.hparams)}
    versions = {"pytorch-lightning_version": version("pytorch-lightning"), "epoch": 0, "global_step": 0}
    torch.save({**weights, **versions}, folder / "weights.ckpt")
    return folder / "weights.ckpt"


@pytest.mark.filterwarnings("ignore")
def test_the_real_classes(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    resolver = open_maverick(str(checkpoint))
    [antecedents] = resolver.resolve([DOCUMENT])
    assert capsys.readouterr().out == ""
    assert resolver.name == f"maverick:{checkpoint}"
    forms = [[word.form for word in sentence.words] for sentence in DOCUMENT.sentences]
    offsets = [pair for cluster in resolver.model.predict(forms)["clusters_token_offsets"] for pair in cluster]
    assert offsets, "random weights find mentions in this text"
    assert resolver.unmapped.spans == 0
    for antecedent in antecedents:
        assert DOCUMENT.sentences[antecedent.pronoun.sentence].words[antecedent.pronoun.head].form == "It"
