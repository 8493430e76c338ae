"""Tokenizers of transformers and plain sentencepiece give the same tokens, codes and ends."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import MissingError, UsageError
from referee.models.ct2.tokenizers import PieceTokens
from referee.protocols import TranslateDoc
from tests.support import tiny_models as tiny
from tests.support.tiny_ct2 import (
    PAIRS,
    Convert,
    assert_close,
    configured,
    generator,
    opened,
    pair_scores,
    text_scores,
    translator,
)


def test_without_transformers_sentencepiece_does(convert: Convert, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, without_pieces = convert("marian"), convert("gpt2")
    wanted = translator(folder)
    monkeypatch.setitem(sys.modules, "transformers", None)
    found = translator(folder)
    assert isinstance(found.tokenizer, PieceTokens)
    assert_close(pair_scores(found), [answer.logprobs for answer in pair_scores(wanted)])
    sources = [TranslateDoc((pair.source,), "en", "de") for pair in PAIRS[:3]]
    assert dict(found.translate(sources)) == dict(wanted.translate(sources))
    with pytest.raises(MissingError, match=r"has a tokenizer that needs transformers. Install .*'referee\[hf\]'"):
        opened(without_pieces)


def test_sentencepiece_takes_languages_as_prefixes(convert: Convert, tmp_path: Path) -> None:
    shutil.copy(convert("m2m100") / "sentencepiece.bpe.model", tmp_path / "sentencepiece.model")
    options = f",tokenizer={tmp_path},source_prefix=__en__,target_prefix=__de__"
    found, wanted = translator(convert("m2m100"), options), translator(convert("m2m100"))
    assert_close(pair_scores(found), [answer.logprobs for answer in pair_scores(wanted)])
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
    with pytest.raises(UsageError, match=r"no language 'tlh'. Set its token with source_prefix= or target_prefix="):
        pair_scores(translator(convert("nllb")), odd)


def test_opennmt_sources_have_no_end(convert: Convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marian = convert("marian")
    monkeypatch.setitem(sys.modules, "transformers", None)
    folder = configured(marian, tmp_path / "marian", decoder_start_token="<s>")
    assert translator(folder).tokenizer.source("The cat", "en")[-1] != "</s>"
    assert translator(marian).tokenizer.source("The cat", "en")[-1] == "</s>"
