"""Methods: what all figures share, one for every column of the scorecard, and the comparison of runs."""

from __future__ import annotations

import pytest

from referee.analysis.scorecard import COLUMNS
from referee.reports.page.methods import methods


def test_every_column_has_a_method() -> None:
    assert list(methods()) == ["interval", *COLUMNS, "comparison"]


def test_methods_are_readable() -> None:
    for method in methods().values():
        assert method.title
        assert method.text
        for paragraph in method.text:
            assert paragraph == paragraph.strip()
            assert "\n" not in paragraph
            assert paragraph.endswith(".")
            assert " %" not in paragraph


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("interval", "worst group"),
        ("accuracy", "best constant heuristic"),
        ("groups", "guessing each item independently"),
        ("groups", "groups of one item are left out"),
        ("groups", "hypergeometric"),
        ("artifacts", "less than 5 pp above the chance level"),
        ("attacks", "ends above -5 pp"),
        ("bias", "melding"),
        ("trigger", "uses ranks"),
        ("comparison", "minimum detectable difference"),
    ],
)
def test_methods_name_what_decides(name: str, words: str) -> None:
    assert words in " ".join(methods()[name].text)


def test_methods_of_earlier_verdicts_are_gone() -> None:
    text = " ".join(paragraph for method in methods().values() for paragraph in method.text)
    for word in ("Wilson", "bootstrap", "Hotelling", "McNemar", "one-sided", "not significantly"):
        assert word not in text
