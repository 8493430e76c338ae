"""The training: batches of few shapes made ahead, each step one recorded graph on a GPU, a schedule by clock or steps.

`python -m referee.train.recipes.translator.loop FOLDER --out WEIGHTS`, where FOLDER holds `examples.npz` and
`settings.json` (see `prepare.py`). Nothing else is read, so those two files and this package are all that a machine
with a GPU needs.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from referee.errors import InputError
from referee.io.files import existing
from referee.logs import logger
from referee.pocket import store
from referee.train.recipes import weights
from referee.train.recipes.command import run
from referee.train.recipes.translator.network import Size, Translator

LENGTHS = (12, 16, 24, 32, 48, 64, 96, 128, 176)
"""To what lengths both sides are padded; longer examples are left out."""
_TELL, _SAVE = 5.0, 120.0
"""Seconds between two lines of the log, and between two times that the weights are kept."""


@dataclass(frozen=True)
class Schedule:
    """Duration and learning rate. The end comes after `steps` where they are given, else when the time is over."""

    seconds: float
    tokens: int = 48_000
    peak: float = 8e-4
    warm_up: int = 1_500
    smoothing: float = 0.1
    averaging: float = 0.999
    clip: float = 1.0
    seed: int = 1
    steps: int | None = None

    def done(self, steps: int, seconds: float) -> float:
        """The share of the training that is over, from 0 to 1."""
        return min(1.0, seconds / self.seconds if self.steps is None else steps / self.steps)

    def rate(self, steps: int, seconds: float) -> float:
        """The learning rate: up over the first steps, then down to nothing."""
        return self.peak * min(1.0, (steps + 1) / self.warm_up) * (1 - self.done(steps, seconds))


@dataclass(frozen=True)
class Examples:
    """Token numbers of both sides one after the other, and where each example begins."""

    source: np.ndarray
    source_starts: np.ndarray
    target: np.ndarray
    target_starts: np.ndarray

    def __len__(self) -> int:
        return len(self.source_starts) - 1

    def lengths(self) -> np.ndarray:
        """The longer side of each example, with the end."""
        longer: np.ndarray = np.maximum(np.diff(self.source_starts), np.diff(self.target_starts)) + 1
        return longer


def read_examples(path: Path, prefix: str) -> Examples:
    """The examples of one part (`train` or `watch`)."""
    with np.load(existing(path), allow_pickle=False) as stored:
        return Examples(*(stored[f"{prefix}_{name}"] for name in Examples.__dataclass_fields__))


@dataclass(frozen=True)
class Bucket:
    """Examples of one length as two tables of tokens, padded, on the device."""

    sources: torch.Tensor
    targets: torch.Tensor


def buckets(examples: Examples, pad: int, end: int, device: str) -> dict[int, Bucket]:
    """All examples, sorted by length into few tables."""
    lengths = examples.lengths()
    by_length = {}
    for shorter, length in zip((0, *LENGTHS), LENGTHS, strict=False):
        chosen = np.flatnonzero((lengths > shorter) & (lengths <= length))
        if len(chosen):
            by_length[length] = Bucket(
                *(
                    torch.from_numpy(_table(tokens, starts, chosen, length, pad, end)).to(device)
                    for tokens, starts in (
                        (examples.source, examples.source_starts),
                        (examples.target, examples.target_starts),
                    )
                )
            )
    return by_length


def _table(tokens: np.ndarray, starts: np.ndarray, chosen: np.ndarray, length: int, pad: int, end: int) -> np.ndarray:
    table = np.full((len(chosen), length), pad, np.int64)
    for row, example in enumerate(chosen):
        example_tokens = tokens[starts[example] : starts[example + 1]]
        table[row, : len(example_tokens)] = example_tokens
        table[row, len(example_tokens)] = end
    return table


def loss_of(
    model: Translator, sources: torch.Tensor, targets: torch.Tensor, pad: int, smoothing: float
) -> torch.Tensor:
    """Mean cross-entropy over tokens that are not padding."""
    # The decoder starts with padding, as Marian's does.
    inputs = functional.pad(targets[:, :-1], (1, 0), value=pad)
    with torch.autocast(sources.device.type, torch.bfloat16, enabled=sources.is_cuda, cache_enabled=False):
        logits = model(sources, inputs, pad)
    return functional.cross_entropy(
        logits.flatten(0, 1).float(), targets.flatten(), ignore_index=pad, label_smoothing=smoothing
    )


Step = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def recorded(step: Step, rows: int, length: int, pad: int, pool: Any) -> Step:  # noqa: ANN401 a handle without a type
    """The step as one graph of a GPU for batches of one shape: no time is lost between its thousand operations."""
    sources, targets = (torch.full((rows, length), pad, device="cuda") for _ in range(2))
    sources[:, :3] = targets[:, :3] = 2
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(2):
            step(sources, targets)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        loss = step(sources, targets)

    def replay(new_sources: torch.Tensor, new_targets: torch.Tensor) -> torch.Tensor:
        sources.copy_(new_sources)
        targets.copy_(new_targets)
        graph.replay()
        return loss

    return replay


class Training:
    """Everything that changes while a model learns."""

    def __init__(self, size: Size, schedule: Schedule, pad: int, device: str) -> None:
        torch.manual_seed(schedule.seed)
        self.schedule, self.pad, self.device = schedule, pad, device
        self.model = Translator(size).to(device)
        self.averaged = [weight.detach().clone() for weight in self.model.parameters()]
        self.rate = torch.tensor(0.0, device=device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(),
            lr=self.rate if device == "cuda" else 0.0,
            betas=(0.9, 0.98),
            eps=1e-9,
            weight_decay=0.01,
            fused=device == "cuda",
            capturable=device == "cuda",
        )
        self.steps = 0
        self.spent = 0.0
        self.before: list[dict[str, Any]] = []
        """The stages of a training that this one goes on from."""
        self._graphs: dict[int, Step] = {}
        self._pool: Any = None

    def begin_with(self, path: Path) -> None:
        """Continue from a stored translator."""
        stored = store.read(path, store.TRANSLATOR)
        if stored.about["size"] != asdict(self.model.size):
            raise InputError("is a translator of a different size", "start from one with the same vocabulary", path)
        self.before = list(stored.about["stages"])
        self.model.load_state_dict({name: torch.from_numpy(weight) for name, weight in stored.weights.items()})
        self.averaged = [weight.detach().clone() for weight in self.model.parameters()]

    def step(self, sources: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """One batch learnt: loss, gradients, clipping, update, running average."""
        self.optimizer.zero_grad(set_to_none=False)
        loss = loss_of(self.model, sources, targets, self.pad, self.schedule.smoothing)
        loss.backward()  # type: ignore[no-untyped-call]
        parameters: list[torch.Tensor] = list(self.model.parameters())
        torch.nn.utils.clip_grad_norm_(parameters, self.schedule.clip, foreach=True)
        self.optimizer.step()
        torch._foreach_lerp_(self.averaged, [weight.detach() for weight in parameters], 1 - self.schedule.averaging)
        return loss.detach()

    def learn(self, sources: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """One step at the rate that the schedule asks for."""
        rate = self.schedule.rate(self.steps, self.spent)
        if self.device == "cuda":
            rows, length = sources.shape
            if length not in self._graphs:
                # Recording takes a few steps on nothing. At rate 0 they leave the weights alone; the moments of the
                # optimizer they do touch, but every length comes up in the first few steps.
                self.rate.fill_(0.0)
                self._pool = self._pool or torch.cuda.graph_pool_handle()
                self._graphs[length] = recorded(self.step, rows, length, self.pad, self._pool)
            self.rate.fill_(rate)
            loss = self._graphs[length](sources, targets)
        else:
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            loss = self.step(sources, targets)
        self.steps += 1
        return loss

    def save(self, out: Path, loss: float) -> None:
        """The averaged weights, and how they came about."""
        stage = {"schedule": asdict(self.schedule), "steps": self.steps, "seconds": round(self.spent, 1)}
        stage |= {"device": self.device, "loss on unseen films": round(loss, 4)}
        names = [name for name, _ in self.model.named_parameters()]
        averaged = dict(zip(names, self.averaged, strict=True))
        weights.save(out, asdict(self.model.size), [*self.before, stage], averaged)


def batches(
    by_length: dict[int, Bucket], tokens: int, chance: np.random.Generator
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """All examples in random order, again and again; a batch holds one length, always as many rows."""
    while True:
        order = []
        for length, bucket in by_length.items():
            rows = max(1, min(tokens // length, len(bucket.sources)))
            shuffled = chance.permutation(len(bucket.sources))
            order += [(length, shuffled[start : start + rows]) for start in range(0, len(shuffled) - rows + 1, rows)]
        for number in chance.permutation(len(order)):
            length, chosen = order[number]
            index = torch.from_numpy(chosen).to(by_length[length].sources.device)
            yield by_length[length].sources[index], by_length[length].targets[index]


@torch.no_grad()
def watched(training: Training, by_length: dict[int, Bucket]) -> float:
    """The loss on films that are not learnt from, with the averaged weights, without smoothing."""
    parameters: list[torch.Tensor] = list(training.model.parameters())
    kept = [weight.detach().clone() for weight in parameters]
    torch._foreach_copy_(parameters, training.averaged)
    training.model.eval()
    total = count = 0.0
    for length, bucket in by_length.items():
        for start in range(0, len(bucket.sources), 20_000 // length):
            part = slice(start, start + 20_000 // length)
            seen = int((bucket.targets[part] != training.pad).sum())
            loss = loss_of(training.model, bucket.sources[part], bucket.targets[part], training.pad, 0.0)
            total, count = total + float(loss) * seen, count + seen
    training.model.train()
    torch._foreach_copy_(parameters, kept)
    return total / count if count else math.nan


def train(
    folder: Path,
    out: Path,
    size: Size,
    schedule: Schedule,
    device: str,
    start: Path | None = None,
) -> Training:
    """Learn until the schedule is over; `out` gets the averaged weights now and then, and at the end.

    `start` is a stored translator to continue from.
    """
    settings = read_settings(folder)
    pad, end = settings["pad"], settings["end"]
    training = Training(size, schedule, pad, device)
    if start is not None:
        training.begin_with(start)
    learnt = buckets(read_examples(folder / "examples.npz", "train"), pad, end, device)
    unseen = buckets(read_examples(folder / "examples.npz", "watch"), pad, end, device)
    if not learnt:
        raise InputError("has no examples", "prepare more text", folder / "examples.npz")
    counts = ", ".join(f"{len(bucket.sources)} of {length}" for length, bucket in learnt.items())
    logger.info(f"{sum(weight.numel() for weight in training.model.parameters()):,} weights; examples: {counts}")
    chance = np.random.default_rng(schedule.seed)
    began = logged = saved = time.monotonic()
    for sources, targets in batches(learnt, schedule.tokens, chance):
        loss = training.learn(sources, targets)
        if training.steps % 20 == 0:
            # The clock must not run ahead of the device.
            loss.item()
        now = time.monotonic()
        training.spent = now - began
        if schedule.done(training.steps, training.spent) >= 1:
            break
        if now - logged > _TELL:
            logged = now
            logger.info(f"{training.spent:6.0f} s, step {training.steps}, loss {float(loss):.3f}")
        if now - saved > _SAVE:
            saved = now
            logger.info(f"        loss on unseen films {_kept(training, unseen, out):.4f}")
    logger.info(
        f"{training.steps} steps in {training.spent:.0f} s, loss on unseen films {_kept(training, unseen, out):.4f}"
    )
    return training


def read_settings(folder: Path) -> dict[str, Any]:
    """The settings that `prepare` wrote next to its examples."""
    settings: dict[str, Any] = json.loads(existing(folder / "settings.json").read_text())
    return settings


def _kept(training: Training, unseen: dict[int, Bucket], out: Path) -> float:
    """Save the weights as they are now, and return their loss on unseen films."""
    loss = watched(training, unseen)
    training.save(out, loss)
    return loss


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=1_080, help="how long (default: %(default)s)")
    parser.add_argument("--steps", type=int, help="how many steps, in place of seconds")
    parser.add_argument("--tokens", type=int, default=48_000, help="of each side in a batch (default: %(default)s)")
    parser.add_argument("--peak", type=float, default=8e-4, help="the highest learning rate (default: %(default)s)")
    parser.add_argument("--warm-up", type=int, default=1_500, help="steps until then (default: %(default)s)")
    parser.add_argument("--start", type=Path, help="a stored translator to go on from")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    size = Size(**read_settings(arguments.folder)["size"])
    schedule = Schedule(
        arguments.seconds,
        tokens=arguments.tokens,
        peak=arguments.peak,
        warm_up=arguments.warm_up,
        steps=arguments.steps,
    )
    train(arguments.folder, arguments.out, size, schedule, arguments.device, arguments.start)


if __name__ == "__main__":
    run(main)
