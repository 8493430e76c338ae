"""Trained weights on their way: in bf16, in parts of a few megabytes each, and what is known of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from referee.errors import InputError
from referee.io.files import atomic_write, existing

_PART = 12 * 2**20
"""Bytes of a part: machines that are lent for training hand back small files only."""
_LIST = "weights.json"


def save(out: Path, size: Mapping[str, Any], stages: list[dict[str, Any]], weights: Mapping[str, torch.Tensor]) -> None:
    """Write new parts, then the list that names them, and only then remove the old: a machine may stop any time."""
    parts: list[list[np.ndarray]] = [[]]
    listed = []
    for name, weight in weights.items():
        # numpy has no bf16: its bits travel as whole numbers.
        bits = weight.to(torch.bfloat16).cpu().contiguous().view(torch.int16).numpy()
        if parts[-1] and sum(part.nbytes for part in parts[-1]) + bits.nbytes > _PART:
            parts.append([])
        listed.append({"name": name, "shape": list(bits.shape), "part": len(parts) - 1})
        parts[-1].append(bits.ravel())
    steps = sum(stage["steps"] for stage in stages)
    files = [f"weights-{steps}-{number}.bin" for number in range(len(parts))]
    for file, part in zip(files, parts, strict=True):
        with atomic_write(out / file) as written:
            written.write(np.concatenate(part).tobytes())
    about = {"size": dict(size), "stages": stages, "parts": files, "weights": listed}
    with atomic_write(out / _LIST) as written:
        written.write(json.dumps(about).encode())
    for old in out.glob("weights-*.bin"):
        if old.name not in files:
            old.unlink()


def read(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, torch.Tensor]]:
    """The size of the network, the stages of its training, and its weights by name."""
    about = json.loads(existing(folder / _LIST).read_text())
    parts = [np.fromfile(existing(folder / file), np.int16) for file in about["parts"]]
    used = [0] * len(parts)
    weights = {}
    for weight in about["weights"]:
        part, count = weight["part"], int(np.prod(weight["shape"]))
        bits = parts[part][used[part] : used[part] + count]
        if len(bits) != count:
            raise InputError("is cut off", "save the weights again", folder / about["parts"][part])
        used[part] += count
        weights[weight["name"]] = torch.from_numpy(bits.reshape(weight["shape"])).view(torch.bfloat16).float()
    return about["size"], about["stages"], weights
