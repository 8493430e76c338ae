"""Statistics stand alone: numbers in, numbers out."""

from __future__ import annotations

import ast
from pathlib import Path

import referee.stats

FOLDER = Path(referee.stats.__file__).parent


def imported(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
    return names


def test_stats_import_nothing_of_ours_but_each_other() -> None:
    ours = {
        (path.name, name)
        for path in FOLDER.glob("*.py")
        for name in imported(path)
        if name.partition(".")[0] == "referee" and not name.startswith("referee.stats.")
    }
    assert ours == set()
    # The walk sees what there is.
    assert "referee.stats.groups" in imported(FOLDER / "proportions.py")
    assert "scipy.special" in imported(FOLDER / "worst_group.py")


def test_labels_become_numbers_in_one_place() -> None:
    takes_labels = [path.name for path in FOLDER.glob("*.py") if "Hashable" in path.read_text(encoding="utf-8")]
    assert takes_labels == ["groups.py"]
