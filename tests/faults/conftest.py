"""What the faults are tried on: a folder with inputs of every command and two runs, as it was before each fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.workspace import add_runs, content, fill


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Inputs and the runs A and B; the current folder."""
    monkeypatch.chdir(fill(tmp_path))
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    add_runs()
    return tmp_path


@pytest.fixture
def before(here: Path) -> dict[str, bytes]:
    """Every file that must be as it was."""
    return content(here)
