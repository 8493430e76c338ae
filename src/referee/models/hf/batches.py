"""Work in batches: longest first, by a budget of padded tokens, halved where memory runs out; padded sequences."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from referee.errors import RefereeError
from referee.logs import logger

if TYPE_CHECKING:
    import torch

T = TypeVar("T")
R = TypeVar("R")

Done = list[R] | Callable[[], list[R]]
"""Results, or where the device is still at work, what waits for them."""


def batches(costs: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices in batches, costliest first, so that what does not fit shows at once.

    A batch is padded to its costliest member: its cost is that times its size, at most `budget`, but at least one.
    """
    order = sorted(range(len(costs)), key=lambda index: -costs[index])
    start = 0
    while start < len(order):
        size = max(1, budget // max(1, costs[order[start]]))
        yield order[start : start + size]
        start += size


def run(
    items: Sequence[T], costs: Sequence[int], budget: int, work: Callable[[list[T]], Done[R]]
) -> Iterator[tuple[int, R]]:
    """Does the work batch by batch; a batch that is too large for the memory is split in two and tried again.

    While a GPU computes a batch, the results of the one before are read and the next is made ready.
    """
    waiting = list(batches(costs, budget))[::-1]
    under_way: tuple[list[int], Callable[[], list[R]]] | None = None
    while waiting:
        batch = waiting.pop()
        try:
            results = work([items[index] for index in batch])
        except Exception as error:
            if not _out_of_memory(error):
                raise
            _release_memory()
            if len(batch) == 1:
                problem = "a single item does not fit into memory"
                raise RefereeError(problem, "use a smaller model, more memory, or device=cpu") from error
            logger.info("a batch of %d does not fit into memory and is split in two", len(batch))
            middle = len(batch) // 2
            waiting += [batch[middle:], batch[:middle]]
            continue
        if under_way is not None:
            yield from zip(under_way[0], under_way[1](), strict=True)
            under_way = None
        if callable(results):
            under_way = batch, results
        else:
            yield from zip(batch, results, strict=True)
    if under_way is not None:
        yield from zip(under_way[0], under_way[1](), strict=True)


def padded(sequences: Sequence[Sequence[int]], pad: int, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Sequences of tokens as one tensor, padded on the right, and where they are not padding."""
    import torch

    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    filled = np.arange(lengths.max()) < lengths[:, None]
    ids = np.full(filled.shape, pad, np.int64)
    ids[filled] = np.fromiter(chain.from_iterable(sequences), np.int64, int(lengths.sum()))
    return torch.from_numpy(ids).to(device), torch.from_numpy(filled.astype(np.int64)).to(device)


def read(device: str, results: Callable[[], list[R]]) -> Done[R]:
    """What a piece of work gives back: on a GPU the reading of its results, which waits, and elsewhere the results."""
    return results if device.startswith("cuda") else results()


def _out_of_memory(error: Exception) -> bool:
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return any(words in str(error) for words in ("not enough memory", "out of memory", "can't allocate memory"))


def _release_memory() -> None:
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
