"""Candidates that are the same tokens to a model are ties, whatever their batches, in every kind of model."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from referee.items import Candidate, Item
from referee.protocols import Model, TokenScores
from referee.scoring.from_model import computed
from referee.scoring.options import Norm, Part, ScoringOptions
from referee.scoring.ties import same_tokens
from referee.verdicts import Verdict

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from safetensors.torch import load_file, save_file  # noqa: E402 (these need torch)

from referee.models import open_model  # noqa: E402
from tests.support import tiny_models as tiny  # noqa: E402

# 他 and 她 are unknown to every tokenizer but the byte-level ones.
UNSEEN = ("他", "她")
PAIRS = [
    Item(
        id=f"pair {number}",
        task="translate",
        source_lang="en",
        target_lang="de",
        source=" ".join(tiny.CORPUS["en"][: 1 + number % 2]),
        candidates=tuple(
            Candidate(text=tiny.CORPUS["de"][number % 12].replace(".", f" {word}.", 1)) for word in UNSEEN
        ),
        gold=number % 2,
    )
    for number in range(30)
]


def fill(words: tuple[str, ...], source: str = "The cat saw the cup, and _ was full.") -> Item:
    candidates = tuple(Candidate(text=word) for word in words)
    return Item(
        id=source, task="fill", source_lang="en", target_lang="en", source=source, candidates=candidates, gold=0
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


def opened(kind: str, family: str, base: Path, options: str = "") -> Model:
    folder = base / family
    if not folder.exists():
        tiny.make(family.removesuffix("-uncased"), folder)
        if family.endswith("-uncased"):
            path = folder / "tokenizer.json"
            path.write_text(path.read_text().replace('"lowercase": false', '"lowercase": true'))
            path = folder / "tokenizer_config.json"
            path.write_text(path.read_text().replace('"do_lower_case": false', '"do_lower_case": true'))
        if kind == "causal":
            _whole_words().save_pretrained(folder)
    return open_model(f"{kind}:{folder}{options}")


def verdicts(model: Model, items: list[Item], norm: Norm = "ppl", part: Part = "whole") -> list[Verdict]:
    scoring = ScoringOptions(how="contrastive", norm=norm, part=part)
    return computed(model, "made", scoring, None, generate=False)(items, lambda _: None)


@pytest.mark.parametrize("options", ["", ",tokens=1", ",tokens=70"])
@pytest.mark.parametrize("family", tiny.ENCODER_DECODER)
def test_unknown_words_are_ties_in_translations(family: str, options: str, base: Path) -> None:
    judged = verdicts(opened("hf", family, base, options), PAIRS)
    assert all(verdict.tied and verdict.correct is False for verdict in judged)
    assert all(verdict.scores[0] == verdict.scores[1] for verdict in judged)


@pytest.mark.parametrize("norm", ["ppl", "sum", "char"])
@pytest.mark.parametrize(
    ("kind", "family", "words"),
    [
        ("mlm", "bert", UNSEEN),
        ("mlm", "bert", ("it", "it ")),
        ("mlm", "bert-uncased", ("it", "IT", "It ")),
        ("mlm", "xlmr", UNSEEN),
        ("mlm", "bert,within_word=mask", UNSEEN),
        ("causal", "gpt2", UNSEEN),
        ("hf", "t5", ()),
    ],
)
def test_same_tokens_are_ties_in_every_form_of_scoring(
    kind: str, family: str, words: tuple[str, ...], norm: Norm, base: Path
) -> None:
    name, _, option = family.partition(",")
    model = opened(kind, name, base, f",{option}" if option else "")
    items = [fill(words)] if words else [_with_space(PAIRS[0])]
    for verdict in verdicts(model, items, norm):
        assert verdict.tied
        assert len(set(verdict.scores)) == len(set(verdict.token_scores)) == 1


def test_a_masked_position_has_ties_too(base: Path) -> None:
    model = opened("mlm", "bert", base)
    same, third = verdicts(model, [fill(UNSEEN), fill((*UNSEEN, "it"), "I saw that _ was full.")], part="mask")
    assert same.dropped is None
    assert same.tied
    assert same.correct is False
    assert third.scores[0] == third.scores[1] != third.scores[2]


def test_ties_do_not_depend_on_what_was_asked_before() -> None:
    """The other member of a tie may come from an earlier batch, or from a cache, with other last digits."""
    answers = [TokenScores((-1.0, -2.0), tokens="a"), TokenScores((-1.0, -2.0000001), tokens="a")]
    assert same_tokens(answers, ["er", "er "]) == [((-1.0, -2.0), "er")] * 2


def test_a_model_without_tokens_has_its_own_scores() -> None:
    answers = [TokenScores((-1.0,)), TokenScores((-1.5,))]
    assert same_tokens(answers, ["er", "er "]) == [((-1.0,), "er"), ((-1.5,), "er ")]


def _whole_words() -> Any:
    """A tokenizer of words, for a causal model: those of our families read bytes and know every text."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = ("<s>", "<unk>", *["The", "cat", "saw", "the", "cup", ",", "and", "was", "full", "."])
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    made: Any = PreTrainedTokenizerFast
    return made(tokenizer_object=tokenizer, bos_token="<s>", unk_token="<unk>")


def _with_space(item: Item) -> Item:
    text = item.candidates[0].text
    return Item(
        id="space",
        task="translate",
        source_lang="en",
        target_lang="de",
        source=item.source,
        candidates=(Candidate(text=text), Candidate(text=f"{text} ")),
        gold=0,
    )


@pytest.mark.parametrize(("kind", "family", "task"), [("hf", "marian", "pair"), ("mlm", "bert", "fill")])
def test_a_checkpoint_that_gives_nan_decides_nothing(kind: str, family: str, task: str, tmp_path: Path) -> None:
    folder = tiny.make(family, tmp_path / family)
    weights = load_file(folder / "model.safetensors")
    save_file(
        {name: torch.full_like(weight, math.nan) for name, weight in weights.items()}, folder / "model.safetensors"
    )
    items = PAIRS[:3] if task == "pair" else [fill(("it", "he"))]
    parts: tuple[Part, ...] = ("whole", "mask") if task == "fill" else ("whole",)
    for part in parts:
        judged = verdicts(open_model(f"{kind}:{folder}"), items, part=part)
        assert {verdict.dropped for verdict in judged} == {"score is NaN"}
