"""Charts of curves over one scale: panels below each other, and the number of items at each tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.reports.charts.drawing import LINE, SERIES, SMALL, SOFT, SYMBOLS, WIDTH, Anchor, Sheet, Symbol, draw
from referee.reports.charts.lettering import width, wrapped
from referee.reports.charts.rows import PERCENT, Key, draw_keys, flow
from referee.reports.format import percent
from referee.reports.model import Chart
from referee.stats.intervals import Interval

_LEFT, _RIGHT = 44.0, WIDTH - 8.0
_PLOT = 150.0
_LEAD = 17
_PANEL = _PLOT + 2 * _LEAD
_INSET = 18.0
"""Between the edge and the first tick."""


@dataclass(frozen=True)
class Point:
    """A share with its interval."""

    x: float
    y: float
    bounds: Interval


@dataclass(frozen=True)
class Curve:
    """The points of a run or a suite, from left to right."""

    name: str
    points: Sequence[Point]
    colour: str = SERIES[0]
    symbol: Symbol = SYMBOLS[0]


@dataclass(frozen=True)
class Panel:
    """Curves of one measure, and its chance level."""

    measure: str
    curves: Sequence[Curve]
    chance: float | None = None


@dataclass(frozen=True)
class Curves:
    """All that is drawn; `ticks` are named positions, `across` says what they are, `counts` are items at positions."""

    panels: Sequence[Panel]
    ticks: Sequence[tuple[float, str]]
    across: str
    counts: Sequence[tuple[float, int]] = ()
    note: str = ""


def short(number: int) -> str:
    """A count in about four characters."""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        # 999,500 would be rounded to 1000k: it is 1M.
        if number >= 0.9995 * unit:
            return f"{number / unit:.3g}{name}"
    return str(number)


def curve_chart(title: str, about: str, curves: Curves) -> Chart:
    """A chart as high as its panels need."""
    named = {curve.name: curve for panel in curves.panels for curve in panel.curves}
    keys = [Key("dot", curve.colour, name, curve.symbol) for name, curve in named.items()]
    legend = flow(keys) if len(keys) > 1 else []
    head = _LEAD * len(legend)
    below = head + _PANEL * len(curves.panels)
    scales = [("", curves.ticks)]
    if curves.counts:
        scales.append(("items", [(x, short(items)) for x, items in curves.counts]))
    notes = wrapped(curves.note, WIDTH, SMALL)

    def paint(sheet: Sheet) -> None:
        draw_keys(sheet, legend, 8)
        for number, panel in enumerate(curves.panels):
            _panel(sheet, head + number * _PANEL, panel, curves)
        line = below + 6
        for name, ticks in scales:
            _ticks(sheet, line, name, ticks, curves)
            line += _LEAD
        sheet.text(_RIGHT, line, curves.across, anchor="right", colour=SOFT, size=SMALL)
        for note in notes:
            line += _LEAD
            sheet.text(0, line, note, colour=SOFT, size=SMALL)

    return draw(title, about, below + _LEAD * (1 + len(scales) + len(notes)), paint)


def _panel(sheet: Sheet, top: float, panel: Panel, curves: Curves) -> None:
    sheet.text(0, top + 8, panel.measure, colour=SOFT, size=SMALL)
    floor = top + 1.5 * _LEAD + _PLOT

    def height(share: float) -> float:
        return floor - share * _PLOT

    def across(point: Point) -> float:
        return _x(point.x, curves)

    sheet.lines([[(_LEFT, height(level)), (_RIGHT, height(level))] for level, _ in PERCENT.ticks], LINE)
    for level, words in PERCENT.ticks:
        sheet.text(_LEFT - 8, height(level), words, anchor="right", colour=SOFT, size=SMALL)
    if panel.chance is not None:
        sheet.lines([[(_LEFT, height(panel.chance)), (_RIGHT, height(panel.chance))]], SOFT, 1.25, dashes=(4, 3))
        words = f"chance {percent(panel.chance)}%"
        x, anchor = _clear_side(panel.curves, panel.chance)
        sheet.text(x, height(panel.chance) + 8, words, anchor=anchor, colour=SOFT, size=SMALL)
    for curve in panel.curves:
        low, high = zip(*(point.bounds for point in curve.points), strict=True)
        sheet.band(list(map(across, curve.points)), list(map(height, low)), list(map(height, high)), curve.colour)
    for curve in panel.curves:
        points = [(across(point), height(point.y)) for point in curve.points]
        sheet.lines([points], curve.colour, 2)
        sheet.dots(points, curve.colour, curve.symbol)


def _clear_side(curves: Sequence[Curve], level: float) -> tuple[float, Anchor]:
    """Where a label on a level has more room: at the end whose curves are farther from it."""
    first, last = (min(abs(curve.points[end].y - level) for curve in curves) for end in (0, -1))
    return (_LEFT, "left") if first > last else (_RIGHT, "right")


def _ticks(sheet: Sheet, middle: float, name: str, ticks: Sequence[tuple[float, str]], curves: Curves) -> None:
    """As many labels below their ticks as have room."""
    if name:
        sheet.text(_LEFT - 8, middle, name, anchor="right", colour=SOFT, size=SMALL)
    end = 0.0
    for position, words in ticks:
        x, half = _x(position, curves), width(words, SMALL) / 2
        if x - half > end:
            sheet.text(x, middle, words, anchor="center", colour=SOFT, size=SMALL)
            end = x + half + 3


def _x(position: float, curves: Curves) -> float:
    positions = [x for x, _ in curves.ticks]
    low, high = min(positions), max(positions)
    if low == high:
        return (_LEFT + _RIGHT) / 2
    return _LEFT + _INSET + (position - low) / (high - low) * (_RIGHT - _LEFT - 2 * _INSET)
