"""Public challenge sets by name; plug-ins add theirs through the entry points `referee.suites`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from os import PathLike
from pathlib import Path

from referee.data.folder import data_folder
from referee.io.pipes import is_pipe
from referee.registry import lookup, named, plugins
from referee.sets import FORMATS, ItemSet
from referee.sets import load as load_file
from referee.suites.suite import Suite

_MODULES = (
    "contrapro",
    "contrapro_fr",
    "scat",
    "bawden",
    "enhanced_wsc",
    "contracat",
    "annotated",
    "ctxpro",
    "winograd",
    "square_one",
    "winox",
    "winox_mt",
    "xwinograd",
    "pws",
    "huws",
    "fwsc",
    "copa",
    "xcopa",
    "siqa",
    "voita",
    "templates",
)


def suites() -> dict[str, Suite]:
    """All suites by name. A plug-in's entry point is a `Suite` or a sequence of them."""
    shipped: list[Suite] = [suite for module in _MODULES for suite in import_module(f"referee.suites.{module}").SUITES]
    return named((*shipped, *plugins("referee.suites", Suite)))


def list_suites(prefix: str = "") -> Mapping[str, Suite]:
    """List the suites whose names begin with `prefix`: public challenge sets, and templates in every language.

    >>> import referee
    >>> sorted(referee.list_suites("templates/de/"))[:2]
    ['templates/de/event', 'templates/de/gender']
    """
    return {name: suite for name, suite in sorted(suites().items()) if name.startswith(prefix)}


def load(source: str | PathLike[str], *, data: str | PathLike[str] | None = None) -> ItemSet:
    """Load a set: a suite by name, or a file of items (.jsonl, .jsonl.gz, .parquet).

    `data` is the folder of public sets; by default `$REFEREE_DATA`, else a folder in the user's cache. If the files of
    a suite are missing, the error names the command that downloads them.

    >>> import referee
    >>> first = next(iter(referee.load("templates/de/gender")))
    >>> first.source
    'It was big.'
    """
    name = str(source)
    if name.endswith(FORMATS) or (len(name) < 256 and _is_given(Path(name))):
        return load_file(Path(name))
    return lookup("suite", name, suites()).open(data_folder(None if data is None else Path(data)))


def _is_given(path: Path) -> bool:
    """Whether a path is a file of the user, or a pipe."""
    return path.is_file() or is_pipe(path)


__all__ = ["Suite", "list_suites", "load", "suites"]
