"""A token beyond the embeddings is one sentence that names folder, token and size."""

from __future__ import annotations

import re
from typing import Any

import pytest

from referee.errors import InputError
from referee.protocols import ScorePair, ScoreText
from tests.support.answers import Folders

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from referee.models import open_model  # noqa: E402 (it needs torch)

CASES = [("hf", "marian"), ("hf", "nllb"), ("hf", "t5"), ("mlm", "bert"), ("mlm", "xlmr"), ("causal", "gpt2")]


@pytest.mark.parametrize(("kind", "family"), CASES)
def test_a_tokenizer_of_another_model_is_named(kind: str, family: str, folders: Folders) -> None:
    folder = folders(family)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens([f"novelword{number}" for number in range(200)])
    tokenizer.save_pretrained(folder)
    model: Any = open_model(f"{kind}:{folder}")
    text = "The cat saw the novelword199 cup."
    answers = model.score_pairs([ScorePair("It.", text, "en", "de")]) if kind == "hf" else None
    with pytest.raises(InputError, match=rf"^{re.escape(str(folder))}: the tokenizer gives the token id [\d,]+, but"):
        list(answers if answers is not None else model.score_texts([ScoreText(text)]))
