"""What a notebook shows of a run."""

from __future__ import annotations

from html import escape

import pytest
from scipy.stats import binomtest

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


def test_translations_are_told_apart(run: referee.Run) -> None:
    written = referee.score(ITEMS, translations=["Er war hungrig."] * len(ITEMS))
    assert "<td>items (generation)</td>" in written._repr_html_()
    assert "<td>items</td><td>8</td>" in run._repr_html_()
    accuracy = run.findings[0].overall
    assert accuracy is not None
    exact = binomtest(accuracy.correct, 8).proportion_ci(0.95, "exact")
    low, high = exact.low, exact.high
    assert f"<td>{100 * accuracy.accuracy:.1f}</td><td>{100 * low:.1f}–{100 * high:.1f}</td>" in run._repr_html_()


def test_groups_and_items_without_gold() -> None:
    pairs = [item(id=f"i{number}", gold=number % 2, group=f"g{number // 2}") for number in range(8)]
    html = referee.score(pairs, scores=[1.0, 0.0, 0.0] * 8)._repr_html_()
    # The masculine is correct in every other item: always choosing it is better than a guess among three.
    assert "<td>50.0</td><td>0.0</td></tr>" in html, "the chance level and the group score"
    bare = [item(id=f"i{number}", gold=None) for number in range(3)]
    cells = "<td>items</td><td>3</td><td></td><td></td><td></td><td></td>"
    assert cells in referee.score(bare, scores=[1.0, 0.0, 0.0] * 3)._repr_html_()


def test_the_whole_table() -> None:
    pairs = [item(id=f"i{number}", gold=0, group=f"g{number // 2}", expected=("er",)) for number in range(8)]
    texts = ["Er war hungrig."] * 6 + ["Sie war hungrig."] * 2
    run = referee.score(pairs, translations=texts, name="a & b")
    rows = []
    for rule, findings in zip(("paper", "token"), run.findings, strict=True):
        assert findings.overall is not None
        # Both items of a pair are correct, or both are not: three of four, not six of eight.
        exact = binomtest(3, 4).proportion_ci(0.95, "exact")
        low, high = exact.low, exact.high
        assert findings.overall.interval == pytest.approx((low, high))
        # The masculine is always correct.
        rows.append(
            f"<tr><td>items (generation), {rule}</td><td>8</td><td>75.0</td>"
            f"<td>{100 * low:.1f}–{100 * high:.1f}</td><td>100.0</td><td>75.0</td></tr>"
        )
    heads = ("suite", "items", "accuracy %", "95% CI", "chance %", "group score %")
    assert run._repr_html_() == (
        "<table><caption style='text-align:left'>a &amp; b</caption>"
        f"<thead><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"<small style='overflow-wrap:anywhere'>{escape(run.signature.short)}</small>"
    )
