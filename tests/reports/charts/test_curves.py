"""Charts of curves: points at their heights, ticks that have room."""

from __future__ import annotations

import pytest

from referee.reports.charts.curves import Curve, Curves, Panel, Point, curve_chart, short
from referee.reports.charts.drawing import SERIES
from tests.support.pictures import picture


def curve(*values: float, name: str = "a", colour: str = SERIES[0]) -> Curve:
    return Curve(name, [Point(float(x), y, (y, y)) for x, y in enumerate(values)], colour)


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0"), (999, "999"), (1000, "1k"), (1234, "1.23k"), (999_499, "999k"), (999_500, "1M"), (12_000_000, "12M")],
)
def test_counts_in_few_characters(number: int, shown: str) -> None:
    assert short(number) == shown


def test_points_stand_at_their_heights() -> None:
    ticks = [(0.0, "zero"), (1.0, "one"), (2.0, "two")]
    seen = picture(curve_chart("t", "", Curves([Panel("m", [curve(0.0, 1.0, 0.5)], 0.25)], ticks, "across")))
    points = sorted((x, y) for fill, x, y in seen.symbols if fill == "c1")
    levels = {words: y - 4 for words, _, y in seen.texts if words in ("0", "50", "100")}
    assert [y for _, y in points] == pytest.approx([levels["0"], levels["100"], levels["50"]], abs=0.02)
    assert [x for x, _ in points] == pytest.approx([seen.position(words)[0] for _, words in ticks], abs=0.02)
    assert {"chance 25.0%", "across", "m"} <= set(seen.words)


def test_ticks_without_room_are_left_out() -> None:
    ticks = [(float(x), f"a long name {x}") for x in range(12)]
    seen = picture(curve_chart("t", "", Curves([Panel("m", [curve(*[0.5] * 12)])], ticks, "")))
    names = [words for words in seen.words if words.startswith("a long name")]
    assert 0 < len(names) < 12


def test_several_curves_need_a_legend() -> None:
    ticks = [(0.0, "zero"), (1.0, "one")]
    alone = picture(curve_chart("t", "", Curves([Panel("m", [curve(0.1, 0.2)])], ticks, "")))
    both = [curve(0.1, 0.2), curve(0.3, 0.4, name="b", colour=SERIES[1])]
    assert "a" not in alone.words
    assert {"a", "b"} <= set(picture(curve_chart("t", "", Curves([Panel("m", both)], ticks, ""))).words)


def test_counts_below_the_ticks() -> None:
    ticks = [(0.0, "zero"), (1.0, "one")]
    curves = Curves([Panel("m", [curve(0.1, 0.2)])], ticks, "", counts=[(0.0, 1500), (1.0, 20)], note="a note")
    seen = picture(curve_chart("t", "", curves))
    assert {"items", "1.5k", "20", "a note"} <= set(seen.words)
    assert seen.position("1.5k")[0] == seen.position("zero")[0]
