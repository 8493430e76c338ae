"""Checks of a checkpoint's files before any library reads them: none of its code runs, and it names no file elsewhere.

A checkpoint comes from anywhere. Its configuration may name Python code (`auto_map`), which transformers offers to run,
its weights may be pickles, which run code when they are read, and its files may be links to other files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from referee.errors import InputError, MissingError

READ = ("*.safetensors", "*.bin", "*.json", "*.model", "*.spm", "*.txt", "*.jinja")
"""The files that are read, and hashed."""
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle")

_SAFE = ("model.safetensors", "model.safetensors.index.json")
_UNSAFE = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_NAMES_A_FILE = ("_file", "_spm", "transformers_weights")
_NEVER_OPENED = frozenset({"special_tokens_map_file"})
"""An entry of many published tokenizers: the path on its author's machine, which no version opens."""
_IMPLEMENTATIONS = ("attn_implementation", "_attn_implementation", "experts_implementation")


def check_files(folder: Path) -> None:
    """Refuse links out of the folder, code and files that a configuration names elsewhere, and adapters."""
    inside = _allowed(folder)
    for path in sorted({path for pattern in (*READ, *PICKLED) for path in folder.glob(pattern)}):
        real = path.resolve()
        if not any(real.is_relative_to(place) for place in inside):
            raise InputError("is a link to a file outside the folder", "copy that file into the folder", path)
        if not path.is_file():
            raise InputError("is not a regular file", "choose a folder with a complete checkpoint", path)
    if (folder / "adapter_config.json").exists():
        problem = "is an adapter, whose base model is elsewhere"
        raise InputError(problem, "choose a checkpoint with the adapter merged into it", folder / "adapter_config.json")
    known = _is_known(read_json(folder / "config.json"))
    for path in sorted(folder.glob("*config.json")):
        content = read_json(path)
        if known and isinstance(content, dict):
            content.pop("auto_map", None)
        for key, value in entries(content):
            _check_entry(path, key, value)
    for path in sorted(folder.glob("*.index.json")):
        _check_index(path)


def reads_pickle(folder: Path, text: str, *, allow_pickle: bool) -> bool:
    """Whether the weights are a pickle, which the user must have allowed; safetensors come first."""
    if any((folder / name).is_file() for name in _SAFE):
        return False
    pickled = sorted(path.name for pattern in PICKLED for path in folder.glob(pattern))
    if not pickled:
        return False
    if allow_pickle and any((folder / name).is_file() for name in _UNSAFE):
        return True
    problem = f"'{text}' has only pickled weights ({pickled[0]}), which can run any code when they are read"
    remedy = "convert them to safetensors, or add allow_pickle=yes if you trust their author"
    raise MissingError(problem, remedy)


def _allowed(folder: Path) -> list[Path]:
    """The folder, and where it is a snapshot of the hub's cache, the folder with the files that it links to."""
    real = folder.resolve()
    return [real, real.parents[1] / "blobs"] if real.parent.name == "snapshots" else [real]


def _is_known(config: Any) -> bool:
    """Whether transformers has the architecture: it then takes its own class, and ignores the code of the folder."""
    from transformers import CONFIG_MAPPING

    architecture = config.get("model_type") if isinstance(config, dict) else None
    return isinstance(architecture, str) and architecture in CONFIG_MAPPING


def read_json(path: Path) -> Any:
    """The content of a file; None where it cannot be read, which the library that needs it will report."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def entries(content: Any) -> Iterator[tuple[str, Any]]:
    """Every key with its value, at any depth."""
    waiting = [content]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            yield from one.items()
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _check_entry(path: Path, key: str, value: Any) -> None:
    if key == "auto_map" and value:
        problem = "has an entry 'auto_map', which names Python code, and the code of a checkpoint is never run"
        raise InputError(problem, "choose a model that transformers has itself", path)
    if key in _IMPLEMENTATIONS and isinstance(value, str) and "/" in value:
        problem = f"has an entry '{key}', which names code on the hub ({value!r})"
        raise InputError(problem, "remove the entry", path)
    if key.endswith(_NAMES_A_FILE) and key not in _NEVER_OPENED and isinstance(value, str) and _leaves(value):
        problem = f"names a file outside the folder in '{key}' ({value!r})"
        raise InputError(problem, "copy that file into the folder, and remove the entry", path)


def _check_index(path: Path) -> None:
    """Refuse an index whose shards are elsewhere, or are pickles although it is one of safetensors."""
    content = read_json(path)
    shards = content.get("weight_map") if isinstance(content, dict) else None
    if not isinstance(shards, dict):
        raise InputError("is not an index of weights", "copy or download it again", path)
    for shard in shards.values():
        if not isinstance(shard, str) or _leaves(shard) or PurePosixPath(shard).name != shard:
            raise InputError(f"names a file outside the folder ({shard!r})", "choose another checkpoint", path)
        if path.name in _SAFE and not shard.endswith(".safetensors"):
            raise InputError(f"names weights that are not safetensors ({shard!r})", "choose another checkpoint", path)


def _leaves(name: str) -> bool:
    """Whether a file name leads out of the folder that it is in."""
    paths = (PurePosixPath(name), PureWindowsPath(name))
    return name.startswith("~") or any(path.is_absolute() or ".." in path.parts for path in paths)
