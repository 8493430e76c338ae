from __future__ import annotations

from pathlib import Path

import pytest

from referee import sets
from tests.support.browser import browser, visitor
from tests.support.items import item

__all__ = ["browser", "visitor"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four items in two groups, scores and translations of them; the current folder."""
    items = [
        item(id=f"{group}{gold}", group=group, label=label, gold=gold, expected=(form,), features={"case": case})
        for group, label, gold, form, case in [
            ("a", "x", 0, "er", "nom"),
            ("a", "x", 1, "sie", "acc"),
            ("b", "[red]", 2, "es", "nom"),
            ("b", "[red]", 1, "sie", "acc"),
        ]
    ]
    sets.save(items, tmp_path / "x.jsonl")
    # Right, right, tied, wrong; as text, "10.2" would be less than "9.1".
    (tmp_path / "scores").write_text("10.2\n9.1\n1\n" + "1\n2\n0\n" + "1\n1\n1\n" + "3\n2\n1\n")
    (tmp_path / "out.de").write_text("Da war er.\nDa waren Sie.\nDa war er.\nDa war sie.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    return tmp_path
