"""The loop that fits encoder and heads: to treebanks alone, or also to found labels and to masked text."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from referee.logs import logger
from referee.train.recipes.encoder import state
from referee.train.recipes.encoder.batches import Batch, Drawer
from referee.train.recipes.encoder.model import Annotator, hidden


@dataclass(frozen=True)
class Fit:
    """Duration, learning rates and batch of a training. The end comes after `steps` where given, else by the clock."""

    seconds: float
    """Compiling included."""
    rows: int = 64
    peak: float = 1.5e-3
    encoder: float = 0.35
    """The encoder's rate as a share of the heads'."""
    warm_up: int = 200
    hidden: float = 0.1
    seed: int = 1
    steps: int | None = None

    def done(self, steps: int, seconds: float) -> float:
        """The share of the training that is over."""
        return state.share_done(self.seconds, self.steps, of_seconds=seconds, of_steps=steps)

    def rate(self, steps: int, done: float) -> float:
        """The learning rate: up over the first steps, then down to zero."""
        return state.warmed_up(self.peak, self.warm_up, steps, done)


class _Drawn(IterableDataset[Batch]):
    """Endless batches; every process draws others."""

    def __init__(self, drawer: Drawer, rows: int) -> None:
        self.drawer, self.rows = drawer, rows

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        drawer = self.drawer if worker is None else self.drawer.seeded(worker.id)
        while True:
            yield drawer.draw(self.rows)


def batches(drawer: Drawer, rows: int, device: str, processes: int = 0) -> Iterator[Batch]:
    """Endless batches on a device, drawn by other processes while it works."""
    context = "fork" if processes else None
    loader = DataLoader(_Drawn(drawer, rows), batch_size=None, num_workers=processes, multiprocessing_context=context)
    return (batch.to(device) for batch in loader)


class Fitting:
    """Everything that changes while encoder and heads are fitted."""

    def __init__(self, model: Annotator, schedule: Fit, folder: Path | None = None) -> None:
        """Resume from the state that a folder holds, if one is given; the state is kept there."""
        self.model, self.schedule = model, schedule
        heads = [weight for name, weight in model.named_parameters() if not name.startswith("encoder.")]
        groups = [
            {"params": heads, "share": 1.0},
            {"params": list(model.encoder.parameters()), "share": schedule.encoder},
        ]
        self.on_gpu = heads[0].is_cuda
        self.optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.01, fused=self.on_gpu)
        self.steps, self.spent = 0, 0.0
        self.path = None if folder is None else folder / state.STATE
        if self.path is not None and self.path.exists():
            self.steps, self.spent = state.resume(self.path, model, self.optimizer)

    @property
    def done(self) -> float:
        """The share of the training that is over."""
        return self.schedule.done(self.steps, self.spent)

    def keep(self) -> None:
        """Write all that is needed to resume, where a folder was given."""
        if self.path is not None:
            state.keep(self.path, self.model, self.optimizer, self.steps, self.spent)

    def step(self, losses: Sequence[Callable[[], Tensor]]) -> list[Tensor]:
        """Learn from some losses, one after the other: only one of them is in memory at a time."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.schedule.rate(self.steps, self.done) * group["share"]
        shown: list[Tensor] = []
        for compute in losses:
            loss = compute()
            torch.autograd.backward(loss)
            shown.append(loss.detach())
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0, foreach=True)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.steps += 1
        return shown


def fit(
    training: Fitting,
    drawn: Sequence[Iterator[Batch]],
    ordinary: Tensor,
    mask: int,
    masked: Callable[[int], Tensor] | None = None,
    until: float = math.inf,
) -> list[float]:
    """Train until the schedule or the time of this call (`until`, in seconds) is over; the last losses.

    `masked` gives the loss of masked text at a step.
    """
    model, schedule = training.model, training.schedule

    def of_batch(source: Iterator[Batch]) -> Tensor:
        batch = next(source)
        return model.loss(batch, hidden(batch.pieces, ordinary, mask, schedule.hidden))

    if training.on_gpu:
        # Layers are alike: compiled one by one, they are compiled once. The whole takes minutes.
        for layer in model.encoder.layers:
            layer.compile(dynamic=False)
    losses: list[Callable[[], Tensor]] = [partial(of_batch, source) for source in drawn]
    if masked is not None:
        losses.append(lambda: masked(training.steps))
    began = logged = kept = time.monotonic()
    before = training.spent
    shown: list[Tensor] = []
    model.train()
    while training.done < 1 and time.monotonic() - began < until:
        shown = training.step(losses)
        if training.steps % 20 == 0:
            # The clock must not run ahead of the device.
            shown[0].item()
        now = time.monotonic()
        training.spent = before + now - began
        if now - logged > state.TELL:
            logged = now
            told = ", ".join(f"{float(one):.3f}" for one in shown)
            logger.info(f"{training.spent:6.0f} s, step {training.steps}, loss {told}")
        if now - kept > state.SAVE:
            kept = now
            training.keep()
    training.keep()
    model.eval()
    return [float(one) for one in shown]
