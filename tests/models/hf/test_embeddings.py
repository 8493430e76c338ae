"""A text's vector is the mean of its last hidden states, however texts are batched."""

from __future__ import annotations

import numpy as np
import pytest

from referee.errors import InputError
from referee.models import open_model
from referee.protocols import Embeds
from tests.support.answers import Folders

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXTS = ["The cat put the cup into the box.", "It fell.", "Where is the spoon?"]


def embedder(folders: Folders, family: str, options: str = "") -> Embeds:
    model = open_model(f"mlm:{folders(family)}{options}")
    assert isinstance(model, Embeds)
    return model


@pytest.mark.parametrize("family", ["bert", "xlmr"])
@pytest.mark.parametrize("options", ["", ",tokens=1"])
def test_vectors_are_means_of_hidden_states(family: str, options: str, folders: Folders) -> None:
    vectors = embedder(folders, family, options).embed(TEXTS)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folders(family))
    network = transformers.AutoModelForMaskedLM.from_pretrained(folders(family)).eval()
    for text, vector in zip(TEXTS, vectors, strict=True):
        encoded = tokenizer(text, return_tensors="pt", return_special_tokens_mask=True)
        plain = encoded.pop("special_tokens_mask")[0] == 0
        with torch.inference_mode():
            states = network.base_model(**encoded).last_hidden_state[0][plain]
        np.testing.assert_allclose(vector, states.mean(0).numpy(), atol=1e-5)
    assert vectors.dtype == np.float32


def test_a_text_that_is_too_long_is_named(folders: Folders) -> None:
    with pytest.raises(InputError, match=r"a text cannot be embedded \(too long: .*\): 'The cat sat"):
        embedder(folders, "bert").embed(["It fell.", "The cat sat. " * 80])
