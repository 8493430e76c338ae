"""The examples of README, docs/python.md and the notebook run, and give what they show."""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "docs" / "tour.ipynb"

_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_python_examples_of_a_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "\n".join(_BLOCK.findall((ROOT / page).read_text(encoding="utf-8")))
    example = doctest.DocTestParser().get_doctest(source, {}, page, page, 0)
    assert example.examples
    result = doctest.DocTestRunner().run(example)
    assert not result.failed


def test_the_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {}
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 7
    for cell in cells:
        assert shown(cell) == run("".join(cell["source"]), space)
    assert (tmp_path / "tour.html").stat().st_size > 100_000


def run(source: str, space: dict[str, Any]) -> str:
    """What a cell prints, and the value of its last expression; of what shows itself as HTML, the markup."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), space) if isinstance(last, ast.Expr) else None
    if value is None:
        return printed.getvalue()
    return str(value._repr_html_()) if hasattr(value, "_repr_html_") else repr(value)


def shown(cell: dict[str, Any]) -> str:
    """The stored output of a cell."""
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            return "".join(output["text"])
        return "".join(output["data"].get("text/html") or output["data"]["text/plain"])
    return ""
