"""Pocket models in the form that an engine reads: built from the shipped file once, in the user's cache."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

import platformdirs

from referee.errors import MissingError, RefereeError, from_os
from referee.logs import logger
from referee.pocket import store
from referee.pocket.encoder_vocabulary import EncoderVocabulary
from referee.pocket.store import Kind, PocketModel
from referee.pocket.vocabulary import Vocabulary

RECORD = "sha256.json"
"""The hashes of the files of a form."""


@cache
def shipped(kind: Kind) -> PocketModel:
    """The model of a kind that comes with the package; a file that was changed is refused."""
    folder = Path(str(files("referee.pocket"))) / kind.folder
    path = folder / kind.file
    checksum = store.checksums(folder).get(kind.file)
    if checksum is None or not path.is_file():
        problem = f"the bundled {kind.file} is missing from this installation"
        raise MissingError(problem, "install referee again, from a wheel", path)
    return store.read(path, kind, checksum)


def vocabulary(translator: PocketModel) -> Vocabulary:
    """Its pieces and language tokens."""
    return Vocabulary(translator.pieces, tuple(translator.about["languages"]))


def encoder_vocabulary(encoder: PocketModel) -> EncoderVocabulary:
    """Its pieces and language tokens."""
    return EncoderVocabulary(encoder.pieces, tuple(encoder.about["languages"]))


def ct2_folder(translator: PocketModel) -> Path:
    """The form of CTranslate2."""

    def build(folder: Path) -> None:
        from referee.pocket.ct2_form import write_ct2

        write_ct2(translator, vocabulary(translator).names(), folder)

    return _built(translator, "ct2", build)


def marian_folder(translator: PocketModel) -> Path:
    """The form of transformers, which needs torch."""

    def build(folder: Path) -> None:
        from referee.pocket.marian_form import write_marian

        write_marian(translator, vocabulary(translator), folder)

    return _built(translator, "marian", build)


def encoder_ct2_folder(encoder: PocketModel) -> Path:
    """The form of CTranslate2."""

    def build(folder: Path) -> None:
        from referee.pocket.encoder_ct2_form import write_encoder_ct2

        write_encoder_ct2(encoder, encoder_vocabulary(encoder).names(), folder)

    return _built(encoder, "ct2", build)


def xlmr_folder(encoder: PocketModel, atom: str) -> Path:
    """The form of transformers, which needs torch; `atom` is the pattern of an atom."""

    def build(folder: Path) -> None:
        from referee.pocket.xlmr_form import write_xlmr

        write_xlmr(encoder, encoder_vocabulary(encoder), atom, folder)

    return _built(encoder, f"xlmr-{hashlib.sha256(atom.encode()).hexdigest()[:8]}", build)


def _built(model: PocketModel, form: str, build: Callable[[Path], None]) -> Path:
    """A folder that is there whole or not at all; several processes may build it at once, a damaged one is replaced."""
    folder = platformdirs.user_cache_path("referee") / "pocket" / f"{form}-{model.sha256[:16]}"
    try:
        if _is_whole(folder):
            return folder
        if (folder / RECORD).exists():
            logger.warning("the %s in %s is damaged and is built again", model.kind.title, folder)
        logger.info("building the %s for %s in %s", model.kind.title, form, folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    except OSError as error:
        raise from_os(error, folder, "set XDG_CACHE_HOME to a writable folder", writing=True) from None
    try:
        build(temporary)
        _write_record(temporary)
        _put_in_place(temporary, folder)
    except (RefereeError, ImportError):
        raise
    except Exception as error:
        # Libraries that write the files have errors of their own for a full disk.
        reason = error if isinstance(error, OSError) else OSError(None, str(error) or type(error).__name__)
        raise from_os(reason, folder, "set XDG_CACHE_HOME to another folder", writing=True) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def _put_in_place(temporary: Path, folder: Path) -> None:
    try:
        temporary.rename(folder)
    except OSError:
        # Another process was faster, or what is there is damaged.
        if _is_whole(folder):
            return
        away = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
        try:
            folder.replace(away / "damaged")
            temporary.rename(folder)
        finally:
            shutil.rmtree(away, ignore_errors=True)


def _write_record(folder: Path) -> None:
    """Note the hash of every file, by which damage is found later."""
    (folder / RECORD).write_text(json.dumps(_hashes(folder), indent=1, sort_keys=True), encoding="utf-8")


def _is_whole(folder: Path) -> bool:
    """Whether all files that were built are there, and are what was written."""
    try:
        recorded = json.loads((folder / RECORD).read_bytes())
        return bool(recorded == _hashes(folder))
    except (OSError, ValueError, RecursionError):
        return False


def _hashes(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.is_file() and path.name != RECORD
    }
