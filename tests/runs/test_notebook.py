"""What a notebook shows of a run."""

from __future__ import annotations

from html import escape

import pytest

import referee
from tests.support.items import item

ITEMS = [item(id=f"i{number}", gold=number % 3, label="ab"[number % 2]) for number in range(8)]


@pytest.fixture
def run() -> referee.Run:
    return referee.score(ITEMS, scores=[float(number % 5) for number in range(24)], name="mod <5>")


def test_what_a_notebook_shows(run: referee.Run) -> None:
    html = run._repr_html_()
    assert "mod &lt;5&gt;" in html
    assert "<5>" not in html
    assert html.count("<tr>") == 2
    assert escape(run.signature.short) in html
