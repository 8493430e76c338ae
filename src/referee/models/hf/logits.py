"""Log-probabilities at the positions that are scored, and nowhere else.

With a vocabulary of 250,000 the output layer costs more than the rest of the model. A hook on the module that feeds it
keeps only the hidden states that are needed, so the model's own head, with whatever it scales, adds or caps, runs on
those alone. Log-softmax is in fp32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch

_ROWS = 16

Forward = Callable[[], Any]


def logprobs_at(
    feeder: torch.nn.Module | None, forward: Forward, rows: list[int], positions: list[int], targets: list[int]
) -> tuple[torch.Tensor, Any]:
    """The log-probability of each target token at its row and position, and the model's output.

    `feeder` is the module behind which only those positions are kept; without one the whole output is computed.
    """
    with _keeping(feeder, rows, positions) if feeder is not None else nullcontext():
        output = forward()
    logits = output.logits
    device = logits.device
    logits = logits[0] if feeder is not None else logits[_index(rows, device), _index(positions, device)]
    wanted = logits.gather(-1, _index(targets, device).unsqueeze(-1)).squeeze(-1).float()
    # A few rows at a time stay in the processor's cache, which is several times faster than all at once.
    slices = logits.split(_ROWS if device.type == "cpu" else max(1, len(logits)))
    return wanted - torch.cat([part.float().logsumexp(-1) for part in slices]), output


@torch.inference_mode()
def feeder_of(model: Any) -> torch.nn.Module | None:
    """The module behind which only the scored positions are needed, for the head or, in masked models, even before.

    Whether it is one is tried on a few tokens: None for a model that is built otherwise and must be run whole.
    """
    tokens = torch.tensor([[0, 1, 2, 3]], device=next(model.parameters()).device)
    inputs = {"input_ids": tokens}
    if model.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = tokens
    rows, positions, targets = [0, 0, 0], [0, 2, 3], [1, 2, 3]
    whole, _ = logprobs_at(None, lambda: model(**inputs), rows, positions, targets)
    # Half precision rounds a product of other shape a little differently.
    tolerance = 1e-4 if next(model.parameters()).dtype in (torch.float32, torch.float64) else 0.1
    for feeder in _possible_feeders(model):
        try:
            kept, _ = logprobs_at(feeder, lambda: model(**inputs), rows, positions, targets)
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
            continue
        if torch.allclose(whole, kept, atol=tolerance):
            return feeder
    return None


def _possible_feeders(model: Any) -> Iterator[torch.nn.Module]:
    """Modules behind which only scored positions matter, the one that saves most first."""
    if model.config.is_encoder_decoder:
        yield model.get_decoder()
        return
    # What follows the attention of the last layer treats every position by itself, in models built like BERT.
    layers = getattr(getattr(model.base_model, "encoder", None), "layer", None)
    if isinstance(layers, torch.nn.ModuleList) and isinstance(
        attention := getattr(layers[-1], "attention", None), torch.nn.Module
    ):
        yield attention
    yield model.base_model


@contextmanager
def _keeping(feeder: torch.nn.Module, rows: list[int], positions: list[int]) -> Iterator[None]:
    def keep(_: torch.nn.Module, __: Any, output: Any) -> Any:
        if isinstance(output, tuple):
            return (kept(output[0]), *output[1:])
        if isinstance(output, torch.Tensor):
            return kept(output)
        output.last_hidden_state = kept(output.last_hidden_state)
        return output

    def kept(states: torch.Tensor) -> torch.Tensor:
        return states[_index(rows, states.device), _index(positions, states.device)].unsqueeze(0)

    handle = feeder.register_forward_hook(keep)
    try:
        yield
    finally:
        handle.remove()


def _index(values: list[int], device: torch.device | None) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.long, device=device)
