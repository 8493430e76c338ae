"""`ct2:` models of CTranslate2, from a folder that a converter wrote: translators, and generators."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from referee.errors import InputError, MissingError
from referee.models.ct2.generator import Ct2Generator
from referee.models.ct2.settings import COMMON, TEXTS, Ct2Options, Settings
from referee.models.ct2.tokenizers import Tokenizer, open_tokenizer, optional
from referee.models.ct2.translator import Ct2Translator
from referee.models.hf.load import folder_sha256
from referee.models.spec import ModelSpec


def open_ct2(spec: ModelSpec) -> Ct2Translator | Ct2Generator:
    """`ct2:DIR[,tokenizer=DIR][,compute_type=...][,device=...][,tokens=N][,inter_threads=N][,intra_threads=N]`.

    Translators have also `[,beam=N][,max_tokens=N][,prefix=TEXT][,source_prefix=TOKENS][,target_prefix=TOKENS]`. The
    tokenizer is that of the folder unless another folder is named.
    """
    library = _library(spec.text)
    folder = Path(spec.name)
    if not (folder / "model.bin").is_file():
        remedy = "give a folder that a CTranslate2 converter wrote"
        raise MissingError("is not a CTranslate2 model (no model.bin)", remedy, folder)
    kind, positions = _read_header(folder / "model.bin")
    generates = kind.endswith("DecoderSpec")
    spec.only(*COMMON, *(() if generates else ("beam", "max_tokens", *TEXTS)))
    options = Ct2Options.of(spec)
    config = _config(folder / "config.json")
    tokenizer = open_tokenizer(Path(options.tokenizer or folder), config, options.source_prefix, options.target_prefix)
    settings = _settings(library, folder, options, config, tokenizer, positions)
    if generates:
        return Ct2Generator(_load(library, library.Generator, folder, options), tokenizer, settings)
    return Ct2Translator(_load(library, library.Translator, folder, options), tokenizer, settings)


def open_translator(folder: Path, options: Ct2Options, tokenizer: Tokenizer) -> Ct2Translator:
    """A translator whose tokenizer is already there."""
    library = _library(options.text)
    _, positions = _read_header(folder / "model.bin")
    settings = _settings(library, folder, options, _config(folder / "config.json"), tokenizer, positions)
    return Ct2Translator(_load(library, library.Translator, folder, options), tokenizer, settings)


def _library(text: str) -> Any:
    if (library := optional("ctranslate2")) is None:
        raise MissingError("needs CTranslate2", "install it with `pip install ctranslate2`", text)
    return library


def _settings(
    library: Any,
    folder: Path,
    options: Ct2Options,
    config: dict[str, Any],
    tokenizer: Tokenizer,
    positions: int | None,
) -> Settings:
    cuda = _device(library, options).startswith("cuda")
    return Settings(
        sha256=_sha256(folder, Path(options.tokenizer or folder)),
        config=config,
        options=options,
        budget=options.tokens or (16_000 if cuda else 1_500),
        together=4_096 if cuda else 192,
        limit=min((limit for limit in (positions, tokenizer.longest) if limit), default=None),
    )


def _device(library: Any, options: Ct2Options) -> str:
    return options.device or ("cuda" if library.get_cuda_device_count() else "cpu")


def _config(path: Path) -> dict[str, Any]:
    """What the converter says about special tokens; models of before 2023 have no such file."""
    try:
        return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}
    except ValueError:
        raise InputError("is not a valid JSON object", "convert the model again", path) from None


def _sha256(folder: Path, tokenizer: Path) -> str:
    """The hash of the model's folder, and of the tokenizer's where that is another."""
    hashes = [folder_sha256(path) for path in dict.fromkeys((folder, tokenizer))]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()


def _load(library: Any, kind: Callable[..., Any], folder: Path, options: Ct2Options) -> Any:
    threads = {"inter_threads": options.inter_threads, "intra_threads": options.intra_threads}
    device, _, index = _device(library, options).partition(":")
    given: dict[str, Any] = {key: count for key, count in threads.items() if count is not None}
    if index.isdecimal():
        given["device_index"] = int(index)
    try:
        return kind(str(folder), device=device, compute_type=options.compute_type, **given)
    except (RuntimeError, ValueError) as error:
        problem = f"cannot be loaded as a translator or generator: {str(error).rstrip('.')}"
        raise InputError(problem, "check the folder, device= and compute_type=", options.text) from error


def _read_header(path: Path) -> tuple[str, int | None]:
    """The name of the model's class, and how many positions its tables have; None where positions have no table."""
    with path.open("rb") as file:
        try:
            version = _unpack(file, "I")
            if version < 4:  # of 2020; how variables are stored was different
                return "", None
            name = _string(file)
            _unpack(file, "I")
            positions = []
            for _ in range(_unpack(file, "I")):
                variable = _string(file)
                shape = [_unpack(file, "I") for _ in range(_unpack(file, "B"))]
                _unpack(file, "B")
                file.seek(_unpack(file, "I"), 1)
                if variable.endswith("position_encodings/encodings"):
                    positions.append(shape[0])
        except (struct.error, UnicodeDecodeError):
            raise InputError("is not a CTranslate2 model, or is damaged", "convert the model again", path) from None
    return name, min(positions, default=None)


def _unpack(file: BinaryIO, form: str) -> int:
    return int(struct.unpack(f"<{form}", file.read(struct.calcsize(form)))[0])


def _string(file: BinaryIO) -> str:
    return file.read(_unpack(file, "H")).rstrip(b"\0").decode()
