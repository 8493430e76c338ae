"""Log-probabilities at chosen positions are those of the whole output, with and without a hook before the head."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import tiny_models as tiny
from tests.support.answers import Folders

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from referee.models.hf.logits import feeder_of, logprobs_at  # noqa: E402 (it needs torch)

HEADS = {"bert": "MaskedLM", "xlmr": "MaskedLM", "gpt2": "CausalLM", "llama": "CausalLM", "marian": "Seq2SeqLM"}
ROWS, POSITIONS, TARGETS = [0, 0, 1, 1], [0, 3, 1, 2], [5, 7, 9, 2]


def loaded(folders: Folders, family: str) -> Any:
    return getattr(transformers, f"AutoModelFor{HEADS[family]}").from_pretrained(folders(family)).eval()


@pytest.mark.parametrize("family", HEADS)
@torch.inference_mode()  # type: ignore[untyped-decorator]
def test_kept_positions_give_the_log_softmax_of_the_whole(family: str, folders: Folders) -> None:
    model = loaded(folders, family)
    tokens = torch.tensor([[4, 5, 6, 7], [8, 9, 10, 11]])
    inputs = {"input_ids": tokens}
    if family in tiny.ENCODER_DECODER:
        inputs["decoder_input_ids"] = tokens
    feeder = feeder_of(model)
    assert feeder is not None
    expected = model(**inputs).logits.float().log_softmax(-1)[ROWS, POSITIONS, TARGETS]
    for module in (feeder, None):
        values, _ = logprobs_at(module, lambda: model(**inputs), ROWS, POSITIONS, TARGETS)
        assert torch.allclose(values, expected, atol=1e-5)
    # The hook is gone: the output is whole again.
    assert model(**inputs).logits.shape[:2] == (2, 4)


def test_a_model_that_is_built_otherwise_is_run_whole(folders: Folders) -> None:
    model = loaded(folders, "gpt2")
    inner = model.transformer.forward
    # Its head looks at all positions, so none may be left out before it.
    model.lm_head.register_forward_hook(lambda _, __, output: output + output.mean(dim=1, keepdim=True))
    assert model.transformer.forward == inner
    assert feeder_of(model) is None
