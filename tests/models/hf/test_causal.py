"""Causal models score as a plain forward pass does, one text at a time, whatever texts share their work."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.models.spec import parse
from referee.protocols import FillsBlanks, Model, ScoresPairs, ScoresTexts, ScoreText, TokenScores
from tests.support import tiny_models as tiny
from tests.support.answers import TOLERANCE, Folders, assert_equal, in_common, in_order

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from referee.models.hf.causal import Causal, open_causal  # noqa: E402 (it needs torch)

FAMILIES = tiny.CAUSAL
CUP = "The cat put the cup into the box because it was too full."
CANDIDATES = [ScoreText(CUP.replace(" it ", f" {word} "), 0, "cup") for word in ("it", "he", "the old box", "she")]
PARTIAL = [replace(text, start=text.text.index(" was too full")) for text in CANDIDATES]
CASES = {
    "single": [ScoreText(text) for language in ("en", "de", "ru") for text in tiny.CORPUS[language][:3]],
    "candidates": CANDIDATES,
    "what follows the changed words": PARTIAL,
    "from a start": [ScoreText(CUP, start) for start in (1, len("The cat"), len("The cat "), len("The cat put the c"))],
    # One text, and yet not all of what is shared is scored for all.
    "different starts": [
        ScoreText(CUP, 0, "o"),
        ScoreText(CUP, len("The cat put the cup into"), "o"),
        ScoreText(CUP, 3, "o"),
    ],
    "different starts, the latest first": [ScoreText(CUP, len(CUP) - 5, "o"), ScoreText(CUP, 0, "o")],
    "one begins another": [ScoreText(CUP, 0, "o"), ScoreText(CUP + " The dog ran.", 0, "o")],
    "nothing in common": [ScoreText("It sang.", 0, "o"), ScoreText(CUP, 0, "o")],
    "texts of special tokens": [
        ScoreText(f"The <pad> cat </s> put <unk> the <|endoftext|> cup {word} it.", 0, "o") for word in ("into", "on")
    ],
    "unknown characters": [ScoreText("The 猫 sang."), ScoreText("猫")],
    "one token": [ScoreText("a"), ScoreText(".")],
}
MIXED = [text for case in CASES.values() for text in case]

pytestmark = pytest.mark.usefixtures("random_state")


def fresh(folder: Path, options: str = "") -> Causal:
    return open_causal(parse(f"causal:{folder}{options}"))


opened = functools.cache(fresh)  # for tests that leave the model as it is


def scores(model: Causal, texts: Sequence[ScoreText]) -> list[TokenScores]:
    return in_order(model.score_texts(texts), len(texts))


class Plain:
    """The same without referee: one text, one forward pass, all logits."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()

    def tokens(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer(text, add_special_tokens=False).input_ids
        return found

    def scores(self, text: ScoreText) -> list[float]:
        pieces = self.tokens(text.text)
        first = in_common(self.tokens(text.text[: text.start]), pieces) if text.start else 0
        tokens = torch.tensor([[self.tokenizer.bos_token_id, *pieces]])
        with torch.inference_mode():
            logprobs = self.model(input_ids=tokens).logits[0].float().log_softmax(-1)
        return [float(logprobs[place, piece]) for place, piece in enumerate(pieces)][first:]


plainly = functools.cache(Plain)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("family", FAMILIES)
def test_equals_a_plain_forward_pass(family: str, case: str, folders: Folders) -> None:
    plain = plainly(folders(family))
    assert_equal(scores(opened(folders(family)), CASES[case]), [plain.scores(text) for text in CASES[case]])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_word_is_scored_given_the_start(family: str, folders: Folders) -> None:
    plain = plainly(folders(family))
    (found,) = scores(opened(folders(family)), [ScoreText("The cat")])
    assert len(found.logprobs) == len(plain.tokens("The cat"))
    with torch.inference_mode():
        start = plain.model(input_ids=torch.tensor([[plain.tokenizer.bos_token_id]])).logits[0, 0].log_softmax(-1)
    assert found.logprobs[0] == pytest.approx(float(start[plain.tokens("The cat")[0]]), abs=TOLERANCE)


@pytest.mark.parametrize("texts", [CANDIDATES, PARTIAL], ids=["whole", "partial"])
@pytest.mark.parametrize("family", FAMILIES)
def test_sharing_work_changes_nothing(family: str, texts: list[ScoreText], folders: Folders) -> None:
    model = opened(folders(family))
    apart = [replace(text, origin=str(number)) for number, text in enumerate(texts)]
    assert_equal(scores(model, texts), [answer.logprobs for answer in scores(model, apart)])
    assert_equal(scores(model, texts[::-1]), [answer.logprobs for answer in scores(model, apart)][::-1])


@pytest.mark.parametrize("family", FAMILIES)
def test_what_texts_share_runs_once(family: str, folders: Folders) -> None:
    model = fresh(folders(family))
    scores(model, [ScoreText("it")])  # the first time, the model is tried out
    positions: list[int] = []
    model.loaded.model.register_forward_pre_hook(
        lambda _, __, options: positions.append(options["input_ids"].numel()), with_kwargs=True
    )
    scores(model, CANDIDATES)
    plain = plainly(folders(family))
    assert sum(positions) < 0.8 * sum(len(plain.tokens(text.text)) for text in CANDIDATES)


@pytest.mark.parametrize("tokens", [1, 50, 100_000])
@pytest.mark.parametrize("family", FAMILIES)
def test_neither_budget_nor_order_nor_company_matter(family: str, tokens: int, folders: Folders) -> None:
    plain = plainly(folders(family))
    expected = {text: plain.scores(text) for text in MIXED}
    texts = [*MIXED, *MIXED[::3]]
    random.Random(tokens).shuffle(texts)
    found = scores(opened(folders(family), f",tokens={tokens}"), texts)
    assert_equal(found, [expected[text] for text in texts])
    for candidates in (CANDIDATES, PARTIAL):
        sums = [(sum(expected[text]), sum(found[texts.index(text)].logprobs)) for text in candidates]
        plain_best, best = (max(range(len(sums)), key=lambda place: sums[place][way]) for way in (0, 1))
        assert plain_best == best


@pytest.mark.parametrize("family", FAMILIES)
def test_the_side_of_padding_does_not_matter(family: str, folders: Folders) -> None:
    model = fresh(folders(family))
    right = scores(model, MIXED)
    model.loaded.tokenizer.padding_side = "left"
    assert_equal(scores(model, MIXED), [answer.logprobs for answer in right])


@pytest.mark.parametrize("family", FAMILIES)
def test_dropout_is_off(family: str, folders: Folders) -> None:
    model = opened(folders(family))
    assert not any(module.training for module in model.loaded.model.modules())
    assert scores(model, MIXED) == scores(model, MIXED)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_has_no_token_is_refused_and_the_rest_is_not(family: str, folders: Folders) -> None:
    model = opened(folders(family))
    found = scores(model, [ScoreText("", 0, "o"), ScoreText(CUP, 0, "o"), ScoreText(CUP, len(CUP), "o")])
    assert [answer.refused for answer in found] == ["no token to score", "", "no token to score"]
    assert_equal(found[1:2], [answer.logprobs for answer in scores(model, [ScoreText(CUP)])])


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_too_long_is_refused_and_the_longest_is_not(family: str, folders: Folders) -> None:
    longest = " ".join(["it"] * (tiny.POSITIONS - 1))
    found = scores(opened(folders(family)), [ScoreText(f"{longest} it", 0, "o"), ScoreText(longest, 0, "o")])
    assert found[0].refused == f"too long: {tiny.POSITIONS + 1} tokens, the model takes {tiny.POSITIONS}"
    assert_equal(found[1:], [plainly(folders(family)).scores(ScoreText(longest))])


def test_without_a_start_token_the_first_token_is_given(folders: Folders) -> None:
    """Nothing predicts it: it is left out, rather than predicted from something made up."""
    model = opened(folders("gpt2"))
    whole = scores(model, [ScoreText(CUP)])[0].logprobs
    bare = fresh(folders("gpt2"))
    bare.loaded.tokenizer.bos_token = bare.loaded.tokenizer.eos_token = None
    (found,) = scores(bare, [ScoreText(CUP)])
    assert len(found.logprobs) == len(whole) - 1
    plain = plainly(folders("gpt2"))
    pieces = plain.tokens(CUP)
    with torch.inference_mode():
        logprobs = plain.model(input_ids=torch.tensor([pieces])).logits[0].log_softmax(-1)
    expected = [float(logprobs[place, piece]) for place, piece in enumerate(pieces[1:])]
    assert found.logprobs == pytest.approx(expected, abs=TOLERANCE)


def test_what_it_can_do_and_what_it_is(folders: Folders) -> None:
    model: Model = opened(folders("gpt2"))
    assert isinstance(model, ScoresTexts)
    assert not isinstance(model, ScoresPairs | FillsBlanks)
    assert model.identity().settings == {"dtype": "float32"}
    assert opened(folders("gpt2"), ",tokens=5").identity() == model.identity()


@pytest.mark.parametrize("option", ["tokens=0", "tokens=x", "dtype=int8", "within_word=mask"])
def test_impossible_options_are_refused_before_loading(option: str) -> None:
    with pytest.raises(UsageError):
        open_causal(parse(f"causal:/no/such/folder,{option}"))
