"""Checkpoints of `tiny` as models of CTranslate2, and what a plain forward pass of transformers says of texts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from referee.models.ct2.generator import Ct2Generator
from referee.models.ct2.load import open_ct2
from referee.models.ct2.translator import Ct2Translator
from referee.models.spec import parse
from referee.protocols import ScorePair, ScoreText, TokenScores
from tests.support import tiny_models as tiny

ctranslate2 = pytest.importorskip("ctranslate2")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
# Loaded on first use, which may be in a test that hides transformers: then it would do without for good.
import_module("ctranslate2.converters.transformers")

# The converter of CTranslate2 4.8 scales the outputs of t5-untied as if it were tied, when transformers is 5.
TRANSLATORS = ("marian", "mbart50", "m2m100", "nllb", "t5")
GENERATORS = ("gpt2", "llama")
CODES = {"mbart50": ("en_XX", "de_DE"), "m2m100": ("en", "de"), "nllb": ("eng_Latn", "deu_Latn")}
CODE_TOKENS = CODES | {"m2m100": ("__en__", "__de__")}

PAIRS = [
    ScorePair(source, target, "en", "de")
    for source, target in zip(tiny.CORPUS["en"][:6], tiny.CORPUS["de"][:6], strict=True)
] + [
    ScorePair("I bought a cup. It is small.", "Sie ist klein.", "en", "de", given="Ich habe eine Tasse gekauft. "),
    ScorePair("I bought a cup. It is small.", "Er ist klein.", "en", "de", given="Ich habe eine Tasse gekauft. "),
    ScorePair("The bird sang.", "vogel sang.", "en", "de", given="Der Wald"),  # the join is inside of a word
    ScorePair("The 猫 sang.", "Die 猫 sang.", "en", "de"),  # unknown to every tokenizer but the byte-level ones
]
TEXTS = [ScoreText(text) for text in tiny.CORPUS["en"][:5]] + [
    ScoreText("The cat put the cup into the box.", start=len("The cat")),
    ScoreText("The cat put the cup into the box.", start=len("The cat ")),
    ScoreText("The cat put the cup into the box.", start=len("The cat put the c")),
]


Convert = Callable[..., Path]


def converted(base: Path, family: str, quantization: str | None = None) -> Path:
    """A folder under `base` with the family's model, beside that of the checkpoint; both are made once."""
    original = base / family
    if not original.exists():
        tiny.make(family, original)
        if family == "mbart50":  # what the published config says, and the converter reads
            config = json.loads((original / "config.json").read_text("utf-8"))
            config |= {"normalize_before": True, "normalize_embedding": True, "tokenizer_class": "MBart50Tokenizer"}
            (original / "config.json").write_text(json.dumps(config), "utf-8")
    folder = base / f"{family}-{quantization}"
    if not folder.exists():
        tokenizer = [path.name for path in original.iterdir() if path.name.startswith(("token", "vocab", "source"))]
        tokenizer += [path.name for path in original.iterdir() if path.name.startswith(("target", "sentencepiece"))]
        with pytest.MonkeyPatch.context() as patch:
            if family == "m2m100":
                patch.setattr(ctranslate2.converters.transformers.M2M100Loader, "get_vocabulary", _m2m100_tokens)
            converter = ctranslate2.converters.TransformersConverter(str(original), copy_files=tokenizer)
            converter.convert(str(folder), quantization=quantization)
        config = json.loads((folder / "config.json").read_text("utf-8"))
        if config["bos_token"] is None:  # in mbart50, with transformers 5; CTranslate2 does not load it
            (folder / "config.json").write_text(json.dumps(config | {"bos_token": "<s>"}), "utf-8")
    return folder


def _m2m100_tokens(_: Any, model: Any, tokenizer: Any) -> list[str]:
    """The vocabulary with its language codes, which converters of CTranslate2 4.8 do not find in transformers 5."""
    tokens = tokenizer.convert_ids_to_tokens(range(model.config.vocab_size))
    unknown = tokenizer.unk_token_id
    return [
        f"made up {i}" if token == tokenizer.unk_token and i != unknown else token for i, token in enumerate(tokens)
    ]


def configured(folder: Path, copy: Path, **changes: Any) -> Path:
    """A copy of a model's folder with another configuration."""
    shutil.copytree(folder, copy)
    config = json.loads((copy / "config.json").read_text("utf-8"))
    (copy / "config.json").write_text(json.dumps(config | changes), "utf-8")
    return copy


def opened(folder: Path, options: str = "") -> Any:
    return open_ct2(parse(f"ct2:{folder}{options},intra_threads=1"))  # more are slower on models this small


def translator(folder: Path, options: str = "") -> Ct2Translator:
    model = opened(folder, options)
    assert isinstance(model, Ct2Translator)
    return model


def generator(folder: Path, options: str = "") -> Ct2Generator:
    model = opened(folder, options)
    assert isinstance(model, Ct2Generator)
    return model


def pair_scores(model: Ct2Translator, pairs: Sequence[ScorePair] = PAIRS) -> list[TokenScores]:
    answers = list(model.score_pairs(pairs))
    assert sorted(index for index, _ in answers) == list(range(len(pairs)))
    return [answer for _, answer in sorted(answers)]


def text_scores(model: Ct2Generator, texts: Sequence[ScoreText] = TEXTS) -> list[TokenScores]:
    answers = list(model.score_texts(texts))
    assert sorted(index for index, _ in answers) == list(range(len(texts)))
    return [answer for _, answer in sorted(answers)]


class Plain:
    """A checkpoint of transformers, one text at a time."""

    def __init__(self, family: str, folder: Path) -> None:
        auto = "AutoModelForCausalLM" if family in GENERATORS else "AutoModelForSeq2SeqLM"
        self.family = family
        self.model = getattr(transformers, auto).from_pretrained(folder).eval()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        if family in CODES:
            self.tokenizer.src_lang, self.tokenizer.tgt_lang = CODES[family]

    def pair(self, pair: ScorePair) -> list[float]:
        source = self.tokenizer(pair.source).input_ids
        labels = self.tokenizer(text_target=pair.given + pair.target).input_ids
        first = 1 if self.family in CODES else 0
        if pair.given:
            given = self.tokenizer(text_target=pair.given).input_ids[:-1]
            first = _same(given, labels)
        start = self.model.config.decoder_start_token_id
        logits = self.logits(input_ids=[source], decoder_input_ids=[[start, *labels[:-1]]])
        return logprobs(logits, labels)[first:]

    def text(self, text: ScoreText) -> list[float]:
        start = self.tokenizer.bos_token_id
        ids = [start, *self.tokenizer(text.text, add_special_tokens=False).input_ids]
        before = [start, *self.tokenizer(text.text[: text.start], add_special_tokens=False).input_ids]
        first = _same(before, ids)
        return logprobs(self.logits(input_ids=[ids])[:-1], ids[1:])[first - 1 :]

    def logits(self, **ids: list[list[int]]) -> Any:
        with torch.no_grad():
            logits = self.model(**{key: torch.tensor(value) for key, value in ids.items()}).logits[0]
        if self.family == "marian":  # the converter takes <pad> out of the vocabulary, so nothing is lost to it
            logits[:, self.model.config.pad_token_id] = -torch.inf
        return logits


def _same(given: list[int], whole: list[int]) -> int:
    return max(length for length in range(len(given) + 1) if given[:length] == whole[:length])


def logprobs(logits: Any, labels: list[int]) -> list[float]:
    values: list[float] = logits.log_softmax(-1).gather(-1, torch.tensor(labels)[:, None])[:, 0].tolist()
    return values


def assert_close(answers: Sequence[TokenScores], wanted: Sequence[Sequence[float]], within: float = 1e-4) -> None:
    assert [answer.refused for answer in answers] == [""] * len(answers)
    assert [len(answer.logprobs) for answer in answers] == [len(one) for one in wanted]
    for answer, one in zip(answers, wanted, strict=True):
        assert answer.logprobs == pytest.approx(one, abs=within)
