"""What the faults are tried on: a folder with inputs of every command and two runs, as it was before each fault."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.workspace import add_runs, content, fill


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: None) -> Path:
    """Inputs, the runs A and B, and a plug-in with a tiny annotator in `site`; the current folder."""
    # Importing the plug-in must not add files to those that are compared.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.chdir(fill(tmp_path))
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    add_runs()
    return tmp_path


@pytest.fixture
def before(here: Path) -> dict[str, bytes]:
    """Every file that must be as it was."""
    return content(here)
