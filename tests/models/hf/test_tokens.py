"""Tokens are those of the tokenizer itself, however they were come by."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.models.hf.tokens import Side, encoder
from tests.support import tiny_models as tiny

transformers = pytest.importorskip("transformers")

SIDES: tuple[Side, ...] = ("source", "target")
SPECIAL = ["</s>", "<unk>", "<pad>", ">>de<<", ">>de<< It is red.", "It </s> is", "a<unk>b", "☃ is not known", "", " "]


@functools.cache
def _tokenizer(family: str, *, separate: bool = False) -> Any:
    folder = tiny.make(family, Path(tempfile.mkdtemp()) / family)
    if separate:
        (folder / "target_vocab.json").write_bytes(
            # The same words under other numbers: a mix-up of the sides shows.
            b"{" + b",".join(_moved((folder / "vocab.json").read_bytes())) + b"}"
        )
        return transformers.AutoTokenizer.from_pretrained(
            folder, separate_vocabs=True, target_vocab_file=str(folder / "target_vocab.json")
        )
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    if family == "m2m100":  # it writes no target without its language
        tokenizer.tgt_lang = "de"
    return tokenizer


def _moved(vocabulary: bytes) -> list[bytes]:
    import json

    numbers = json.loads(vocabulary)
    return [
        json.dumps(word).encode() + b":" + str((number + 7) % len(numbers)).encode() for word, number in numbers.items()
    ]


def _own(tokenizer: Any, text: str, side: Side) -> tuple[int, ...]:
    return tuple((tokenizer(text_target=text) if side == "target" else tokenizer(text)).input_ids)


@pytest.mark.parametrize("family", tiny.ENCODER_DECODER)
@pytest.mark.parametrize("side", SIDES)
def test_tokens_of_every_family_are_those_of_its_tokenizer(family: str, side: Side) -> None:
    tokenizer = _tokenizer(family)
    texts = [*tiny.CORPUS["en"], *tiny.CORPUS["de"], *tiny.CORPUS["ru"], *SPECIAL]
    assert encoder(tokenizer)(texts, side) == [_own(tokenizer, text, side) for text in texts]


@pytest.mark.parametrize("side", SIDES)
def test_marian_with_two_vocabularies(side: Side) -> None:
    tokenizer = _tokenizer("marian", separate=True)
    texts = [*tiny.CORPUS["en"], *tiny.CORPUS["de"], *SPECIAL]
    assert encoder(tokenizer)(texts, side) == [_own(tokenizer, text, side) for text in texts]


@given(st.lists(st.one_of(st.text(max_size=30), st.sampled_from([*SPECIAL, *tiny.CORPUS["en"]])), max_size=5))
def test_any_text_gets_the_tokens_of_marian(texts: list[str]) -> None:
    tokenizer = _tokenizer("marian")
    for side in SIDES:
        assert encoder(tokenizer)(texts, side) == [_own(tokenizer, text, side) for text in texts]


def test_marian_is_asked_only_for_what_is_special() -> None:
    tokenizer = _tokenizer("marian")
    asked: list[list[str]] = []

    class Watched:
        def __getattr__(self, name: str) -> Any:
            return getattr(tokenizer, name)

        def __call__(self, texts: list[str]) -> Any:
            asked.append(texts)
            return tokenizer(texts)

    Watched.__name__ = "MarianTokenizer"
    encoder(Watched())([*tiny.CORPUS["en"], "It </s> is"], "source")
    assert asked == [["It </s> is"]]


def test_a_language_code_is_one_token_where_the_vocabulary_has_it() -> None:
    tokenizer = _tokenizer("marian")
    tokenizer.encoder[">>xx<<"] = len(tokenizer.encoder)
    try:
        texts = [">>xx<< It is red.", ">>xx<<It is red.", ">>yy<< It is red.", ">> It << is", ">>xx<< ☃"]
        found = encoder(tokenizer)(texts, "source")
        assert found == [_own(tokenizer, text, "source") for text in texts]
        assert found[0][0] == tokenizer.encoder[">>xx<<"]
    finally:
        del tokenizer.encoder[">>xx<<"]
