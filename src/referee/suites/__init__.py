"""Public challenge sets by name; plug-ins add theirs through the entry points `referee.suites`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from referee.registry import lookup, named, plugins
from referee.sets import FORMATS, ItemSet, load
from referee.suites.suite import Suite

_MODULES = (
    "contrapro",
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
    found: list[Suite] = [suite for module in _MODULES for suite in import_module(f"referee.suites.{module}").SUITES]
    return named((*found, *plugins("referee.suites", Suite)))


def open_set(name: str, data: Path) -> ItemSet:
    """A set by its file (what is one, or ends like one) or by the name of its suite."""
    if name.endswith(FORMATS) or (len(name) < 256 and Path(name).is_file()):
        return load(Path(name))
    return lookup("suite", name, suites()).open(data)


__all__ = ["Suite", "open_set", "suites"]
