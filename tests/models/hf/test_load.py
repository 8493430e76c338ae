"""Checkpoints: any change of their files shows, what cannot be loaded is said, the hub is a last resort."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from referee.errors import MissingError, RefereeError, UsageError
from referee.models import open_model
from referee.models.hf.load import Checkpoint, checkpoint, folder_sha256, load
from referee.models.spec import parse
from tests.support import tiny_models as tiny
from tests.support.answers import Folders

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

Kind = Literal["hf", "mlm", "causal"]
OF_KINDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("hf", tiny.ENCODER_DECODER),
    ("mlm", tiny.MASKED),
    ("causal", tiny.CAUSAL),
)
KINDS = {family: kind for kind, families in OF_KINDS for family in families}


@pytest.fixture
def copy(folders: Folders, tmp_path: Path) -> Callable[[str], Path]:
    return lambda family: Path(shutil.copytree(folders(family), tmp_path / "copy"))


@pytest.fixture(autouse=True)
def no_hub(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were looked for on the hub, which is out of reach."""
    asked: list[str] = []

    def snapshot_download(name: str, **_: Any) -> str:
        asked.append(name)
        raise ConnectionError("no route to host\nand a second line")

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot_download)
    return asked


def one_sentence(error: RefereeError) -> bool:
    return "\n" not in str(error) and ". " in str(error) and str(error).endswith(".")


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_the_hash_changes_with_any_byte_of_any_file(family: str, folders: Folders, copy: Callable[[str], Path]) -> None:
    folder = copy(family)
    before = folder_sha256(folder)
    assert before == folder_sha256(folders(family)), "where it lies does not matter"
    names = sorted(path.name for path in folder.iterdir())
    assert {"model.safetensors", "config.json", "tokenizer_config.json"} <= set(names)
    seen = {before}
    for name in names:
        path = folder / name
        content = path.read_bytes()
        for place in (0, len(content) // 2, len(content) - 1):
            path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            seen.add(folder_sha256(folder))
        path.write_bytes(content)
    assert len(seen) == 1 + 3 * len(names)
    assert folder_sha256(folder) == before


def test_the_hash_changes_when_a_file_goes_comes_or_is_renamed(copy: Callable[[str], Path]) -> None:
    folder = copy("marian")
    seen = {folder_sha256(folder)}
    (folder / "source.spm").rename(folder / "source2.spm")
    seen.add(folder_sha256(folder))
    (folder / "source2.spm").unlink()
    seen.add(folder_sha256(folder))
    (folder / "added_tokens.json").write_text("{}")
    seen.add(folder_sha256(folder))
    assert len(seen) == 4


def test_what_has_nothing_to_do_with_scores_does_not_change_the_hash(copy: Callable[[str], Path]) -> None:
    folder = copy("marian")
    before = folder_sha256(folder)
    (folder / "README.md").write_text("a card")
    (folder / ".cache").mkdir()
    assert folder_sha256(folder) == before


@pytest.mark.parametrize("name", ["/no/such/folder", "./missing", "../missing", "~/missing", "a/b/c", "/no such/z"])
def test_a_path_is_not_looked_for_on_the_hub(name: str, no_hub: list[str]) -> None:
    with pytest.raises(MissingError, match=r"is not a folder. Give a folder with a checkpoint") as error:
        checkpoint(name)
    assert name in str(error.value)
    assert no_hub == []


def test_a_file_is_no_checkpoint(tmp_path: Path, no_hub: list[str]) -> None:
    (tmp_path / "model.bin").write_text("x")
    with pytest.raises(MissingError, match="is not a folder"):
        checkpoint(str(tmp_path / "model.bin"))
    assert no_hub == []


@pytest.mark.parametrize("name", ["gpt2", "Helsinki-NLP/opus-mt-en-de"])
def test_other_names_are_and_failure_is_said(name: str, no_hub: list[str]) -> None:
    with pytest.raises(MissingError, match="neither a folder nor a model on the hub \\(no route to host\\)") as error:
        checkpoint(name)
    assert one_sentence(error.value)
    assert no_hub == [name]


def test_a_folder_comes_before_the_hub(folders: Folders, monkeypatch: pytest.MonkeyPatch, no_hub: list[str]) -> None:
    monkeypatch.chdir(folders("gpt2").parent)
    assert checkpoint("gpt2") == Path("gpt2")
    assert open_model("causal:gpt2").identity() == open_model(f"causal:{folders('gpt2')}").identity()
    assert no_hub == []


@pytest.mark.parametrize("kind", ["hf", "mlm", "causal"])
@pytest.mark.parametrize("files", [{}, {"config.json": "{}"}, {"config.json": "no json"}, {"README.md": "hello"}])
def test_what_is_no_checkpoint_is_said(kind: str, files: dict[str, str], tmp_path: Path) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(MissingError, match="cannot be loaded as AutoModelFor") as error:
        open_model(f"{kind}:{tmp_path}")
    assert one_sentence(error.value)


@pytest.mark.parametrize("family", ["marian", "bert", "gpt2"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.safetensors", None),
        ("model.safetensors", b""),
        ("model.safetensors", b"\0" * 100),
        ("config.json", b"{"),
        ("tokenizer.json", b"{"),
    ],
    ids=["no weights", "empty weights", "other weights", "broken config", "broken tokenizer"],
)
def test_a_damaged_checkpoint_is_said(
    family: str, name: str, content: bytes | None, copy: Callable[[str], Path]
) -> None:
    folder = copy(family)
    if name == "tokenizer.json" and not (folder / name).exists():
        name = "vocab.json"
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(RefereeError) as error:
        open_model(f"{KINDS[family]}:{folder}")
    assert one_sentence(error.value)
    assert str(folder) in str(error.value)


def test_truncated_weights_are_said(copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])
    with pytest.raises(RefereeError) as error:
        open_model(f"causal:{folder}")
    assert one_sentence(error.value)


@pytest.mark.parametrize("kind", ["hf", "mlm", "causal"])
@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_only_models_of_the_right_kind_are_opened(kind: str, family: str, folders: Folders) -> None:
    """Transformers makes a causal model out of BERT, and a masked one out of mBART; their scores mean nothing."""
    if KINDS[family] == kind:
        assert open_model(f"{kind}:{folders(family)}").identity().sha256 == folder_sha256(folders(family))
        return
    with pytest.raises(MissingError) as error:
        open_model(f"{kind}:{folders(family)}")
    assert one_sentence(error.value)


@pytest.mark.parametrize("family", ["bert", "marian", "gpt2"])
def test_a_checkpoint_without_its_head_is_not_filled_up_with_random_weights(
    family: str, copy: Callable[[str], Path]
) -> None:
    folder = copy(family)
    safetensors = pytest.importorskip("safetensors.torch")
    weights = safetensors.load_file(folder / "model.safetensors")
    dropped = next(
        name for name in sorted(weights) if name.startswith(("cls.", "model.decoder.layers", "transformer.h"))
    )
    del weights[dropped]
    safetensors.save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(MissingError) as error:
        open_model(f"{KINDS[family]}:{folder}")
    assert one_sentence(error.value)


@pytest.mark.parametrize(
    ("options", "dtype"),
    [
        ("", "float32"),
        (",dtype=float32", "float32"),
        (",dtype=bfloat16", "bfloat16"),
        (",dtype=float16", "float16"),
        (",dtype=float64", "float64"),
    ],
)
def test_dtype_and_device(options: str, dtype: str, folders: Folders) -> None:
    loaded = load(Checkpoint.of(parse(f"causal:{folders('gpt2')},device=cpu{options}"), "causal"))
    assert (loaded.device, loaded.dtype) == ("cpu", dtype)
    assert {parameter.dtype for parameter in loaded.model.parameters()} == {getattr(torch, dtype)}
    assert {parameter.device.type for parameter in loaded.model.parameters()} == {"cpu"}
    assert not loaded.model.training


def test_the_default_is_fp32_where_there_is_no_gpu(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    loaded = load(Checkpoint("causal:gpt2", "causal", str(folders("gpt2"))))
    assert (loaded.device, loaded.dtype) == ("cpu", "float32")


@pytest.mark.parametrize("dtype", ["int8", "fp32", "torch.float32"])
def test_an_impossible_dtype_is_refused(dtype: str, folders: Folders) -> None:
    with pytest.raises(UsageError, match="Choose float32, bfloat16, float16 or float64"):
        open_model(f"causal:{folders('gpt2')},dtype={dtype}")


@pytest.mark.parametrize("device", ["cuda", "cuda:7", "nonsense"])
def test_a_device_that_is_not_there_is_said(device: str, folders: Folders) -> None:
    if device.startswith("cuda") and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(RefereeError, match=device) as error:
        open_model(f"causal:{folders('gpt2')},device={device}")
    assert one_sentence(error.value)


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_the_longest_input_is_known(family: str, folders: Folders) -> None:
    loaded = load(Checkpoint(family, KINDS[family], str(folders(family))))
    assert loaded.max_length == tiny.POSITIONS
