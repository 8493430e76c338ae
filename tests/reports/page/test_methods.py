"""Methods: one for every column of the scorecard."""

from __future__ import annotations

from referee.analysis.scorecard import COLUMNS
from referee.reports.page.methods import methods


def test_every_column_has_a_method() -> None:
    assert list(methods()) == list(COLUMNS)


def test_methods_are_readable() -> None:
    for method in methods().values():
        assert method.title
        assert method.text
        for paragraph in method.text:
            assert paragraph == paragraph.strip()
            assert "\n" not in paragraph
            assert paragraph.endswith(".")
            assert " %" not in paragraph
