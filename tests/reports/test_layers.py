"""Imports inside `reports` point one way: page, then tables and charts, then format and wording, then model."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import referee.reports

FOLDER = Path(referee.reports.__file__).parent
LEAVES = {"model", "text"}
BASICS = LEAVES | {"format", "wording"}
ALLOWED = {
    "model": set(),
    "text": set(),
    "format": LEAVES,
    "wording": LEAVES | {"format", "wording"},
    "records": BASICS,
    "terminal": LEAVES,
    "export": LEAVES,
    "tables": BASICS | {"tables", "terminal"},
    "charts": BASICS | {"charts"},
    "page": BASICS | {"tables", "charts", "export", "page"},
}
"""What each module or package of `reports` may import of `reports`."""


def imports(path: Path) -> set[str]:
    """The modules or packages of `reports` that a file names in any import, also inside functions."""
    names = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return {name.split(".")[2] for name in names if name.startswith("referee.reports.")}


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_imports_point_one_way(path: Path) -> None:
    part = path.relative_to(FOLDER).parts[0].removesuffix(".py")
    if part == "__init__":
        assert imports(path) == set()
    else:
        assert imports(path) <= ALLOWED[part]


def test_the_walk_sees_imports(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "import referee.reports.page.html\n"
        "from referee.reports import charts\n"
        "def later():\n    from referee.reports.model import Table\n"
    )
    assert imports(file) == {"page", "charts", "model"}
