"""The hash of a function changes with what it does, and with nothing else."""

from __future__ import annotations

import doctest
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.models import code_hash
from referee.models.code_hash import code_sha256


def from_source(source: str, name: str = "f") -> Any:
    space: dict[str, Any] = {"__name__": "lab"}
    exec(source, space)
    return space[name]


def scaled(factor: object) -> Callable[[Any], Any]:
    return lambda value: (value, factor)


class Tagger:
    def __init__(self, tag: object) -> None:
        self.tag = tag
        self.network = object()

    def __call__(self, texts: list[str]) -> list[str]:
        return [self.marked(text) for text in texts]

    def marked(self, text: str) -> str:
        return f"{self.tag}{text}"


class Louder(Tagger):
    def marked(self, text: str) -> str:
        return f"{self.tag}{text.upper()}"


BASE = "def f(x):\n    return [y + 1 for y in x]\n"
SAME = {
    "a comment and a line": "# why\n\ndef f(x):\n    # because\n    return [y + 1 for y in x]\n",
    "another global that is not named": f"n = 3\n{BASE}",
}
OTHERS = {
    "a constant": BASE.replace("+ 1", "+ 2"),
    "an operation": BASE.replace("+ 1", "- 1"),
    "a default": BASE.replace("(x)", "(x, n=2)"),
    "another default": BASE.replace("(x)", "(x, n=3)"),
    "a keyword default": BASE.replace("(x)", "(x, *, n=3)"),
    "a method": BASE.replace("y + 1", "y.upper()"),
    "another method": BASE.replace("y + 1", "y.lower()"),
    "a constant of the module": "n = 1\ndef f(x):\n    return x + n\n",
    "another constant of the module": "n = 2\ndef f(x):\n    return x + n\n",
    "a helper": "def g(x):\n    return x\ndef f(x):\n    return g(x)\n",
    "another helper": "def g(x):\n    return x + 1\ndef f(x):\n    return g(x)\n",
    "a helper in a nested function": "def g(x):\n    return x\ndef f(x):\n    return [g(y) for y in x]\n",
    "another there": "def g(x):\n    return -x\ndef f(x):\n    return [g(y) for y in x]\n",
    "a table": "t = {'a': (1, 2)}\ndef f(x):\n    return t[x]\n",
    "another table": "t = {'a': (1, 3)}\ndef f(x):\n    return t[x]\n",
    "itself": "def f(x):\n    return f(x - 1)\n",
}


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(code_hash).failed == 0


@pytest.mark.parametrize("case", SAME)
def test_what_does_not_matter(case: str) -> None:
    assert code_sha256(from_source(SAME[case])) == code_sha256(from_source(BASE))


def test_every_change_of_code_is_seen() -> None:
    hashes = {case: code_sha256(from_source(source)) for case, source in OTHERS.items()}
    hashes["base"] = code_sha256(from_source(BASE))
    assert len(set(hashes.values())) == len(hashes)


def test_closures_partials_and_objects() -> None:
    values = (1, 1.0, "1", b"1", None, Path("1"), [1], (1,), {1}, {1: 1}, {"a": [2]}, {"a": [3]}, len, upper_first)
    assert len({code_sha256(scaled(value)) for value in values}) == len(values)
    assert code_sha256(scaled({"b", "a"})) == code_sha256(scaled({"a", "b"}))
    assert code_sha256(partial(scaled, 1)) != code_sha256(partial(scaled, 2))
    assert code_sha256(Tagger(1)) == code_sha256(Tagger(1))
    models = (Tagger(1), Tagger(2), Louder(1), Tagger(1).marked, Louder(1).marked, str.upper, str.lower)
    assert len({code_sha256(model) for model in models}) == len(models)


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def test_objects_count_by_their_class_only() -> None:
    assert code_sha256(scaled(object())) == code_sha256(scaled(object()))
    assert code_sha256(scaled(object())) != code_sha256(scaled(Tagger(1)))


def test_the_hash_is_the_same_in_every_process() -> None:
    script = (
        "from referee.models.code_hash import code_sha256\n"
        "names = {'one', 'two', 'three', 'four'}\n"
        "def f(x):\n    return x in {'a', 'b', 'c'} or x in names\n"
        "print(code_sha256(f))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
