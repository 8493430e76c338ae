"""The pocket translator in the form that an engine reads: built from the shipped file once, in the user's cache."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

import platformdirs

from referee.errors import InputError, MissingError
from referee.logs import logger
from referee.pocket import store
from referee.pocket.store import Translator
from referee.pocket.vocabulary import Vocabulary


@cache
def shipped() -> Translator:
    """The translator that comes with the package; a file that was changed is refused."""
    folder = Path(str(files("referee.pocket"))) / "translator"
    path = folder / "translator.npz"
    if not path.is_file():
        raise MissingError(
            "the bundled translator is missing from this installation", "install referee again, from a wheel", path
        )
    return store.read(path, (folder / "sha256").read_text().split()[0])


def vocabulary(translator: Translator) -> Vocabulary:
    """Its pieces and language tokens."""
    return Vocabulary(translator.pieces, tuple(translator.about["languages"]))


def ct2_folder(translator: Translator) -> Path:
    """The form of CTranslate2."""

    def build(folder: Path) -> None:
        from referee.pocket.ct2_form import write_ct2

        write_ct2(translator, vocabulary(translator).names(), folder)

    return _built(translator, "ct2", build)


def marian_folder(translator: Translator) -> Path:
    """The form of transformers, which needs torch."""

    def build(folder: Path) -> None:
        from referee.pocket.marian_form import write_marian

        write_marian(translator, vocabulary(translator), folder)

    return _built(translator, "marian", build)


def _built(translator: Translator, form: str, build: Callable[[Path], None]) -> Path:
    """A folder that is there whole or not at all; several processes may build it at once."""
    folder = platformdirs.user_cache_path("referee") / "pocket" / f"{form}-{translator.sha256[:16]}"
    if folder.is_dir():
        return folder
    logger.info("building the pocket translator for %s in %s", form, folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    except OSError as error:
        raise InputError(
            f"cannot be written ({error.strerror})", "set XDG_CACHE_HOME to a writable folder", folder
        ) from None
    try:
        build(temporary)
        temporary.rename(folder)
    except OSError:
        # Another process was faster.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder
