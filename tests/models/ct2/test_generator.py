"""Generators of CTranslate2 score as a plain forward pass of transformers does."""

from __future__ import annotations

import pytest

from tests.support.tiny_ct2 import (
    GENERATORS,
    TEXTS,
    Convert,
    Plain,
    assert_close,
    generator,
    text_scores,
)


@pytest.mark.parametrize("family", GENERATORS)
def test_texts_as_a_plain_forward_pass(family: str, convert: Convert) -> None:
    folder = convert(family)
    plain = Plain(family, folder.parent / family)
    assert_close(text_scores(generator(folder)), [plain.text(text) for text in TEXTS])


@pytest.mark.parametrize("options", [",tokens=1", ",tokens=100000"])
def test_batches_do_not_matter_to_generators(options: str, convert: Convert) -> None:
    folder = convert("llama")
    wanted = [answer.logprobs for answer in text_scores(generator(folder))]
    assert_close(text_scores(generator(folder, options), TEXTS[::-1]), wanted[::-1], 1e-5)
