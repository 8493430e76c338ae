from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.support.language_folder import WriteFolder, write_folder


@pytest.fixture
def folder(tmp_path: Path) -> WriteFolder:
    """Writes a language folder; a keyword such as `templates` replaces that file."""
    return partial(write_folder, tmp_path / "french")
