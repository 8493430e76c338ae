"""The state of a training, kept so that a training that was stopped can resume."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn

from referee.io.files import atomic_write

STATE = "state.pt"
"""The name of the file in the folder of a training's state."""
SAVE, TELL = 60.0, 10.0
"""Seconds between two times that the state is kept, and between two lines of the log."""


def keep(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, steps: int, spent: float) -> None:
    """Write all that is needed to resume: weights, the optimizer, and how far the training is."""
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "steps": steps, "spent": spent}
    with atomic_write(path) as file:
        torch.save(state, file)


def resume(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> tuple[int, float]:
    """Take over what `keep` wrote; the steps and the seconds of the training so far.

    Random numbers start from the steps: those of the first call would repeat its batches.
    """
    device = next(model.parameters()).device
    state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.manual_seed(torch.initial_seed() + state["steps"])
    return state["steps"], state["spent"]
