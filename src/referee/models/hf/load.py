"""Checkpoints from a folder or the hub: downloaded, hashed, loaded, put on a device."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from referee.errors import MissingError, UsageError
from referee.models.hf.sizes import check_sizes
from referee.models.hf.token_range import check_tokens
from referee.models.hf.untrusted import PICKLED, READ, check_files, reads_pickle
from referee.models.spec import ModelSpec

OPTIONS = ("allow_pickle", "device", "dtype", "tokens")
"""The options that every kind of checkpoint has."""


@dataclass(frozen=True)
class Checkpoint:
    """What to load: `name` is a folder or a model of the hub, `text` what the user calls it.

    `tokens` is the size of a batch in padded tokens. What is None is chosen to suit the machine. `allow_pickle`: the
    user trusts weights that are pickles.
    """

    text: str
    kind: Literal["hf", "mlm", "causal"]
    name: str
    device: str | None = None
    dtype: str | None = None
    tokens: int | None = None
    allow_pickle: bool = False

    @staticmethod
    def of(spec: ModelSpec, kind: Literal["hf", "mlm", "causal"]) -> Checkpoint:
        """The checkpoint that a spec names."""
        tokens = spec.number("tokens", 1) if "tokens" in spec.options else None
        allow_pickle = spec.option("allow_pickle", ("yes", "no"), "no") == "yes"
        options = spec.options.get("device"), spec.options.get("dtype")
        return Checkpoint(spec.text, kind, spec.name, *options, tokens, allow_pickle)


@dataclass(frozen=True)
class Loaded:
    """A checkpoint in memory: the model, its tokenizer, where it is, and the hash of all its files."""

    name: str
    model: Any
    tokenizer: Any
    device: str
    dtype: str
    sha256: str
    max_length: int | None
    tokens: int | None

    def budget(self, *, cpu: int, gpu: int) -> int:
        """Padded tokens in a batch: the option `tokens`, else a figure that suits the device."""
        return self.tokens or (gpu if self.device.startswith("cuda") else cpu)

    @property
    def together(self) -> int:
        """How many requests to compute in one batch: the most that an interrupted run computes again."""
        return 4_096 if self.device.startswith("cuda") else 192


_AUTO_CLASSES = {"hf": "AutoModelForSeq2SeqLM", "mlm": "AutoModelForMaskedLM", "causal": "AutoModelForCausalLM"}


def load(wanted: Checkpoint) -> Loaded:
    """Loads a checkpoint with transformers; without `dtype`, bf16 on a GPU and fp32 elsewhere."""
    torch, transformers = _libraries()
    device = wanted.device or ("cuda" if torch.cuda.is_available() else "cpu")
    dtype = wanted.dtype or ("bfloat16" if device.startswith("cuda") else "float32")
    auto_class = _AUTO_CLASSES[wanted.kind]
    if dtype not in ("float32", "bfloat16", "float16", "float64"):
        raise UsageError(f"'dtype={dtype}' is not valid", "choose float32, bfloat16, float16 or float64")
    _check_device(torch, device)
    folder = checkpoint(wanted.name, allow_pickle=wanted.allow_pickle)
    check_files(folder)
    pickled = reads_pickle(folder, wanted.text, allow_pickle=wanted.allow_pickle)
    check_sizes(folder, wanted.kind)
    _quieten(transformers)
    loader: Callable[..., Any] = getattr(transformers, auto_class).from_pretrained
    with _loading(wanted, auto_class):
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        model, report = loader(
            folder,
            dtype=getattr(torch, dtype),
            output_loading_info=True,
            trust_remote_code=False,
            use_safetensors=not pickled,
            weights_only=True,
        )
    _check_whole(wanted, model, report)
    model.to(device)
    model.eval()
    if wanted.kind == "mlm" and not tokenizer.is_fast:
        problem = f"the tokenizer of '{wanted.name}' does not return token offsets"
        raise MissingError(problem, "convert it to a fast tokenizer")
    check_tokens(model, folder)
    return Loaded(
        wanted.text,
        model,
        tokenizer,
        device,
        dtype,
        folder_sha256(folder),
        _max_length(model, tokenizer),
        wanted.tokens,
    )


@contextmanager
def _loading(wanted: Checkpoint, auto_class: str) -> Iterator[None]:
    """Say in one sentence why a checkpoint cannot be loaded, in whichever library that shows."""
    try:
        yield
    except BaseException as error:
        if not is_damage(error):
            raise
        problem = f"'{wanted.text}' cannot be loaded as {auto_class} ({first_line(error)})"
        raise MissingError(problem, "choose a checkpoint of that kind") from error


def is_damage(error: BaseException) -> bool:
    """Whether an error may come from the files of a checkpoint.

    They can be wrong in as many ways as there are libraries that read them; a panic in Rust is not an Exception.
    """
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def checkpoint(name: str, *, allow_pickle: bool = False) -> Path:
    """The folder of a checkpoint: the name itself, or what the hub has under it, fetched where need be.

    Pickled weights are not fetched unless they are allowed.
    """
    folder = Path(name)
    if folder.is_dir():
        return folder
    if name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise MissingError("is not a folder", "give a folder with a checkpoint, or the name of a hub model", file=name)
    from huggingface_hub import snapshot_download

    try:
        ignored = None if allow_pickle else ["*.bin"]
        folder = Path(snapshot_download(name, allow_patterns=list(READ), ignore_patterns=ignored))
    except Exception as error:
        # The hub's client raises many kinds of errors, and all mean that the model could not be had.
        problem = f"'{name}' is neither a folder nor a model on the hub ({first_line(error)})"
        raise MissingError(problem, "check the name and the connection, or use a local folder") from error
    if not allow_pickle and not any(folder.glob("*.safetensors")):
        problem = f"'{name}' has no safetensors weights on the hub"
        remedy = "add allow_pickle=yes if it has pickled weights and you trust their author"
        raise MissingError(problem, remedy)
    return folder


def folder_sha256(folder: Path) -> str:
    """One hash of weights, configuration and tokenizer: whatever changes in the folder changes it.

    Pickled weights next to safetensors are not read, so they do not count.
    """
    digest = hashlib.sha256()
    paths = {path for pattern in READ for path in folder.glob(pattern)}
    if any(folder.glob("*.safetensors")):
        paths -= {path for pattern in PICKLED for path in folder.glob(pattern)}
    for path in sorted(paths):
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").digest()
        digest.update(path.name.encode() + b"\0" + content)
    return digest.hexdigest()


def _libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        problem = f"this kind of model needs PyTorch and transformers ({error})"
        raise MissingError(problem, "install them with `pip install 'referee[hf]'`") from None
    return torch, transformers


def _check_whole(wanted: Checkpoint, model: Any, report: Any) -> None:
    """Refuses a checkpoint of another kind, or one that lacks weights: they would be filled up at random."""
    kinds = getattr(model.config, "architectures", None) or []
    translates = bool(model.config.is_encoder_decoder)
    if translates != (wanted.kind == "hf") or (kinds and type(model).__name__ not in kinds):
        raise MissingError(
            f"'{wanted.name}' is a {(kinds or [type(model).__name__])[0]}, not a model for '{wanted.kind}:'",
            "choose another kind or checkpoint",
        )
    if missing := sorted(report["missing_keys"]):
        problem = f"'{wanted.name}' has missing weights ({missing[0]} and {len(missing) - 1} more)"
        raise MissingError(problem, "choose a checkpoint that has its output layer")


def _check_device(torch: Any, device: str) -> None:
    try:
        torch.zeros(1, device=device)
    except Exception as error:
        raise UsageError(
            f"'device={device}' is not valid ({first_line(error)})", "choose cpu, or cuda on a machine with a GPU"
        ) from None


def _quieten(transformers: Any) -> None:
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def _max_length(model: Any, tokenizer: Any) -> int | None:
    """The longest input, special tokens included; None where there is no limit that matters."""
    config = model.config.get_text_config()
    limits = [getattr(config, name, None) for name in ("max_position_embeddings", "n_positions")]
    if config.model_type in ("xlm-roberta", "roberta", "camembert", "xlm-roberta-xl"):
        # Their positions start behind the padding token.
        limits = [limit - config.pad_token_id - 1 if limit else None for limit in limits]
    if config.model_type in ("t5", "mt5", "umt5", "longt5"):
        # Relative positions have no limit of their own; the tokenizer's is that of the training.
        limits = []
    if tokenizer.model_max_length < 10**9:
        limits.append(tokenizer.model_max_length)
    return min((limit for limit in limits if limit), default=None)


def first_line(error: BaseException) -> str:
    """What a library says, without the rest."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
