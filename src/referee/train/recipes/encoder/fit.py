"""The loop that fits encoder and heads: to treebanks alone, or also to found labels and to masked text."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from referee.logs import logger
from referee.train.recipes.encoder.batches import Batch, Drawer
from referee.train.recipes.encoder.model import Annotator, hidden

_TELL = 10.0
"""Seconds between two lines of the log."""


@dataclass(frozen=True)
class Fit:
    """Duration, learning rates and batch of a training."""

    seconds: float
    """Compiling included."""
    rows: int = 64
    peak: float = 1.5e-3
    encoder: float = 0.35
    """The encoder's rate as a share of the heads'."""
    warm_up: int = 200
    hidden: float = 0.1
    seed: int = 1

    def rate(self, steps: int, done: float) -> float:
        """The learning rate: up over the first steps, then down to nothing."""
        return self.peak * min(1.0, (steps + 1) / self.warm_up) * (1 - done)


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


def fit(
    model: Annotator,
    schedule: Fit,
    drawn: Sequence[Iterator[Batch]],
    ordinary: Tensor,
    mask: int,
    masked: Callable[[int], Tensor] | None = None,
) -> int:
    """Train until the time is over; the number of steps. `masked` gives the loss of masked text at a step."""
    heads = [weight for name, weight in model.named_parameters() if not name.startswith("encoder.")]
    groups = [{"params": heads, "share": 1.0}, {"params": list(model.encoder.parameters()), "share": schedule.encoder}]
    on_gpu = ordinary.is_cuda
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.01, fused=on_gpu)
    if on_gpu:
        # Layers are alike: compiled one by one, they are compiled once. The whole takes minutes.
        for layer in model.encoder.layers:
            layer.compile(dynamic=False)
    began = logged = time.monotonic()
    steps, done = 0, 0.0
    model.train()
    while done < 1:
        for group in optimizer.param_groups:
            group["lr"] = schedule.rate(steps, done) * group["share"]
        shown: list[Tensor] = []
        for source in drawn:
            batch = next(source)
            loss = model.loss(batch, hidden(batch.pieces, ordinary, mask, schedule.hidden))
            loss.backward()
            shown.append(loss.detach())
        if masked is not None:
            loss = masked(steps)
            loss.backward()
            shown.append(loss.detach())
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0, foreach=True)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        steps += 1
        if steps % 20 == 0:
            # The clock must not run ahead of the device.
            shown[0].item()
        now = time.monotonic()
        done = min(1.0, (now - began) / schedule.seconds)
        if now - logged > _TELL:
            logged = now
            logger.info(f"{now - began:6.0f} s, step {steps}, loss {', '.join(f'{float(one):.3f}' for one in shown)}")
    model.eval()
    return steps
