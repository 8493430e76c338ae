"""Names that are loaded when they are first used."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from types import ModuleType

import pytest

from referee import build
from referee.lazy import lazy


def test_names_are_those_given_and_no_others() -> None:
    get, names = lazy("referee", {"lookup": "registry", "Item": "items"})
    assert names() == ["Item", "lookup"]
    assert get("lookup").__module__ == "referee.registry"
    with pytest.raises(AttributeError, match="module 'referee' has no attribute 'plugins'"):
        get("plugins")


def test_a_name_is_loaded_once_and_not_before() -> None:
    code = """
import sys
from referee import build
assert "referee.build.twins" not in sys.modules
first = build.couple_twins
assert vars(build)["couple_twins"] is first
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("package", [build])
def test_faces_of_packages(package: ModuleType) -> None:
    """Sorted, at most eight, documented, and none of them named like a module, which would take its place."""
    names = package.__all__
    assert names == sorted(names) == dir(package)
    assert len(names) <= 8
    assert not set(names) & {module.name for module in pkgutil.iter_modules(package.__path__)}
    for name in names:
        public = getattr(package, name)
        assert public.__name__ == name
        assert isinstance(public, type) or ">>>" in public.__doc__
