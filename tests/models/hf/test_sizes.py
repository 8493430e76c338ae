"""Sizes that cannot be, and weights that are not what their header says: one sentence, and no memory is filled."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import InputError
from referee.models import open_model
from referee.models.hf.sizes import check_sizes
from tests.support import tiny_models as tiny
from tests.support.answers import Folders

KINDS = {"marian": "hf", "bert": "mlm", "gpt2": "causal"}


@pytest.fixture
def copy(folders: Folders, tmp_path: Path) -> Callable[[str], Path]:
    return lambda family: Path(shutil.copytree(folders(family), tmp_path / "copy"))


def edit(folder: Path, **entries: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | entries), encoding="utf-8")


@pytest.mark.parametrize("value", [10**9, 10**30, -1, 0, 1.5, "32", True])
@pytest.mark.parametrize(
    ("family", "key"),
    [
        ("marian", "d_model"),
        ("marian", "vocab_size"),
        ("marian", "encoder_ffn_dim"),
        ("marian", "decoder_attention_heads"),
        ("marian", "max_position_embeddings"),
        ("bert", "hidden_size"),
        ("bert", "intermediate_size"),
        ("gpt2", "n_embd"),
        ("gpt2", "n_head"),
    ],
)
def test_an_impossible_size_is_refused(family: str, key: str, value: object, copy: Callable[[str], Path]) -> None:
    folder = copy(family)
    edit(folder, **{key: value})
    with pytest.raises(InputError, match=rf"config\.json: {key} is .*\. Correct it") as error:
        open_model(f"{KINDS[family]}:{folder}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", [10**9, -1, 2.0])
@pytest.mark.parametrize(
    ("family", "key"), [("marian", "encoder_layers"), ("bert", "num_hidden_layers"), ("gpt2", "n_layer")]
)
def test_an_impossible_number_of_layers_is_refused(
    family: str, key: str, value: object, copy: Callable[[str], Path]
) -> None:
    folder = copy(family)
    edit(folder, **{key: value})
    with pytest.raises(InputError, match=key):
        open_model(f"{KINDS[family]}:{folder}")


def test_a_size_in_a_section_is_refused(copy: Callable[[str], Path]) -> None:
    folder = copy("bert")
    edit(folder, text_config={"hidden_size": 10**9})
    with pytest.raises(InputError, match="hidden_size is 1,000,000,000, but the weights allow at most"):
        check_sizes(folder, "mlm")


def test_sizes_are_held_against_pickled_weights_by_their_bytes(copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    (folder / "model.safetensors").replace(folder / "pytorch_model.bin")
    check_sizes(folder, "causal")
    edit(folder, n_embd=10**9)
    with pytest.raises(InputError, match="n_embd"):
        check_sizes(folder, "causal")


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_every_family_passes(family: str, folders: Folders) -> None:
    kind = "hf" if family in tiny.ENCODER_DECODER else "mlm" if family in tiny.MASKED else "causal"
    check_sizes(folders(family), kind)


def header(folder: Path) -> tuple[dict[str, Any], bytes]:
    content = (folder / "model.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def write(folder: Path, entries: object, data: bytes, length: int | None = None) -> None:
    text = json.dumps(entries).encode()
    prefix = struct.pack("<Q", len(text) if length is None else length)
    (folder / "model.safetensors").write_bytes(prefix + text + data)


def refused(folder: Path) -> str:
    with pytest.raises(InputError, match=r"model\.safetensors: is not a complete safetensors file") as error:
        open_model(f"causal:{folder}")
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("kept", [0, 4, 8, 100, 5000, -1])
def test_truncated_weights_are_refused(kept: int, copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    assert refused(folder)


@pytest.mark.parametrize("length", [0, 1, 2**40, 2**64 - 1])
def test_a_header_that_lies_about_its_length_is_refused(length: int, copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    write(folder, *header(folder), length)
    assert refused(folder)


@pytest.mark.parametrize("entries", [[], 7, {"a": 1}, {"a": {"shape": [1]}}, "[" * 50])
def test_a_header_of_another_form_is_refused(entries: object, copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    write(folder, entries, b"")
    assert refused(folder)


@pytest.mark.parametrize(
    "lie",
    [
        {"shape": [10**9, 10**9]},
        {"shape": [-1, -32]},
        {"data_offsets": [0, 10**15]},
        {"data_offsets": [100, 0]},
        {"data_offsets": [-8, 0]},
        {"dtype": "F64"},
    ],
    ids=str,
)
def test_a_header_that_lies_about_a_weight_is_refused(lie: dict[str, Any], copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    entries, data = header(folder)
    name = next(name for name in sorted(entries) if name != "__metadata__")
    write(folder, entries | {name: entries[name] | lie}, data)
    assert refused(folder)


def test_bytes_behind_the_last_weight_are_refused(copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    with (folder / "model.safetensors").open("ab") as file:
        file.write(b"more")
    assert "but" in refused(folder)
