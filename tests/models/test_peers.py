"""The same weights through minicons and lm-evaluation-harness: equal numbers where special tokens are treated alike.

Where they are not, the test says how they differ, and shows it. Both peers are no dependencies: tests skip without.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.models.spec import parse
from referee.protocols import ScoreText
from tests.support import tiny_models as tiny
from tests.support.answers import Folders

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from referee.models.hf.causal import open_causal  # noqa: E402 (they need torch)
from referee.models.hf.masked import open_masked  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

TOLERANCE = 1e-4
TEXTS = [*tiny.CORPUS["en"][:5], *tiny.CORPUS["de"][:3], *tiny.CORPUS["ru"][:2], "The 猫 sang.", "Yes."]
CUP = "The cat put the cup into the box because"
ENDINGS = [" it was too full.", " he was too full.", " the old box was too full."]


def peer(module: str) -> Any:
    """A peer, whatever it warns of when it is imported; the test skips where it is not installed."""
    pytest.importorskip(module.partition(".")[0], exc_type=ImportError)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(module)


def masked(folder: Path, texts: Sequence[str], options: str = "") -> list[tuple[float, ...]]:
    answers = dict(open_masked(parse(f"mlm:{folder}{options}")).score_texts([ScoreText(text) for text in texts]))
    return [answers[number].logprobs for number in range(len(texts))]


def causal(folder: Path, texts: Sequence[ScoreText]) -> list[tuple[float, ...]]:
    answers = dict(open_causal(parse(f"causal:{folder}")).score_texts(texts))
    return [answers[number].logprobs for number in range(len(texts))]


def numbers(scored: Sequence[tuple[str, float]]) -> list[float]:
    return [score for _, score in scored]


@pytest.mark.parametrize(("way", "metric"), [("show", "original"), ("mask", "within_word_l2r")])
@pytest.mark.parametrize("family", tiny.MASKED)
def test_masked_models_equal_minicons(family: str, way: str, metric: str, folders: Folders) -> None:
    """Special tokens are treated alike: they are there, and are not scored."""
    scorer = peer("minicons.scorer").MaskedLMScorer(str(folders(family)), "cpu")
    if not hasattr(scorer.tokenizer, "batch_encode_plus"):  # gone in transformers 5, and called by minicons 0.3.39
        scorer.tokenizer.batch_encode_plus = scorer.tokenizer.__call__
    found = masked(folders(family), TEXTS, f",within_word={way}")
    for text, own in zip(TEXTS, found, strict=True):
        (theirs,) = scorer.token_score([text], PLL_metric=metric)
        assert own == pytest.approx(numbers(theirs), abs=TOLERANCE)


def minicons_causal(folder: Path) -> Any:
    scorer = peer("minicons.scorer").IncrementalLMScorer(str(folder), "cpu")
    if scorer.tokenizer.pad_token is None:  # it pads even a single text
        scorer.tokenizer.pad_token = scorer.tokenizer.eos_token
    return scorer


def test_causal_models_equal_minicons_given_a_start(folders: Folders) -> None:
    """GPT-2's tokenizer adds no start; asked for one, minicons scores as we do. It lists the start itself, with 0."""
    scorer = minicons_causal(folders("gpt2"))
    for text, own in zip(TEXTS, causal(folders("gpt2"), [ScoreText(text) for text in TEXTS]), strict=True):
        (theirs,) = scorer.token_score([text], bos_token=True)
        assert theirs[0] == ("<|endoftext|>", 0.0)
        assert own == pytest.approx(numbers(theirs)[1:], abs=TOLERANCE)


def test_minicons_leaves_the_first_word_of_gpt2_out(folders: Folders) -> None:
    """The difference: by default nothing stands before the first token, which gets 0, and the others read no start."""
    scorer = minicons_causal(folders("gpt2"))
    text = TEXTS[0]
    (own,) = causal(folders("gpt2"), [ScoreText(text)])
    (theirs,) = scorer.token_score([text])
    assert len(theirs) == len(own)
    assert numbers(theirs)[0] == 0.0
    assert own[0] < -0.01
    assert max(abs(one - other) for one, other in zip(own[1:], numbers(theirs)[1:], strict=True)) > 0.01


def test_llama_equals_minicons_as_it_is(folders: Folders) -> None:
    """Llama's tokenizer adds the start itself: no option is needed, and `bos_token=True` would add a second one."""
    scorer = minicons_causal(folders("llama"))
    for text, own in zip(TEXTS, causal(folders("llama"), [ScoreText(text) for text in TEXTS]), strict=True):
        (theirs,) = scorer.token_score([text])
        assert theirs[0][0] == "<s>"
        assert own == pytest.approx(numbers(theirs)[1:], abs=TOLERANCE)
    (twice,) = scorer.token_score([TEXTS[0]], bos_token=True)
    assert [token for token, _ in twice[:2]] == ["<s>", "<s>"]


def harness(folder: Path, **options: Any) -> Any:
    return peer("lm_eval.models.huggingface").HFLM(
        pretrained=str(folder), device="cpu", batch_size=4, dtype="float32", **options
    )


def loglikelihoods(model: Any, pairs: Sequence[tuple[str, str]]) -> list[float]:
    instance = peer("lm_eval.api.instance").Instance
    requests = [instance("loglikelihood", {}, pair, number) for number, pair in enumerate(pairs)]
    return [float(score) for score, _ in model.loglikelihood(requests, disable_tqdm=True)]


@pytest.mark.parametrize("family", tiny.CAUSAL)
def test_whole_sentences_equal_the_harness(family: str, folders: Folders) -> None:
    """Without a context it puts one start token before the text, as we do."""
    found = causal(folders(family), [ScoreText(text) for text in TEXTS])
    theirs = loglikelihoods(harness(folders(family)), [("", text) for text in TEXTS])
    assert [sum(own) for own in found] == pytest.approx(theirs, abs=TOLERANCE)


def test_endings_of_llama_equal_the_harness(folders: Folders) -> None:
    """With a context, partial scoring: both read the start token first, and score what follows the context."""
    texts = [ScoreText(CUP + ending, len(CUP), "cup") for ending in ENDINGS]
    found = [sum(own) for own in causal(folders("llama"), texts)]
    theirs = loglikelihoods(harness(folders("llama"), add_bos_token=True), [(CUP, ending) for ending in ENDINGS])
    assert found == pytest.approx(theirs, abs=TOLERANCE)


def test_the_harness_reads_endings_of_gpt2_without_a_start(folders: Folders) -> None:
    """The difference: with a context it puts no start token before it; given one as text, it scores as we do."""
    texts = [ScoreText(CUP + ending, len(CUP), "cup") for ending in ENDINGS]
    found = [sum(own) for own in causal(folders("gpt2"), texts)]
    model = harness(folders("gpt2"))
    theirs = loglikelihoods(model, [(CUP, ending) for ending in ENDINGS])
    assert all(abs(own - other) > 0.01 for own, other in zip(found, theirs, strict=True))
    started = loglikelihoods(model, [(f"<|endoftext|>{CUP}", ending) for ending in ENDINGS])
    assert found == pytest.approx(started, abs=TOLERANCE)


def test_the_harness_reads_another_text_where_a_token_spans_the_join(folders: Folders) -> None:
    """The difference: it cuts by the number of the context's tokens, we by which they are.

    So it reads the tokens of `The cat saw the b`, and then those behind `box`; we score `box`, which is new.
    """
    context, ending = "The cat saw the b", "ox and ran."
    model = harness(folders("gpt2"))
    before, whole = model.tok_encode(context), model.tok_encode(context + ending)
    assert whole[: len(before)] != before, "the join is inside of a token"
    (theirs,) = loglikelihoods(model, [(f"<|endoftext|>{context}", ending)])
    rest = whole[len(before) :]
    tokens = torch.tensor([[model.tokenizer.bos_token_id, *before, *rest]])
    with torch.inference_mode():
        logprobs = model.model(tokens).logits[0].log_softmax(-1)
    read = [float(logprobs[len(before) + place, token]) for place, token in enumerate(rest)]
    assert theirs == pytest.approx(sum(read), abs=TOLERANCE)
    (own,) = causal(folders("gpt2"), [ScoreText(context + ending, len(context))])
    assert len(own) == len(rest) + 1
    assert abs(sum(own[1:]) - theirs) > 0.01
