"""Masked models score as a plain loop does that masks one token at a time, however the copies are batched."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.errors import UsageError
from referee.models.spec import parse
from referee.protocols import Blank, FillsBlanks, Model, ScoresPairs, ScoresTexts, ScoreText, TokenScores
from tests.support import tiny_models as tiny
from tests.support.answers import TOLERANCE, Folders, assert_equal, in_order

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from referee.models.hf.masked import Masked, open_masked  # noqa: E402 (it needs torch)

FAMILIES = tiny.MASKED
WAYS = ("show", "mask")
CUP = "The cat put the cup into the box because it was too full."
TEXTS = [
    *map(ScoreText, [*tiny.CORPUS["en"][:3], *tiny.CORPUS["de"][:2], tiny.CORPUS["ru"][0]]),
    ScoreText("a"),
    ScoreText("猫 sang."),  # unknown, or in bytes; in sentencepiece a lone space comes first
    ScoreText("Über it"),
    ScoreText("  The  cat .  "),
    ScoreText("The [PAD] cat <pad> sat [SEP] on </s> it [UNK] <unk>."),  # texts of special tokens
    ScoreText(CUP, 0),
    ScoreText(CUP, len("The cat")),
    ScoreText(CUP, len("The cat ")),
    ScoreText(CUP, len("The cat put the c")),  # inside of a word
    ScoreText(CUP, len(CUP) - 1),
]

pytestmark = pytest.mark.usefixtures("random_state")


def fresh(folder: Path, options: str = "") -> Masked:
    return open_masked(parse(f"mlm:{folder}{options}"))


opened = functools.cache(fresh)  # for tests that leave the model as it is


def scores(model: Masked, texts: Sequence[ScoreText]) -> list[TokenScores]:
    return in_order(model.score_texts(texts), len(texts))


def fills(model: Masked, blanks: Sequence[Blank]) -> list[TokenScores]:
    return in_order(model.fill_blanks(blanks), len(blanks))


class Plain:
    """The same without referee: one masked copy, one forward pass, all logits."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()

    def logprobs(self, tokens: list[int]) -> Any:
        with torch.inference_mode():
            return self.model(input_ids=torch.tensor([tokens])).logits[0].float().log_softmax(-1)

    def scores(self, text: ScoreText, way: str = "show") -> list[float]:
        encoded = self.tokenizer(text.text, return_offsets_mapping=True)
        tokens, words = encoded.input_ids, encoded.word_ids()
        found = []
        for place in range(1, len(tokens) - 1):  # all but the first and the last, which are special
            if text.start and encoded["offset_mapping"][place][1] <= text.start:
                continue
            masked = list(tokens)
            masked[place] = self.tokenizer.mask_token_id
            if way == "mask":
                for later in range(place + 1, len(tokens) - 1):
                    if words[later] == words[place]:
                        masked[later] = self.tokenizer.mask_token_id
            found.append(float(self.logprobs(masked)[place, tokens[place]]))
        return found

    def fill(self, text: str, word: str, tokens: Sequence[str]) -> list[float]:
        """Chances of tokens where `text` has its gap, the rest as it is tokenised when `word` stands there.

        A mask written into the text is not the same: XLM-R then puts a space before a full stop that follows.
        """
        numbers = self.tokenizer.convert_tokens_to_ids(list(tokens))
        assert self.tokenizer.unk_token_id not in numbers
        encoded = self.tokenizer(text.replace("_", word)).input_ids
        assert encoded.count(numbers[0]) == 1
        encoded[encoded.index(numbers[0])] = self.tokenizer.mask_token_id
        logprobs = self.logprobs(encoded)[encoded.index(self.tokenizer.mask_token_id)]
        return [float(logprobs[number]) for number in numbers]


plainly = functools.cache(Plain)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("family", FAMILIES)
def test_equals_a_plain_loop(family: str, way: str, folders: Folders) -> None:
    plain = plainly(folders(family))
    found = scores(opened(folders(family), f",within_word={way}"), TEXTS)
    assert_equal(found, [plain.scores(text, way) for text in TEXTS])


@pytest.mark.parametrize("family", FAMILIES)
def test_pieces_of_a_word_are_shown_unless_masked(family: str, folders: Folders) -> None:
    shown, masked = (scores(opened(folders(family), f",within_word={way}"), TEXTS) for way in WAYS)
    assert shown == scores(opened(folders(family)), TEXTS)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folders(family))
    for text, one, other in zip(TEXTS, shown, masked, strict=True):
        if text.start == 0:
            words = tokenizer(text.text).word_ids()[1:-1]
            last = [word not in words[place + 1 :] for place, word in enumerate(words)]
            same = [abs(a - b) < TOLERANCE for a, b in zip(one.logprobs, other.logprobs, strict=True)]
            assert same == last, "only a word's last piece is predicted from the same text"


@pytest.mark.parametrize("tokens", [1, 50, 100_000])
@pytest.mark.parametrize("family", FAMILIES)
def test_neither_budget_nor_order_nor_company_matter(family: str, tokens: int, folders: Folders) -> None:
    plain = plainly(folders(family))
    expected = {text: plain.scores(text) for text in TEXTS[3:12]}
    texts = [*expected, *list(expected)[::3]]
    random.Random(tokens).shuffle(texts)
    assert_equal(scores(opened(folders(family), f",tokens={tokens}"), texts), [expected[text] for text in texts])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_side_of_padding_does_not_matter(family: str, folders: Folders) -> None:
    model = fresh(folders(family))
    right = scores(model, TEXTS)
    model.loaded.tokenizer.padding_side = "left"
    assert_equal(scores(model, TEXTS), [answer.logprobs for answer in right])


@pytest.mark.parametrize("family", FAMILIES)
def test_dropout_is_off(family: str, folders: Folders) -> None:
    model = opened(folders(family))
    assert not any(module.training for module in model.loaded.model.modules())
    assert scores(model, TEXTS) == scores(model, TEXTS)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_has_no_token_is_refused_and_the_rest_is_not(family: str, folders: Folders) -> None:
    model = opened(folders(family))
    found = scores(model, [ScoreText(""), ScoreText(CUP), ScoreText(CUP, len(CUP))])
    assert [answer.refused for answer in found] == ["no token to score", "", "no token to score"]
    assert_equal(found[1:2], [answer.logprobs for answer in scores(model, [ScoreText(CUP)])])


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_too_long_is_refused_and_the_longest_is_not(family: str, folders: Folders) -> None:
    longest = " ".join(["it"] * (tiny.POSITIONS - 2))
    found = scores(opened(folders(family)), [ScoreText(f"{longest} it"), ScoreText(longest)])
    assert found[0].refused == f"too long: {tiny.POSITIONS + 1} tokens, the model takes {tiny.POSITIONS}"
    assert_equal(found[1:], [plainly(folders(family)).scores(ScoreText(longest))])


MIDDLE = "The dog ate and _ ran to the table."
START = "_ lies under the chair."
END = "The cat saw _."
TOKENS = {
    "bert": ((MIDDLE, "it he the", "it he the"), (START, "It The", "It The"), (END, "it he", "it he")),
    "xlmr": ((MIDDLE, "it he the", "▁it ▁he ▁the"), (START, "It The", "▁It ▁The"), (END, "it he", "▁it ▁he")),
    "roberta": ((MIDDLE, "it he the", "Ġit Ġhe Ġthe"), (START, "I The", "I The"), (END, "it he", "Ġit Ġhe")),
}


@pytest.mark.parametrize("tokens", [1, 100_000])
@pytest.mark.parametrize("family", FAMILIES)
def test_blanks_equal_a_plain_masked_forward_pass(family: str, tokens: int, folders: Folders) -> None:
    plain = plainly(folders(family))
    blanks = [Blank(text, tuple(words.split())) for text, words, _ in TOKENS[family]]
    expected = [plain.fill(text, words.split()[0], own.split()) for text, words, own in TOKENS[family]]
    model = opened(folders(family), f",tokens={tokens}")
    assert_equal(fills(model, blanks), expected)
    assert_equal(fills(model, [*blanks[::-1], *blanks]), [*expected[::-1], *expected])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    "words",
    [
        ("it", "elephants"),
        ("elephants", "crocodile"),
        ("cats", "dogs"),
        ("it", ""),
        ("it was", "he was"),  # alike but for one token, and yet not one token
    ],
)
def test_words_of_several_tokens_are_refused(family: str, words: tuple[str, ...], folders: Folders) -> None:
    found = fills(opened(folders(family)), [Blank(MIDDLE, words), Blank(MIDDLE, ("it", "he"))])
    assert found[0] == TokenScores(refused="not a single token")
    assert len(found[1].logprobs) == 2


def test_a_tokenizer_that_lowers_case_fills_blanks_too(folders: Folders, tmp_path: Path) -> None:
    """As bert-base-uncased does, the model of many zero-shot Winograd results."""
    folder = tiny.make("bert", tmp_path / "uncased")
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt")) if (folder / "vocab.txt").exists() else None
    tokenizer = tokenizer or transformers.AutoTokenizer.from_pretrained(folder)
    vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    (tmp_path / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    lowered = transformers.BertTokenizer.from_pretrained(tmp_path, do_lower_case=True)
    lowered.save_pretrained(folder)
    model = opened(folder)
    assert model.loaded.tokenizer("The It").input_ids == model.loaded.tokenizer("the it").input_ids
    (upper, lower) = fills(model, [Blank(START, ("It", "He")), Blank(START, ("it", "he"))])
    assert lower.refused == ""
    assert upper == lower


@pytest.mark.parametrize("family", FAMILIES)
def test_a_blank_that_is_too_long_is_refused(family: str, folders: Folders) -> None:
    text = "The _ " + " ".join(["it"] * tiny.POSITIONS)
    (found,) = fills(opened(folders(family)), [Blank(text, ("it", "he"))])
    assert found.refused.startswith("too long: ")


def test_what_it_can_do_and_what_it_is(folders: Folders) -> None:
    model: Model = opened(folders("bert"))
    assert isinstance(model, ScoresTexts)
    assert isinstance(model, FillsBlanks)
    assert not isinstance(model, ScoresPairs)
    assert model.identity().settings == {"dtype": "float32", "within_word": "show"}
    assert opened(folders("bert"), ",within_word=mask").identity() != model.identity()
    assert opened(folders("bert"), ",tokens=5").identity() == model.identity()


@pytest.mark.parametrize("option", ["within_word=both", "tokens=0", "dtype=int8", "beam=2"])
def test_impossible_options_are_refused_before_loading(option: str) -> None:
    with pytest.raises(UsageError):
        open_masked(parse(f"mlm:/no/such/folder,{option}"))


@pytest.mark.parametrize("family", ["bert", "xlmr", "roberta"])
def test_behind_the_last_attention_only_scored_positions_are_computed(family: str, tmp_path: Path) -> None:
    """The layers' last products see one row a copy, not one a token."""
    model = open_masked(parse(f"mlm:{tiny.make(family, tmp_path / family)}"))
    layer = model.loaded.model.base_model.encoder.layer[-1]
    seen: list[int] = []
    model._feeder  # noqa: B018 (the trial that finds it runs a few tokens whole)
    handle = layer.intermediate.register_forward_hook(lambda _, inputs, __: seen.append(inputs[0].shape[:2].numel()))
    (answer,) = [scores for _, scores in model.score_texts([ScoreText("The cup is red.")])]
    handle.remove()
    assert sum(seen) == len(answer.logprobs) > 1
