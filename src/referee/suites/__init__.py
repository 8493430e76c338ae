"""Public challenge sets by name; plug-ins add theirs through the entry points `referee.suites`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from referee.registry import lookup, plugins
from referee.sets import FORMATS, ChallengeSet, load
from referee.suites.suite import Suite

_MODULES = (
    "contrapro",
    "contracat",
    "ctxpro",
    "winograd",
    "square_one",
    "winox",
    "xwinograd",
    "pws",
    "huws",
    "fwsc",
    "copa",
    "xcopa",
    "siqa",
    "voita",
)


def suites() -> dict[str, Suite]:
    """All suites by name. A plug-in's entry point is a sequence of `Suite`."""
    found = [suite for module in _MODULES for suite in import_module(f"referee.suites.{module}").SUITES]
    found += [suite for plugin in plugins("referee.suites") for suite in plugin]
    return {suite.name: suite for suite in found}


def open_set(name: str, data: Path) -> ChallengeSet:
    """A set by its file (what ends like one, or exists) or by the name of its suite."""
    if name.endswith(FORMATS) or Path(name).exists():
        return load(Path(name))
    return lookup("suite", name, suites()).open(data)


__all__ = ["Suite", "open_set", "suites"]
