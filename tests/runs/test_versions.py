"""Versions that a run records."""

from __future__ import annotations

import sys
from importlib.metadata import version
from types import ModuleType

import pytest

from referee.runs.versions import package_versions


def test_versions_name_what_decides_the_result() -> None:
    versions = package_versions()
    assert versions["python"] == ".".join(map(str, sys.version_info[:3]))
    assert set(versions) >= {"python", "referee", "numpy", "pyarrow", "sentence-splitter"}


def test_versions_are_those_of_the_engines_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "transformers", "ctranslate2", "tokenizers", "sentencepiece"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    ours = ["referee", "msgspec", "numpy", "pyarrow", "sentence-splitter", "sentencex"]
    assert list(package_versions()) == ["python", *ours]
    monkeypatch.setitem(sys.modules, "tokenizers", ModuleType("tokenizers"))
    versions = package_versions()
    assert list(versions) == ["python", *ours, "tokenizers"]
    assert {name: versions[name] for name in (*ours, "tokenizers")} == {
        name: version(name) for name in (*ours, "tokenizers")
    }
