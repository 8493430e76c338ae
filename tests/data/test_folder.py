from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from referee.data.folder import data_folder


def test_the_option_comes_first_then_the_environment_then_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA", "/from/environment")
    assert data_folder(Path("given")) == Path("given")
    assert data_folder(None) == Path("/from/environment")
    monkeypatch.setenv("REFEREE_DATA", "")
    assert data_folder(None) == platformdirs.user_cache_path("referee") / "data"
    monkeypatch.delenv("REFEREE_DATA")
    assert data_folder(None) == platformdirs.user_cache_path("referee") / "data"


def test_a_home_folder_in_the_environment_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA", "~/sets")
    assert data_folder(None) == Path.home() / "sets"
