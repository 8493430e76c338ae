"""How far a training is, its learning rate there, and its state, kept so that it can resume."""

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


def share_done(seconds: float, steps: int | None, *, of_seconds: float, of_steps: int) -> float:
    """The share of a training that is over, by its number of steps where one is given, else by its seconds."""
    return min(1.0, of_seconds / seconds if steps is None else of_steps / steps)


def warmed_up(peak: float, warm_up: int, steps: int, done: float) -> float:
    """The learning rate: up over the first steps, then down to zero.

    >>> warmed_up(2.0, warm_up=4, steps=0, done=0.0), warmed_up(2.0, warm_up=4, steps=9, done=0.75)
    (0.5, 0.5)
    """
    return peak * min(1.0, (steps + 1) / warm_up) * (1 - done)


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
