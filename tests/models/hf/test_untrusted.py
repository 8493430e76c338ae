"""Hostile checkpoints: none of their code runs, whatever stdin answers, and each meets one sentence."""

from __future__ import annotations

import io
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.errors import InputError, MissingError, RefereeError
from referee.models import open_model
from referee.models.hf.load import checkpoint, folder_sha256
from referee.models.hf.untrusted import check_files, reads_pickle
from tests.support import tiny_models as tiny
from tests.support.answers import Folders

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

KINDS = {"marian": "hf", "bert": "mlm", "gpt2": "causal"}
CODE = """
from pathlib import Path
Path({marker!r}).write_text("the code ran")
from transformers import {config} as Config, {tokenizer} as Tokenizer, {model} as Model
"""


class Hostile:
    """Writes the marker when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return exec, (f"open({str(self.marker)!r}, 'w').write('unpickled')",)


@pytest.fixture
def copy(folders: Folders, tmp_path: Path) -> Callable[[str], Path]:
    return lambda family: Path(shutil.copytree(folders(family), tmp_path / "copy"))


@pytest.fixture
def marker(tmp_path: Path) -> Iterator[Path]:
    """A file that only hostile code writes."""
    yield (path := tmp_path / "marker")
    assert not path.exists(), path.read_text()


@pytest.fixture(autouse=True)
def yes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever asks is told yes; modules that transformers copies stay in the test's folder."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 100))
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path / "modules"))


def edit(path: Path, **entries: Any) -> None:
    content = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.write_text(json.dumps(content | entries), encoding="utf-8")


def refused(kind: str, folder: Path, options: str = "") -> str:
    """The one sentence, and its fix, that opening it meets."""
    with pytest.raises(RefereeError) as error:
        open_model(f"{kind}:{folder}{options}")
    said = str(error.value)
    assert "\n" not in said
    assert said.count(". ") >= 1
    assert said.endswith(".")
    return said


@pytest.mark.parametrize("family", KINDS)
@pytest.mark.parametrize("unknown", [True, False], ids=["unknown architecture", "known architecture"])
@pytest.mark.parametrize(
    "name", ["config.json", "tokenizer_config.json", "processor_config.json", "generation_config.json"]
)
def test_code_that_a_configuration_names_does_not_run(
    family: str, name: str, *, unknown: bool, copy: Callable[[str], Path], marker: Path
) -> None:
    folder = copy(family)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    classes = {
        "config": transformers.AutoConfig.from_pretrained(folder).__class__.__name__,
        "tokenizer": transformers.AutoTokenizer.from_pretrained(folder).__class__.__name__,
        "model": config["architectures"][0],
    }
    (folder / "hostile.py").write_text(CODE.format(marker=str(marker), **classes))
    auto = {"hf": "AutoModelForSeq2SeqLM", "mlm": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}
    named = {
        "AutoConfig": "hostile.Config",
        "AutoTokenizer": ["hostile.Tokenizer", None],
        "AutoProcessor": "hostile.Tokenizer",
        auto[KINDS[family]]: "hostile.Model",
    }
    edit(folder / name, auto_map=named)
    if unknown:
        edit(folder / "config.json", model_type="hostile", **({"auto_map": named} if name == "config.json" else {}))
        assert "auto_map" in refused(KINDS[family], folder)
    else:
        # The class that transformers has itself is taken.
        assert open_model(f"{KINDS[family]}:{folder}").identity()


def test_at_the_command_line_with_yes_on_stdin(copy: Callable[[str], Path], marker: Path, tmp_path: Path) -> None:
    folder = copy("gpt2")
    (folder / "hostile.py").write_text(
        CODE.format(marker=str(marker), config="GPT2Config", tokenizer="GPT2Tokenizer", model="GPT2LMHeadModel")
    )
    edit(
        folder / "config.json",
        model_type="hostile",
        auto_map={"AutoConfig": "hostile.Config", "AutoModelForCausalLM": "hostile.Model"},
    )
    environment = os.environ | {"HF_MODULES_CACHE": str(tmp_path / "modules"), "HF_HUB_OFFLINE": "1"}
    arguments = ["eval", f"causal:{folder}", "templates/de/gender", "--limit", "1", "--no-cache"]
    done = subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        input="y\n" * 20,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert "auto_map" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("section", ["text_config", "decoder"])
def test_code_in_a_section_does_not_run(section: str, copy: Callable[[str], Path]) -> None:
    folder = copy("bert")
    edit(folder / "config.json", **{section: {"auto_map": {"AutoConfig": "hostile.Config"}}})
    assert "auto_map" in refused("mlm", folder)


@pytest.mark.parametrize("key", ["attn_implementation", "_attn_implementation"])
def test_code_of_the_hub_does_not_run(key: str, copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    edit(folder / "config.json", **{key: "someone/kernel"})
    assert "names code on the hub" in refused("causal", folder)


def test_a_tokenizer_of_ct2_runs_no_code(copy: Callable[[str], Path], marker: Path) -> None:
    from referee.models.ct2.tokenizers import open_tokenizer

    folder = copy("marian")
    (folder / "hostile.py").write_text(
        CODE.format(marker=str(marker), config="MarianConfig", tokenizer="MarianTokenizer", model="MarianMTModel")
    )
    named = {"AutoTokenizer": ["hostile.Tokenizer", None], "AutoConfig": "hostile.Config"}
    for name in ("tokenizer_config.json", "config.json"):
        edit(folder / name, auto_map=named)
    edit(folder / "config.json", model_type="hostile")
    with pytest.raises(InputError, match="auto_map"):
        open_tokenizer(folder, {}, None, None)


def pickled(folder: Path, marker: Path, *, name: str = "pytorch_model.bin", keep: bool = False) -> None:
    """Replaces the weights by a pickle that is a checkpoint and hostile at once."""
    weights: dict[str, Any] = {"hostile": Hostile(marker), "filler": "x" * 10_000}
    torch.save(weights, folder / name)
    with (folder / f"plain-{name}").open("wb") as file:
        pickle.dump(weights, file)
    (folder / f"plain-{name}").replace(folder / name)
    if not keep:
        (folder / "model.safetensors").unlink()


@pytest.mark.parametrize("family", KINDS)
@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.ckpt", "weights.pth"])
def test_pickles_are_refused_unasked(family: str, name: str, copy: Callable[[str], Path], marker: Path) -> None:
    folder = copy(family)
    pickled(folder, marker, name=name)
    said = refused(KINDS[family], folder)
    assert "pickled weights" in said
    assert name in said
    assert "allow_pickle=yes" in said


def test_pickles_in_shards_are_refused_unasked(copy: Callable[[str], Path], marker: Path) -> None:
    folder = copy("gpt2")
    pickled(folder, marker, name="pytorch_model-00001-of-00001.bin")
    index = {"metadata": {}, "weight_map": {"transformer.wte.weight": "pytorch_model-00001-of-00001.bin"}}
    edit(folder / "pytorch_model.bin.index.json", **index)
    assert "pickled weights" in refused("causal", folder)


def test_an_index_of_safetensors_names_no_pickle(copy: Callable[[str], Path], marker: Path) -> None:
    folder = copy("gpt2")
    pickled(folder, marker, name="shard.bin")
    edit(folder / "model.safetensors.index.json", metadata={}, weight_map={"transformer.wte.weight": "shard.bin"})
    assert "not safetensors" in refused("causal", folder)


def test_a_hostile_pickle_does_not_run_where_pickles_are_allowed(copy: Callable[[str], Path], marker: Path) -> None:
    folder = copy("gpt2")
    pickled(folder, marker)
    assert "cannot be loaded" in refused("causal", folder, ",allow_pickle=yes")


@pytest.mark.parametrize("family", KINDS)
def test_an_allowed_pickle_has_the_same_scores(family: str, copy: Callable[[str], Path], folders: Folders) -> None:
    folder = copy(family)
    safetensors = pytest.importorskip("safetensors.torch")
    torch.save(safetensors.load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    opened: Any = open_model(f"{KINDS[family]}:{folder},allow_pickle=yes")
    original: Any = open_model(f"{KINDS[family]}:{folders(family)}")
    for name, weight in original.loaded.model.state_dict().items():
        assert torch.equal(opened.loaded.model.state_dict()[name], weight)


@pytest.mark.parametrize("options", ["", ",allow_pickle=no", ",allow_pickle=yes"])
def test_safetensors_come_first(options: str, copy: Callable[[str], Path], folders: Folders, marker: Path) -> None:
    folder = copy("gpt2")
    pickled(folder, marker, keep=True)
    assert open_model(f"causal:{folder}{options}").identity().sha256 == folder_sha256(folders("gpt2"))


def test_a_wrong_answer_is_refused(folders: Folders) -> None:
    with pytest.raises(RefereeError, match="Choose yes or no"):
        open_model(f"causal:{folders('gpt2')},allow_pickle=maybe")


@pytest.mark.parametrize("key", ["vocab_file", "tokenizer_file", "merges_file", "source_spm"])
@pytest.mark.parametrize("value", ["../../secret.json", "/etc/passwd", "~/secret", "..\\..\\secret"])
def test_a_tokenizer_reads_no_file_elsewhere(key: str, value: str, copy: Callable[[str], Path]) -> None:
    folder = copy("marian")
    edit(folder / "tokenizer_config.json", **{key: value})
    said = refused("hf", folder)
    assert "outside the folder" in said
    assert key in said


def test_what_published_tokenizers_say_of_their_authors_machine_is_no_attack(copy: Callable[[str], Path]) -> None:
    folder = copy("marian")
    edit(folder / "tokenizer_config.json", special_tokens_map_file="/home/author/special_tokens_map.json")
    assert open_model(f"hf:{folder}").identity()


@pytest.mark.parametrize("shard", ["../model.safetensors", "/tmp/model.safetensors", "sub/model.safetensors", 7])
def test_an_index_names_no_file_elsewhere(shard: object, copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    (folder / "model.safetensors").rename(folder.parent / "model.safetensors")
    edit(folder / "model.safetensors.index.json", metadata={}, weight_map={"transformer.wte.weight": shard})
    assert "outside the folder" in refused("causal", folder)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "vocab.json", "source.spm"])
def test_links_out_of_the_folder_are_not_followed(name: str, copy: Callable[[str], Path], tmp_path: Path) -> None:
    folder = copy("marian")
    (folder / name).rename(tmp_path / name)
    (folder / name).symlink_to(tmp_path / name)
    said = refused("hf", folder)
    assert "is a link to a file outside the folder" in said
    assert name in said


def test_links_inside_the_folder_and_to_the_folder_are_fine(copy: Callable[[str], Path], tmp_path: Path) -> None:
    folder = copy("gpt2")
    (folder / "model.safetensors").rename(folder / "weights")
    (folder / "model.safetensors").symlink_to("weights")
    (tmp_path / "link").symlink_to(folder)
    assert open_model(f"causal:{tmp_path / 'link'}").identity()


def test_the_cache_of_the_hub_is_made_of_links(folders: Folders, tmp_path: Path) -> None:
    snapshot, blobs = tmp_path / "models--a--b" / "snapshots" / "1234", tmp_path / "models--a--b" / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    for number, path in enumerate(sorted(folders("gpt2").iterdir())):
        shutil.copy(path, blobs / str(number))
        (snapshot / path.name).symlink_to(Path("../../blobs") / str(number))
    assert open_model(f"causal:{snapshot}").identity().sha256 == folder_sha256(folders("gpt2"))
    (snapshot / "config.json").unlink()
    (snapshot / "config.json").symlink_to(folders("gpt2") / "config.json")
    assert "outside the folder" in refused("causal", snapshot)


def test_a_pipe_is_not_waited_for(copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    (folder / "config.json").unlink()
    os.mkfifo(folder / "config.json")
    assert "is not a regular file" in refused("causal", folder)


def test_an_adapter_is_refused(copy: Callable[[str], Path]) -> None:
    folder = copy("gpt2")
    edit(folder / "adapter_config.json", base_model_name_or_path="../elsewhere")
    assert "is an adapter" in refused("causal", folder)


def test_the_hub_delivers_no_pickle_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def snapshot_download(name: str, **options: Any) -> str:
        asked.append(options)
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot_download)
    with pytest.raises(
        MissingError, match=r"'someone/model' has no safetensors weights on the hub. Add allow_pickle=yes"
    ):
        checkpoint("someone/model")
    assert checkpoint("someone/model", allow_pickle=True) == tmp_path
    assert [options["ignore_patterns"] for options in asked] == [["*.bin"], None]


def test_nothing_in_an_ordinary_folder_is_refused(folders: Folders) -> None:
    for family in tiny.FAMILIES:
        check_files(folders(family))
        assert not reads_pickle(folders(family), family, allow_pickle=False)
