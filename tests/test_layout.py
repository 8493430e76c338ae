"""How the source is laid out: short modules and functions, a test file for each module, helpers in their place."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import referee

SOURCE = Path(referee.__file__).parent
TESTS = Path(__file__).parent
MODULES = sorted(path for path in SOURCE.rglob("*.py"))

LONGEST_MODULE = 400
LONGEST_FUNCTION = 60


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def has_options(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is a command, whose length comes from its options."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in ("Option", "Argument") for node in ast.walk(function.args)
    )


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring, which may describe many arguments."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    documented = ast.get_docstring(function) is not None
    return lines - ((first.end_lineno or first.lineno) - first.lineno + 1 if documented else 0)


def is_mirrored(path: Path) -> bool:
    """Whether a module has a test file of its name, in the folder of its name."""
    relative = path.relative_to(SOURCE)
    return (TESTS / relative.parent / f"test_{relative.name}").is_file()


def only_imports(path: Path) -> bool:
    """Whether a module holds nothing to test: a docstring, imports and names of what it offers."""
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.If, ast.Expr)
    return all(isinstance(node, allowed) for node in ast.parse(path.read_text("utf-8")).body)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_functions_are_short(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= LONGEST_MODULE
    long = {
        function.name: length(function)
        for function in functions(ast.parse(text))
        if length(function) > LONGEST_FUNCTION and not has_options(function)
    }
    assert long == {}


MIRRORED = [path for path in MODULES if path.name not in ("__init__.py", "__main__.py")]


def test_every_module_has_a_test_file_of_its_name() -> None:
    assert {name_of(path) for path in MIRRORED if not is_mirrored(path) and not only_imports(path)} == set()


def test_helpers_lie_in_support() -> None:
    """A module of tests is a test file, a conftest or an `__init__.py`; others are in `support` and `fixtures`."""
    stray = [
        path.relative_to(TESTS).as_posix()
        for path in sorted(TESTS.rglob("*.py"))
        if path.relative_to(TESTS).parts[0] not in ("support", "fixtures")
        and not path.name.startswith("test_")
        and path.name not in ("conftest.py", "__init__.py")
    ]
    assert stray == []


def test_the_measures(tmp_path: Path) -> None:
    lines = "\n".join("    x = 1" for _ in range(58))
    tree = ast.parse(f'def long():\n    """One\n\n    two.\n    """\n{lines}\n    return x\n')
    assert length(functions(tree)[0]) == 60
    command = ast.parse('def command(name: Annotated[str, typer.Option("--name")] = "") -> None: ...')
    assert has_options(functions(command)[0])
    assert not has_options(functions(tree)[0])
    file = tmp_path / "module.py"
    file.write_text('"""Doc."""\n\nfrom os import path\n\n__all__ = ["path"]\n')
    assert only_imports(file)
    file.write_text("def f() -> None: ...\n")
    assert not only_imports(file)
