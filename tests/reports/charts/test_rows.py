"""Charts of rows: every mark and name where it belongs."""

from __future__ import annotations

import pytest

from referee.reports.charts.drawing import INK, SERIES
from referee.reports.charts.rows import HALF, Key, Mark, Row, Rows, flow, row_chart
from tests.support.pictures import near, picture


def dot(value: float) -> list[Mark]:
    return [Mark("dot", SERIES[0], value, value)]


def test_marks_stand_at_their_values() -> None:
    rows = [Row("a", [dot(0.25)], ["25.0"], 0.5), Row("b", [dot(1.0), dot(0.0)], ["100.0", "0.0"], 0.5)]
    seen = picture(row_chart("t", "", Rows("measure", rows)))
    assert seen.dots("c1") == near([25, 100, 0])
    assert seen.uprights("soft") == near([50])
    assert "chance 50.0%" in seen.words
    assert seen.words[0] == "measure"


def test_what_is_beyond_the_scale_stays_at_its_end() -> None:
    seen = picture(row_chart("t", "", Rows("m", [Row("a", [dot(0.9)])], HALF)))
    (x,) = [x for fill, x, y in seen.symbols if fill == "c1"]
    assert x == pytest.approx(seen.position("50")[0])


def test_different_chance_levels_are_not_named() -> None:
    rows = [Row("a", [dot(0.5)], chance=0.5), Row("b", [dot(0.5)], chance=0.25)]
    seen = picture(row_chart("t", "", Rows("m", rows)))
    assert seen.uprights("soft") == near([50, 25])
    assert not any("chance" in words for words in seen.words)


@pytest.mark.parametrize("name", ["short", "a name that is too long for the left side"])
def test_a_long_name_stands_above_its_row(name: str) -> None:
    seen = picture(row_chart("t", "", Rows("m", [Row(name, [dot(0.5)])])))
    x, y = seen.position(name)
    (height,) = [y for fill, _, y in seen.symbols if fill == "c1"]
    assert (x == 0 and y < height - 5) == (name != "short")


def test_a_wide_chart_has_its_names_on_the_left() -> None:
    name = "a name that is too long for the left side"
    seen = picture(row_chart("t", "", Rows("m", [Row(name, [dot(0.5)], ["50.0"])], width=900)))
    assert seen.dots("c1") == near([50])
    assert seen.position(name)[0] < seen.position("0")[0]
    assert seen.position("50.0")[0] == 900


def test_a_name_takes_three_lines_at_most() -> None:
    chart = row_chart("t", "", Rows("m", [Row("many words " * 40, [dot(0.5)]), Row("b", [dot(0.5)])]))
    lines = [words for words in picture(chart).words if "many" in words]
    assert len(lines) == 3
    assert lines[-1].endswith("words")
    assert "…" in lines[-1]


def test_a_row_without_lines_is_a_heading() -> None:
    seen = picture(row_chart("t", "", Rows("m", [Row("heading"), Row("a", [dot(0.5)])])))
    assert seen.position("heading")[1] < seen.position("a")[1]
    assert len(seen.dots("c1")) == 1


def test_a_legend_flows_over_lines() -> None:
    lines = flow([Key("dot", INK, "w" * 30), Key("dot", INK, "w" * 30), Key("dot", INK, "x")])
    assert [[key.words[0] for _, key in line] for line in lines] == [["w"], ["w", "x"]]
    assert [line[0][0] for line in lines] == [0.0, 0.0]
    assert flow([]) == []
