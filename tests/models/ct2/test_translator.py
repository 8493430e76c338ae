"""Translators of CTranslate2, converted on the spot, score as a plain forward pass of transformers does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.errors import UsageError
from referee.protocols import ScorePair, TokenScores, TranslateDoc, Translation
from tests.support import tiny_models as tiny
from tests.support.tiny_ct2 import (
    CODE_TOKENS,
    CODES,
    PAIRS,
    TRANSLATORS,
    Convert,
    Plain,
    assert_close,
    configured,
    logprobs,
    pair_scores,
    torch,
    translator,
)


@pytest.mark.parametrize("family", TRANSLATORS)
def test_pairs_as_a_plain_forward_pass(family: str, convert: Convert) -> None:
    folder = convert(family)
    plain = Plain(family, folder.parent / family)
    assert_close(pair_scores(translator(folder)), [plain.pair(pair) for pair in PAIRS])


@pytest.mark.parametrize("family", TRANSLATORS)
def test_greedy_translation_is_that_of_transformers(family: str, convert: Convert) -> None:
    folder = convert(family)
    plain = Plain(family, folder.parent / family)
    sources = [TranslateDoc(tuple(tiny.CORPUS["en"][first : first + 2]), "en", "de") for first in (0, 4)]
    for index, translation in translator(folder).translate(sources):
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
        assert translation.text == wanted.removeprefix("__de__")  # which is not special in transformers 5
        assert translation.truncated == (plain.model.config.eos_token_id not in made[0].tolist()[1:])


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("family", TRANSLATORS)
def test_a_translation_that_reached_its_limit_is_marked(family: str, beam: int, convert: Convert) -> None:
    sources = [TranslateDoc((text,), "en", "de") for text in tiny.CORPUS["en"][:4]]
    short = dict(translator(convert(family), f",beam={beam},max_tokens=2").translate(sources))
    long = dict(translator(convert(family), f",beam={beam},max_tokens=90").translate(sources))
    for number, translation in short.items():
        assert translation.truncated or translation == long[number]
        assert not translation.truncated or long[number] != translation
    assert family == "mbart50" or any(translation.truncated for translation in short.values())
    model = translator(convert(family), ",max_tokens=5")
    assert model.identity().generation == {"beam": "1", "max_tokens": "5"}
    assert translator(convert(family)).identity().generation["max_tokens"] == "64 per 32 of the source, plus 32"


def test_the_separator_joins_a_document(convert: Convert) -> None:
    model = translator(convert("marian"))
    joined = TranslateDoc(("It ran. <SEP> It fell.",), "en", "de")
    apart = TranslateDoc(("It ran.", "It fell."), "en", "de", " <SEP> ")
    assert dict(model.translate([apart])) == dict(model.translate([joined]))
    assert dict(model.translate([apart])) != dict(model.translate([TranslateDoc(apart.sentences, "en", "de")]))


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


def test_a_prefix_of_text(convert: Convert) -> None:
    ask = "translate English to German: "
    asked = [replace(pair, source=ask + pair.source) for pair in PAIRS]
    wanted = pair_scores(translator(convert("t5")), asked)
    assert_close(pair_scores(translator(convert("t5"), f",prefix={ask}")), [answer.logprobs for answer in wanted])


def test_models_that_add_the_end_of_the_source(convert: Convert, tmp_path: Path) -> None:
    folder = configured(convert("marian"), tmp_path / "marian", add_source_eos=True)
    assert_close(
        pair_scores(translator(folder)), [answer.logprobs for answer in pair_scores(translator(convert("marian")))]
    )
    empty = pair_scores(translator(folder), [ScorePair("", "Sie.", "en", "de")])
    assert empty == [TokenScores(refused="the source is empty")]
    assert list(translator(folder).translate([TranslateDoc(("",), "en", "de")])) == [
        (0, Translation("", truncated=False))
    ]


def test_models_that_start_from_the_language_code(convert: Convert, tmp_path: Path) -> None:
    folder = configured(convert("nllb"), tmp_path / "nllb", decoder_start_token=None)
    plain = Plain("nllb", convert("nllb").parent / "nllb")
    plain.tokenizer.tgt_lang = "deu_Latn"
    labels = plain.tokenizer(text_target=PAIRS[0].target).input_ids
    source = plain.tokenizer(PAIRS[0].source).input_ids
    wanted = logprobs(plain.logits(input_ids=[source], decoder_input_ids=[labels[:-1]]), labels[1:])
    assert_close(pair_scores(translator(folder), PAIRS[:1]), [wanted])
    with pytest.raises(UsageError, match="target_prefix="):
        pair_scores(translator(configured(convert("marian"), tmp_path / "marian", decoder_start_token=None)))
