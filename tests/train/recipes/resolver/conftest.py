from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.coreferent import write_gum


@pytest.fixture(scope="module")
def gum_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small treebank in the format of GUM."""
    return write_gum(tmp_path_factory.mktemp("gum") / "UD_English-GUM")
