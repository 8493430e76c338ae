"""The public face: names, where they come from, what importing costs, examples that run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import referee

SOURCE = Path(referee.__file__).parent
MODULES = sorted(
    ".".join(("referee", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)


def test_all_is_sorted_and_complete() -> None:
    assert referee.__all__ == sorted(referee.__all__)
    assert len(referee.__all__) == 16
    assert set(referee.__all__) == set(referee._MODULES) <= set(dir(referee))


@pytest.mark.parametrize("name", referee.__all__)
def test_every_name_is_there_and_documented(name: str) -> None:
    public = getattr(referee, name)
    assert public.__name__ == name
    assert public.__doc__
    if not isinstance(public, type):
        assert ">>>" in public.__doc__, "an example that runs"


def test_no_public_name_is_a_package() -> None:
    """After `import referee.x`, `referee.x` is that module, and a lazy function of that name is gone."""
    modules = {module.name for module in pkgutil.iter_modules([str(SOURCE)])}
    assert not modules & set(referee.__all__)


def test_names_survive_the_import_of_every_module() -> None:
    code = """
import importlib, pkgutil, referee
for module in pkgutil.iter_modules(referee.__path__):
    if module.name != "__main__":
        importlib.import_module(f"referee.{module.name}")
for name in referee.__all__:
    assert getattr(referee, name).__name__ == name, name
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'guess'"):
        _ = referee.guess


def test_importing_loads_nothing_heavy() -> None:
    heavy = [
        "numpy",
        "pyarrow",
        "scipy",
        "matplotlib",
        "torch",
        "transformers",
        "ctranslate2",
        "ray",
        "typer",
        "rich",
        "msgspec",
    ]
    code = f"import sys, referee; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_python_m_referee() -> None:
    done = subprocess.run([sys.executable, "-m", "referee", "--version"], check=True, capture_output=True, text=True)
    assert referee.__version__ in done.stdout


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert result.attempted
    assert not result.failed
