"""Names of a package that are loaded when they are first used, so that importing the package costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__getattr__` and `__dir__`; `modules` says in which of its modules each public name lives.

    >>> get, names = lazy("referee", {"RefereeError": "errors"})
    >>> get("RefereeError").__name__, names()
    ('RefereeError', ['RefereeError'])
    """

    def get(name: str) -> Any:  # noqa: ANN401 whatever is public
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        public = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(sys.modules[package], name, public)
        return public

    return get, lambda: sorted(modules)
