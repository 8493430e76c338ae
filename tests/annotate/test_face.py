"""The public face of `referee.annotate`: at most eight names, loaded when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from referee import annotate


def test_all_is_sorted_and_complete() -> None:
    assert annotate.__all__ == sorted(annotate.__all__)
    assert len(annotate.__all__) <= 8
    assert set(annotate.__all__) == set(annotate._MODULES) <= set(dir(annotate))


@pytest.mark.parametrize("name", annotate.__all__)
def test_every_name_is_there_and_documented(name: str) -> None:
    public = getattr(annotate, name)
    assert (public.__name__, bool(public.__doc__)) == (name, True)
    assert isinstance(public, type) or ">>>" in public.__doc__, "an example that runs"


def test_importing_loads_nothing_heavy() -> None:
    heavy = ["numpy", "msgspec", "ctranslate2", "spacy", "stanza", "torch", "regex"]
    code = f"import sys, referee.annotate; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_opening_an_annotator_imports_no_other_tool() -> None:
    code = """
import sys
from referee.annotate.registry import ANNOTATORS
ANNOTATORS.best(["de"])
print([name for name in ("spacy", "stanza", "torch") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
