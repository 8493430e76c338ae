"""Numbers as English papers print them."""

from __future__ import annotations

import pytest

from referee.reports.format import (
    in_line,
    interval,
    marked,
    p_value,
    percent,
    percentage,
    percentage_points,
    points,
    points_interval,
    probability,
)
from referee.stats.levels import Against


def test_shares() -> None:
    assert (percent(0.4444), percentage(0.4444), percentage(1)) == ("44.4", "44.4%", "100.0%")
    assert interval((0.404, 0.485)) == "40.4–48.5"


def test_differences_of_shares() -> None:
    assert (points(0.031), points(-0.031), points(0.0)) == ("+3.1", "-3.1", "+0.0")
    assert points_interval((-0.01, 0.054)) == "-1.0 to +5.4"
    assert percentage_points(-0.213) == percentage_points(0.213) == "21.3 pp"


@pytest.mark.parametrize(
    ("p", "cell", "text"),
    [(0.00009, "<0.0001", "p < 0.0001"), (0.0001, "0.0001", "p = 0.0001"), (1.0, "1.0000", "p = 1.0000")],
)
def test_p_values(p: float, cell: str, text: str) -> None:
    assert (probability(p), p_value(p)) == (cell, text)


def test_what_is_significantly_above_chance_has_a_mark() -> None:
    results = [Against("above"), Against("at"), Against("inconclusive", 3), None]
    assert [marked(0.5, result) for result in results] == ["50.0*", "50.0", "50.0", "50.0"]


def test_numbers_stay_aligned_where_some_have_a_mark() -> None:
    assert in_line([("a", "50.0*", "1"), ("b", "5.0", "2")]) == [("a", "50.0*", "1"), ("b", "5.0 ", "2")]
