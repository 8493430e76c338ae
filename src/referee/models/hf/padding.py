"""Sequences of tokens as one tensor."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import torch


def padded(sequences: Sequence[Sequence[int]], pad: int, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Sequences padded on the right, and where they are not padding."""
    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    filled = np.arange(lengths.max()) < lengths[:, None]
    ids = np.full(filled.shape, pad, np.int64)
    ids[filled] = np.fromiter(chain.from_iterable(sequences), np.int64, int(lengths.sum()))
    return torch.from_numpy(ids).to(device), torch.from_numpy(filled.astype(np.int64)).to(device)
