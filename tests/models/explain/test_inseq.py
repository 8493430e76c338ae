"""Gradients and attention through inseq give what plain passes of the same network give, on our tokens."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from referee.analysis.salience.triggers import words
from referee.errors import MissingError, UnknownNameError, UsageError
from referee.models import open_model
from referee.protocols import INSEQ, Explanation, InGap, InTranslation, ScorePair
from tests.support.answers import Folders

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from referee.models.explain.inseq import METHODS  # noqa: E402 (it needs torch)
from referee.models.explain.prediction_difference import (  # noqa: E402
    Job,
    in_translations,
    pair_jobs,
)

CUP = "The cat put the cup into the box because it was too full."
BECHER = "Die Katze stellte den Becher in die Kiste, weil er zu voll war."

pytestmark = [
    pytest.mark.usefixtures("random_state"),
    pytest.mark.filterwarnings("ignore"),
]  # those of inseq and captum
opened = functools.cache(open_model)


def asked(source: str, target: str, word: str, given: str = "") -> InTranslation:
    (start,) = [place for place, _ in words(target) if target[place:].startswith(word)]
    return InTranslation(ScorePair(source, target, "en", "de", given), start, start + len(word), tuple(words(source)))


QUESTIONS = [
    asked(CUP, BECHER, "er"),
    asked(CUP, BECHER, "Katze"),  # several tokens
    asked("I bought a red cup. It is very small.", "Sie ist sehr klein.", "Sie", "Ich habe eine Tasse gekauft. "),
]


@pytest.fixture
def inseq() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("inseq")


def explained(model: Any, questions: Sequence[InTranslation], method: str) -> list[Explanation]:
    answers = dict(model.explain(questions, method=INSEQ + method))
    return [answers[number] for number in range(len(questions))]


def plain(model: Any, question: InTranslation, method: str) -> list[float]:
    """The same without inseq: for each token of the word the scores of all source tokens, by definition."""
    network, tokenizer = model.loaded.model, model.loaded.tokenizer
    (job,) = pair_jobs(model, [question])
    assert isinstance(job, Job)
    ids = torch.tensor([job.source])
    unknown = torch.where(ids == network.config.eos_token_id, ids, torch.full_like(ids, tokenizer.unk_token_id))
    vectors, baseline = (embedded(network, each) for each in (ids, unknown))
    inputs = torch.tensor([job.inputs])
    scores = []
    for place, target in zip(job.positions, job.targets, strict=True):

        def run(own: Any, place: int = place) -> Any:
            return network(inputs_embeds=own, decoder_input_ids=inputs[:, : place + 1], output_attentions=True)

        def probability(own: Any, target: int = target) -> Any:
            return run(own).logits[0, -1].softmax(-1)[target]

        def gradient(own: Any) -> Any:
            own = own.clone().requires_grad_()
            return torch.autograd.grad(probability(own), own)[0]

        if method == "occlusion":
            whole = probability(vectors)
            copies = [vectors.clone() for _ in job.source]
            for number, copy in enumerate(copies):
                copy[0, number] = baseline[0, number]
            scores.append(torch.stack([(whole - probability(copy)).abs() for copy in copies]))
            continue
        if method == "attention":
            own = torch.stack(run(vectors).cross_attentions)[:, 0, :, -1].mean(dim=(0, 1))
        elif method == "integrated_gradients":
            points, weights = np.polynomial.legendre.leggauss(50)
            way = vectors - baseline
            sums = sum(
                weight / 2 * gradient(baseline + (1 + point) / 2 * way)
                for point, weight in zip(points.tolist(), weights.tolist(), strict=True)
            )
            own = (sums * way)[0].norm(dim=-1)
        else:
            own = (gradient(vectors) * (vectors if method == "input_x_gradient" else 1))[0].norm(dim=-1)
        scores.append(own / own.sum())
    means = torch.stack(scores).mean(dim=0)
    return [float(means[list(word)].mean()) for word in job.words]


def embedded(network: Any, ids: Any) -> Any:
    encoder = network.get_encoder()
    vectors = encoder.get_input_embeddings()(ids).detach()
    if not torch.allclose(encoder(inputs_embeds=vectors)[0], encoder(input_ids=ids)[0], atol=1e-5):
        vectors = vectors * encoder.embed_scale  # some scale behind the embeddings, some within
    return vectors


@pytest.mark.parametrize("family", ["marian", "mbart50", "m2m100", "t5"])
@pytest.mark.parametrize("method", METHODS)
def test_scores_are_those_of_plain_passes(inseq: Any, folders: Folders, family: str, method: str) -> None:
    model: Any = opened(f"hf:{folders(family)}")
    whole = dict(in_translations(model, QUESTIONS))
    for number, (question, found) in enumerate(zip(QUESTIONS, explained(model, QUESTIONS, method), strict=True)):
        assert found.values == pytest.approx(plain(model, question, method), rel=1e-3, abs=1e-5)
        assert found.probability == pytest.approx(whole[number].probability, rel=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_weighs_every_word(inseq: Any, folders: Folders, method: str) -> None:
    model = opened(f"hf:{folders('mbart50')}")
    for question, found in zip(QUESTIONS, explained(model, QUESTIONS, method), strict=True):
        values = [value for value in found.values if value is not None]
        assert len(values) == len(question.words)
        assert len(set(values)) > len(values) // 2
    # One method leaves nothing behind that changes the next.
    again = explained(model, QUESTIONS[:1], method)
    assert again[0].values == pytest.approx(explained(model, QUESTIONS[:1], method)[0].values, rel=1e-4)


def test_pocket_is_explained_by_its_transformers_form(inseq: Any) -> None:
    question = asked("The dog ran because it was hungry.", "Der Hund lief, weil er Hunger hatte.", "er")
    (found,) = explained(opened("pocket,engine=hf"), [question], "saliency")
    assert len(found.values) == 8
    assert 0.5 < sum(value or 0 for value in found.values) < 1, "the code and the end have a share of their own"


def test_what_cannot_be_explained_says_why(inseq: Any, folders: Folders) -> None:
    long = asked("The cat. " * 60, BECHER, "er")
    model: Any = opened(f"hf:{folders('marian')}")
    answers = dict(model.explain([long, QUESTIONS[0]], method="inseq:attention"))
    assert answers[0].refused.startswith("too long: ")
    assert answers[1].refused == ""


def test_unknown_methods(folders: Folders) -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean saliency.*Choose one of attention, input_x"):
        explained(opened(f"hf:{folders('marian')}"), QUESTIONS, "salency")


def test_masked_models_are_refused(folders: Folders) -> None:
    gap = InGap("The _ sat.", "cat", ((0, 3),))
    with pytest.raises(UsageError, match="explains translations, but this model fills gaps"):
        model: Any = opened(f"mlm:{folders('bert')}")
        model.explain([gap], method="inseq:saliency")


def test_without_inseq_it_says_how_to_get_it(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inseq", None)
    with pytest.raises(MissingError, match=r"pip install 'referee\[inseq\]'"):
        explained(opened(f"hf:{folders('marian')}"), QUESTIONS, "saliency")


def test_methods_are_known_to_inseq(inseq: Any) -> None:
    assert set(METHODS) <= set(inseq.list_feature_attribution_methods())
