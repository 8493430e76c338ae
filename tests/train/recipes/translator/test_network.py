"""Our network is transformers' `MarianMTModel`, number for number."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sentencepiece")

from referee.pocket.marian_form import write_marian  # noqa: E402
from referee.pocket.store import TRANSLATOR, PocketModel  # noqa: E402
from referee.train.recipes.translator.network import Size, Translator, sinusoids  # noqa: E402
from referee.train.recipes.translator.vocabulary import learn  # noqa: E402


def test_logits_are_those_of_transformers(tmp_path: Path) -> None:
    texts = [f"{one} {two} is here." for one in ("The dog", "A cat", "My house") for two in ("now", "then", "again")]
    vocabulary = learn(texts, 34, ("de", "fr"))
    size = Size(vocabulary=34, width=16, inner=24, heads=2, encoder_layers=2, decoder_layers=2, positions=32)
    torch.manual_seed(1)
    own = Translator(size).eval()
    for weight in own.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    weights = {name: weight.detach().numpy() for name, weight in own.named_parameters()}
    write_marian(PocketModel(TRANSLATOR, {"size": asdict(size)}, vocabulary.model, weights, ""), vocabulary, tmp_path)
    marian = transformers.MarianMTModel.from_pretrained(tmp_path, attn_implementation="sdpa").eval()
    pad = size.vocabulary - 1
    sources, inputs = torch.randint(0, pad, (3, 9)), torch.randint(0, pad, (3, 7))
    sources[1, 6:] = sources[2, 3:] = pad
    inputs[:, 0] = pad
    with torch.no_grad():
        found = own(sources, inputs, pad)
        theirs = marian(input_ids=sources, attention_mask=sources != pad, decoder_input_ids=inputs).logits
    torch.testing.assert_close(found, theirs, rtol=1e-6, atol=1e-6)


def test_positions_are_those_of_marian() -> None:
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    theirs: Any = MarianSinusoidalPositionalEmbedding(40, 12)
    # Newer transformers fill the table later.
    if hasattr(theirs, "create_weight"):
        theirs.weight = torch.nn.Parameter(theirs.create_weight(), requires_grad=False)
    torch.testing.assert_close(sinusoids(40, 12), theirs.weight.data, rtol=0, atol=1e-6)


def test_padding_of_a_source_changes_nothing() -> None:
    size = Size(vocabulary=20, width=8, inner=8, heads=2, encoder_layers=1, decoder_layers=1, positions=16)
    torch.manual_seed(1)
    own = Translator(size).eval()
    source, inputs = torch.tensor([[1, 2, 3]]), torch.tensor([[19, 4]])
    padded = torch.tensor([[1, 2, 3, 19, 19]])
    with torch.no_grad():
        torch.testing.assert_close(own(source, inputs, 19), own(padded, inputs, 19))
