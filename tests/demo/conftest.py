from __future__ import annotations

from pathlib import Path

import pytest

from referee.demo.run import Told, demo
from tests.support.browser import browser, visitor
from tests.support.small_demo import SHARE, remember_samples

__all__ = ["browser", "visitor"]


@pytest.fixture(autouse=True)
def _remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    remember_samples(monkeypatch)


@pytest.fixture(scope="package")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Told]:
    """A small demo, done once for all tests of this folder: where it is and what it found."""
    folder = tmp_path_factory.mktemp("demo") / "out"
    with pytest.MonkeyPatch.context() as patch:
        remember_samples(patch)
        return folder, demo(folder, SHARE)
