"""Models of CTranslate2, converted on the spot, score as a plain forward pass of transformers does."""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.errors import InputError, MissingError, UsageError
from referee.models.ct2.tokenizers import PieceTokens
from referee.protocols import ScorePair, ScoresPairs, ScoresTexts, ScoreText, TokenScores, TranslateDoc, Translates
from tests.support import tiny_models as tiny
from tests.support.tiny_ct2 import (
    CODE_TOKENS,
    CODES,
    GENERATORS,
    PAIRS,
    TEXTS,
    TRANSLATORS,
    Plain,
    assert_close,
    converted,
    generator,
    logprobs,
    opened,
    pair_scores,
    text_scores,
    torch,
    translator,
)

Convert = Callable[..., Path]


@pytest.fixture(scope="module")
def convert(tmp_path_factory: pytest.TempPathFactory) -> Convert:
    return partial(converted, tmp_path_factory.mktemp("ct2"))


@pytest.mark.parametrize("family", TRANSLATORS)
def test_pairs_as_a_plain_forward_pass(family: str, convert: Convert) -> None:
    folder = convert(family)
    plain = Plain(family, folder.parent / family)
    assert_close(pair_scores(translator(folder)), [plain.pair(pair) for pair in PAIRS])


@pytest.mark.parametrize("family", GENERATORS)
def test_texts_as_a_plain_forward_pass(family: str, convert: Convert) -> None:
    folder = convert(family)
    plain = Plain(family, folder.parent / family)
    assert_close(text_scores(generator(folder)), [plain.text(text) for text in TEXTS])


@pytest.mark.parametrize("family", TRANSLATORS)
def test_greedy_translation_is_that_of_transformers(family: str, convert: Convert) -> None:
    folder = convert(family)
    plain = Plain(family, folder.parent / family)
    sources = [TranslateDoc(tuple(tiny.CORPUS["en"][first : first + 2]), "en", "de") for first in (0, 4)]
    for index, text in translator(folder).translate(sources):
        ids = plain.tokenizer(" ".join(sources[index].sentences)).input_ids
        options: dict[str, Any] = {"bad_words_ids": [[plain.model.config.pad_token_id]]} if family == "marian" else {}
        if family in CODES:
            options["forced_bos_token_id"] = plain.tokenizer.convert_tokens_to_ids(CODE_TOKENS[family][1])
        longest = min(tiny.POSITIONS, -(-len(ids) // 32) * 64 + 32)
        made = plain.model.generate(
            torch.tensor([ids]),
            num_beams=1,
            do_sample=False,
            max_new_tokens=longest,
            forced_eos_token_id=None,
            **options,
        )
        wanted = plain.tokenizer.decode(made[0], skip_special_tokens=True)
        assert text == wanted.removeprefix("__de__")  # which is not special in transformers 5


def test_abilities(convert: Convert) -> None:
    model = opened(convert("marian"))
    assert isinstance(model, ScoresPairs)
    assert isinstance(model, Translates)
    assert not isinstance(model, ScoresTexts)
    model = opened(convert("gpt2"))
    assert isinstance(model, ScoresTexts)
    assert not isinstance(model, ScoresPairs | Translates)


@pytest.mark.parametrize("quantization", [None, "int8"])
@pytest.mark.parametrize("options", [",tokens=1", ",tokens=90", ",tokens=100000", ",inter_threads=2"])
def test_batches_and_order_do_not_matter(options: str, quantization: str | None, convert: Convert) -> None:
    order = random.Random(1).sample(range(len(PAIRS)), len(PAIRS))
    folder = convert("nllb", quantization)
    wanted = [answer.logprobs for answer in pair_scores(translator(folder))]
    found = pair_scores(translator(folder, options), [PAIRS[index] for index in order])
    assert_close(found, [wanted[index] for index in order], 1e-5)


@pytest.mark.parametrize("options", [",tokens=1", ",tokens=100000"])
def test_batches_do_not_matter_to_generators(options: str, convert: Convert) -> None:
    folder = convert("llama")
    wanted = [answer.logprobs for answer in text_scores(generator(folder))]
    assert_close(text_scores(generator(folder, options), TEXTS[::-1]), wanted[::-1], 1e-5)


@pytest.mark.parametrize("beam", [1, 3])
def test_batches_do_not_matter_to_translations(beam: int, convert: Convert) -> None:
    sources = [TranslateDoc((text,), "en", "de") for text in ("It ran.", *tiny.CORPUS["en"][:5])]
    whole = dict(translator(convert("nllb"), f",beam={beam}").translate(sources))
    alone = dict(translator(convert("nllb"), f",beam={beam},tokens=1").translate(sources))
    assert whole == alone
    assert sorted(whole) == list(range(len(sources)))


def test_int8_is_near(convert: Convert) -> None:
    exact, rough = translator(convert("marian")), translator(convert("marian", "int8"))
    assert exact.identity().settings["compute_type"] == "float32"
    assert rough.identity().settings["compute_type"].startswith("int8")
    assert_close(pair_scores(rough), [answer.logprobs for answer in pair_scores(exact)], 2.0)
    assert translator(convert("marian"), ",compute_type=int8").identity().settings == rough.identity().settings


class Counting:
    """A translator of CTranslate2 that counts what it is asked."""

    compute_type = "float32"

    def __init__(self, model: Any) -> None:
        self.model = model
        self.asked: list[int] = []

    def score_batch(self, sources: list[list[str]], targets: list[list[str]], **options: Any) -> Any:
        self.asked.append(len(sources))
        return self.model.score_batch(sources, targets, **options)


def test_equal_requests_are_computed_once(convert: Convert) -> None:
    model = translator(convert("marian"))
    counting = Counting(model.model)
    pairs = [replace(pair, origin=str(number)) for number in range(3) for pair in PAIRS[:4]]
    found = pair_scores(replace(model, model=counting), pairs)
    assert sum(counting.asked) == 4
    assert found[:4] == found[4:8] == found[8:]


def test_answers_come_as_batches_finish(convert: Convert) -> None:
    model = translator(convert("marian"), ",tokens=1")
    counting = Counting(model.model)
    next(iter(replace(model, model=counting).score_pairs(PAIRS)))
    assert counting.asked == [1]


def test_without_transformers_sentencepiece_does(convert: Convert, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = convert("marian")
    wanted = translator(folder)
    monkeypatch.setitem(sys.modules, "transformers", None)
    found = translator(folder)
    assert isinstance(found.tokenizer, PieceTokens)
    assert pair_scores(found) == pair_scores(wanted)
    sources = [TranslateDoc((pair.source,), "en", "de") for pair in PAIRS[:3]]
    assert dict(found.translate(sources)) == dict(wanted.translate(sources))
    with pytest.raises(MissingError, match="holds a tokenizer that needs transformers; install 'referee\\[hf\\]'"):
        opened(convert("gpt2"))


def test_sentencepiece_takes_languages_as_prefixes(convert: Convert, tmp_path: Path) -> None:
    shutil.copy(convert("m2m100") / "sentencepiece.bpe.model", tmp_path / "sentencepiece.model")
    options = f",tokenizer={tmp_path},source_prefix=__en__,target_prefix=__de__"
    found, wanted = translator(convert("m2m100"), options), translator(convert("m2m100"))
    assert pair_scores(found) == pair_scores(wanted)
    assert found.identity().sha256 != wanted.identity().sha256
    assert found.identity().settings["target_prefix"] == "__de__"


def test_sentencepiece_generators(convert: Convert, tmp_path: Path) -> None:
    tiny_llama = convert("llama")
    processor = tiny._sentencepiece(
        "bpe", vocab_size=tiny.PIECES + 256, byte_fallback=True, normalization_rule_name="identity"
    )
    (tmp_path / "tokenizer.model").write_bytes(processor)
    assert text_scores(generator(tiny_llama, f",tokenizer={tmp_path}")) == text_scores(generator(tiny_llama))


def test_a_prefix_replaces_the_language_code(convert: Convert) -> None:
    odd = [replace(pair, source_lang="tlh", target_lang="tlh") for pair in PAIRS]
    found = translator(convert("nllb"), ",source_prefix=eng_Latn,target_prefix=deu_Latn")
    assert pair_scores(found, odd) == pair_scores(translator(convert("nllb")))
    with pytest.raises(UsageError, match="no language 'tlh'; name its token with source_prefix= or target_prefix="):
        pair_scores(translator(convert("nllb")), odd)


def test_a_prefix_of_text(convert: Convert) -> None:
    ask = "translate English to German: "
    asked = [replace(pair, source=ask + pair.source) for pair in PAIRS]
    assert pair_scores(translator(convert("t5"), f",prefix={ask}")) == pair_scores(translator(convert("t5")), asked)


def _configured(folder: Path, place: Path, **changes: Any) -> Path:
    shutil.copytree(folder, place)
    config = json.loads((place / "config.json").read_text("utf-8"))
    (place / "config.json").write_text(json.dumps(config | changes), "utf-8")
    return place


def test_models_that_add_the_end_of_the_source(convert: Convert, tmp_path: Path) -> None:
    folder = _configured(convert("marian"), tmp_path / "marian", add_source_eos=True)
    assert pair_scores(translator(folder)) == pair_scores(translator(convert("marian")))
    empty = pair_scores(translator(folder), [ScorePair("", "Sie.", "en", "de")])
    assert empty == [TokenScores(refused="the source is empty")]
    assert list(translator(folder).translate([TranslateDoc(("",), "en", "de")])) == [(0, "")]


def test_models_that_start_from_the_language_code(convert: Convert, tmp_path: Path) -> None:
    folder = _configured(convert("nllb"), tmp_path / "nllb", decoder_start_token=None)
    plain = Plain("nllb", convert("nllb").parent / "nllb")
    plain.tokenizer.tgt_lang = "deu_Latn"
    labels = plain.tokenizer(text_target=PAIRS[0].target).input_ids
    source = plain.tokenizer(PAIRS[0].source).input_ids
    wanted = logprobs(plain.logits(input_ids=[source], decoder_input_ids=[labels[:-1]]), labels[1:])
    assert_close(pair_scores(translator(folder), PAIRS[:1]), [wanted])
    with pytest.raises(UsageError, match="target_prefix="):
        pair_scores(translator(_configured(convert("marian"), tmp_path / "marian", decoder_start_token=None)))


def test_opennmt_sources_have_no_end(convert: Convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    folder = _configured(convert("marian"), tmp_path / "marian", decoder_start_token="<s>")
    assert translator(folder).tokenizer.source("The cat", "en")[-1] != "</s>"
    assert translator(convert("marian")).tokenizer.source("The cat", "en")[-1] == "</s>"


@pytest.mark.parametrize("family", [*TRANSLATORS, *GENERATORS])
def test_what_is_too_long_is_refused(family: str, convert: Convert) -> None:
    model = opened(convert(family))
    long, short = "cat " * tiny.POSITIONS, "cat"
    if family in GENERATORS:
        answers = text_scores(model, [ScoreText(long), ScoreText(short)])
    else:
        *answers, aside = pair_scores(
            model,
            [
                ScorePair(short, long, "en", "de"),
                ScorePair(short, short, "en", "de"),
                ScorePair(long, short, "en", "de"),
            ],
        )
        assert aside.refused.startswith("too long: ")
        with pytest.raises(InputError, match="text 2 cannot be translated: too long"):
            list(model.translate([TranslateDoc((short,), "en", "de"), TranslateDoc((long,), "en", "de")]))
        assert model.refuses(TranslateDoc((long,), "en", "de")) == aside.refused
        assert model.refuses(TranslateDoc((short,), "en", "de")) == ""
    assert answers[0].logprobs == ()
    assert answers[0].refused.startswith("too long: ")
    assert answers[0].refused.endswith(f"tokens, the model takes {tiny.POSITIONS}")
    assert answers[1].refused == ""


def test_the_longest_that_fits(convert: Convert, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model's own table of positions is the limit where the tokenizer says none."""
    monkeypatch.setitem(sys.modules, "transformers", None)
    model = translator(convert("marian"))
    assert model.tokenizer.longest is None
    words = next(
        count
        for count in range(tiny.POSITIONS)
        if len(model.tokenizer.target("Die " * count, "de")[1]) == tiny.POSITIONS - 1
    )
    fits, refused = pair_scores(
        model,
        [ScorePair("The cat", "Die " * words, "en", "de"), ScorePair("The cat", "Die " * (words + 1), "en", "de")],
    )
    assert len(fits.logprobs) == tiny.POSITIONS
    assert refused.refused == f"too long: {tiny.POSITIONS + 1} tokens, the model takes {tiny.POSITIONS}"


def test_nothing_to_score(convert: Convert) -> None:
    model = generator(convert("gpt2"))
    assert text_scores(model, [ScoreText(""), ScoreText("The cat", start=7)]) == 2 * [
        TokenScores(refused="no token to score")
    ]
    end = pair_scores(translator(convert("marian")), [ScorePair("The cat", "", "en", "de")])
    assert len(end[0].logprobs) == 1


def test_identity_is_that_of_the_files(convert: Convert, tmp_path: Path) -> None:
    first = translator(convert("marian")).identity()
    assert first == translator(convert("marian")).identity()
    assert translator(convert("marian"), ",beam=4").identity().settings["beam"] == "4"
    changed = translator(_configured(convert("marian"), tmp_path / "changed", more=1)).identity()
    assert changed.sha256 != first.sha256


def test_folders_that_are_none(convert: Convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingError, match="marian: holds no model of CTranslate2"):
        opened(convert("marian").parent / "marian")
    with pytest.raises(MissingError, match="nowhere: holds no model"):
        opened(tmp_path / "nowhere")
    (tmp_path / "model.bin").write_bytes(b"\x06\0\0\0\x10\0Trans")
    with pytest.raises(InputError, match=r"model\.bin: is no model of CTranslate2, or damaged"):
        opened(tmp_path)
    bare = tmp_path / "bare"
    bare.mkdir()
    shutil.copy(convert("marian") / "model.bin", bare)
    with pytest.raises(
        MissingError, match="bare: holds no tokenizer; name the original model's folder with tokenizer="
    ):
        opened(bare)
    with pytest.raises(InputError, match=r"^ct2:.*bare,.*: cannot be loaded as a translator or generator: "):
        opened(bare, f",tokenizer={convert('marian')}")
    (bare / "config.json").write_text("[")
    with pytest.raises(InputError, match=r"config\.json: is no JSON object"):
        opened(bare)
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(MissingError, match=r"needs CTranslate2; install it with `pip install ctranslate2`"):
        opened(convert("marian"))


@pytest.mark.parametrize(
    ("family", "options", "message"),
    [
        ("marian", ",speed=1", "has no option 'speed'"),
        ("gpt2", ",beam=2", "has no option 'beam'"),
        ("marian", ",beam=0", "give a positive whole number"),
        ("marian", ",compute_type=float3", "cannot be loaded as a translator or generator: .*float3"),
        ("marian", ",device=abacus", "cannot be loaded as a translator or generator: .*abacus"),
        ("marian", ",tokenizer=/nowhere", "/nowhere: holds no tokenizer"),
    ],
)
def test_wrong_options(family: str, options: str, message: str, convert: Convert) -> None:
    with pytest.raises((UsageError, InputError, MissingError), match=message):
        opened(convert(family), options)
