"""The tables that `benchmarks/annotation.py` puts into docs/annotation.md."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from referee.annotate.measures import MEASURES, MORPHOLOGY
from referee.errors import InputError

ROOT = Path(__file__).parents[1]
AGREED = {"words": 1000, "upos": 999, "features": 500, "feature values": 499, "lemma": 1000, "head": 990, "deprel": 995}

PEER = {"label": "peer 1.0", "language": "fr", "words per second": 3000, "pocket words per second": 9000, "ratio": 3.0}


@pytest.fixture(scope="module")
def table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("annotation_table", ROOT / "benchmarks" / "annotation_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def entry(correct: int) -> dict[str, Any]:
    measured = {name: [correct, 100, 100] for name in MEASURES}
    # Eight of ten words have a partner.
    return {
        "raw": measured,
        "gold": {**measured, "words": [80, 100, 80]},
        "features": {name: [correct, 100, 100] for name in MORPHOLOGY} | {"noun case": [3, 4, 4]},
    }


@pytest.fixture
def figures() -> dict[str, Any]:
    return {
        "accuracy": {"fr": entry(60)},
        "peers": {"spacy": {"language": "fr", "label": "peer 1.0", "megabytes": 26.5, **entry(40)}},
        "lexicons": {"fr": {"none": entry(50)}},
        "sizes": {"encoder.npz": 9_600_000},
        "speed": {
            "opening seconds": 0.31,
            "en": {"words per second": 9000, "resolver share": 0.05},
            "peers": {"spacy": PEER},
        },
        "engines": {"fr": dict(AGREED)},
    }


def test_tables_have_a_row_per_annotator(table: ModuleType, figures: dict[str, Any]) -> None:
    rows = table.tables(figures).splitlines()
    assert "| fr (GSD) | 60.0 | 60.0 | 60.0 | 60.0 | 60.0 | 60.0 | 60.0 | 60.0 |" in rows
    assert any(row.startswith("| fr: peer 1.0 | 40.0 |") for row in rows)
    # 60 of the 80 words that have a partner; the trial's figure stands next to ours, not next to the peer's.
    assert "| fr (GSD) | 75.0 (96.2) | 75.0 | 75.0 (97.5) | 75.0 (89.2) | 75.0 (85.6) |" in rows
    assert "| fr: peer 1.0 | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 |" in rows


def test_too_few_words_are_no_figure(table: ModuleType, figures: dict[str, Any]) -> None:
    rows = table.tables(figures).splitlines()
    assert "| fr (GSD) | 60.0 (93.6) | 60.0 | 60.0 (97.4) |  | 60.0 (76.2) | 60.0 | 60.0 |" in rows


def test_lexicons_are_next_to_none(table: ModuleType, figures: dict[str, Any]) -> None:
    rows = table.tables(figures).splitlines()
    assert "| fr, none | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 | 75.0 |" in rows
    assert "| fr, core | 60.0 | 60.0 | 60.0 | 60.0 | 60.0 | 75.0 |" in rows


def test_speed_size_and_engines(table: ModuleType, figures: dict[str, Any]) -> None:
    text = table.tables(figures)
    assert "| peer 1.0, fr | 3,000 | 9,000 | 3.0 |" in text
    assert "A new process annotates its first line after 0.31 s. Sizes: `encoder.npz` 9.60 MB; peer 1.0 26 MB." in text
    assert "The resolver adds 5.0% to the time of the English lines" in text
    assert "| fr | 1,000 | 99.9 | 99.8 | 100.0 | 99.0 | 99.5 |" in text


def test_the_page_keeps_its_words(table: ModuleType, figures: dict[str, Any]) -> None:
    page = f"before\n{table.BEGIN}\nyesterday\n{table.END}\nafter\n"
    written = table.put_into(page, figures)
    assert written.startswith("before\n")
    assert written.endswith("\nafter\n")
    assert "yesterday" not in written
    assert table.put_into(written, figures) == written
    with pytest.raises(InputError, match="lacks the lines"):
        table.put_into("nothing", figures)


def test_the_page_has_the_markers(table: ModuleType) -> None:
    page = (ROOT / "docs" / "annotation.md").read_text("utf-8")
    assert page.count(table.BEGIN) == page.count(table.END) == 1
