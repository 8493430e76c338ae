"""The figures of a card: what is counted, on what, and how it is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.errors import InputError, MissingError


def test_figures_of_another_translator_are_not_kept(tmp_path: Path) -> None:
    pytest.importorskip("ctranslate2")
    from referee.pocket.store import TRANSLATOR, PocketModel
    from referee.train.recipes.translator.measure import _earlier

    path = tmp_path / "figures.json"
    path.write_text(json.dumps({"translator": "one", "templates": {}}))
    assert _earlier(path, PocketModel(TRANSLATOR, {}, b"", {}, "one"))["templates"] == {}
    with pytest.raises(InputError, match=r"figures of another translator. Measure everything"):
        _earlier(path, PocketModel(TRANSLATOR, {}, b"", {}, "two"))
    with pytest.raises(MissingError):
        _earlier(tmp_path / "no.json", PocketModel(TRANSLATOR, {}, b"", {}, "one"))
