"""Sequences of tokens as one tensor."""

from __future__ import annotations

from collections.abc import Sequence

import torch


def padded(sequences: Sequence[Sequence[int]], pad: int, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Sequences padded on the right, and where they are not padding."""
    longest = max(map(len, sequences))
    ids = torch.tensor([[*sequence, *[pad] * (longest - len(sequence))] for sequence in sequences], device=device)
    lengths = torch.tensor([len(sequence) for sequence in sequences], device=device)
    return ids, (torch.arange(longest, device=device)[None, :] < lengths[:, None]).long()
