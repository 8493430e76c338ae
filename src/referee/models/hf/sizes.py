"""Sizes that a configuration states, held against the weights: an absurd one would fill the memory or never end."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from referee.errors import InputError
from referee.models.hf.untrusted import entries, read_json

_WIDTH = re.compile(
    r"(.+_)?(hidden_size|d_model|d_ff|d_kv|d_inner|n_embd|n_inner|ffn_dim|intermediate_size|vocab_size|head_dim"
    r"|embedding_size|heads|n_head)"
)
_LAYERS = re.compile(r"((num_)?(hidden_|encoder_|decoder_)?layers|n_layers?)")
_POSITIONS = re.compile(r"(max_position_embeddings|n_positions|n_ctx)")
_MOST_POSITIONS = {"hf": 100_000}
"""Translation models keep a row per position in memory; published ones have at most 16,384."""
_ANY_POSITIONS = 1_000_000_000
_HEADER = 100_000_000
_BITS = {"F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "F16": 16, "BF16": 16, "I16": 16, "U16": 16}


@dataclass(frozen=True)
class WeightSizes:
    """How many weights there are, and the largest dimension of any; without a header, what the bytes allow."""

    count: int
    widest: int


def check_sizes(folder: Path, kind: str) -> None:
    """Refuse sizes in config.json that are negative, not whole numbers, or larger than the weights can be."""
    path = folder / "config.json"
    sizes = _weight_sizes(folder)
    for key, value in entries(read_json(path)):
        width, layers, positions = (bool(kind_.fullmatch(key)) for kind_ in (_WIDTH, _LAYERS, _POSITIONS))
        if not (width or layers or positions) or value is None or isinstance(value, dict | list):
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < (0 if layers else 1):
            raise InputError(f"{key} is {value!r}, expected a positive whole number", "correct it", path)
        most = sizes.count if layers else sizes.widest if width else _MOST_POSITIONS.get(kind, _ANY_POSITIONS)
        if value > most:
            known = "this kind of model has at most" if positions else "the weights allow at most"
            raise InputError(f"{key} is {value:,}, but {known} {most:,}", "correct it, or choose another model", path)


def _weight_sizes(folder: Path) -> WeightSizes:
    """The sizes of all weights; every header is checked."""
    shapes = [shape for path in sorted(folder.glob("*.safetensors")) for shape in _shapes(path)]
    if shapes:
        return WeightSizes(len(shapes), max((size for shape in shapes for size in shape), default=1))
    # Pickled weights have no header that could be read without running it.
    size = sum(path.stat().st_size for path in folder.glob("*.bin"))
    return WeightSizes(size, min(size, 10_000_000))


def _shapes(path: Path) -> Iterator[tuple[int, ...]]:
    """The shapes in a safetensors header, which must account for every byte of the file."""
    size = path.stat().st_size
    with path.open("rb") as file:
        first = file.read(8)
        length = struct.unpack("<Q", first)[0] if len(first) == 8 else 0
        if not 2 <= length <= min(_HEADER, size - 8):
            raise _damaged(path, "its header has no valid length")
        content = file.read(length)
    try:
        header = json.loads(content)
        tensors = {name: entry for name, entry in header.items() if name != "__metadata__"}
        ends = [_end(path, name, entry) for name, entry in tensors.items()]
        shapes = [tuple(entry["shape"]) for entry in tensors.values()]
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        raise _damaged(path, "its header is not valid") from None
    if max(ends, default=0) != size - 8 - length:
        raise _damaged(
            path, f"its header describes {max(ends, default=0):,} bytes, but {size - 8 - length:,} are there"
        )
    yield from shapes


def _end(path: Path, name: str, entry: Mapping[str, Any]) -> int:
    """Where a weight ends; its shape must fill the bytes from its beginning to there."""
    start, end = entry["data_offsets"]
    shape = entry["shape"]
    if not all(isinstance(number, int) and number >= 0 for number in (start, end, *shape)):
        raise ValueError
    bits = _BITS.get(entry["dtype"])
    if bits is not None and prod(shape) * bits != (end - start) * 8:
        raise _damaged(path, f"the bytes of '{name[:60]}' do not fit its shape")
    return int(end)


def _damaged(path: Path, why: str) -> InputError:
    return InputError(f"is not a complete safetensors file ({why})", "copy or download it again", path)
