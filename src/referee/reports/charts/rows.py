"""Charts of rows: a name on the left (or above, if long), marks along a scale, a figure on the right.

A long name is wrapped: on the left where the chart is wider than usual, else above its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from referee.reports.charts.drawing import LINE, SMALL, SOFT, SYMBOLS, TEXT, WIDTH, Anchor, Sheet, Symbol, draw
from referee.reports.charts.lettering import BOLD, clean, width, wrapped
from referee.reports.format import percent
from referee.reports.model import Chart

Shape = Literal["bar", "hatched", "thick", "thin", "tick", "ring", "dot", "dashes"]
_ORDER: tuple[Shape, ...] = ("bar", "hatched", "thick", "thin", "tick", "ring", "dot")
"""The order of drawing: what comes first lies below."""

_GUTTER = 0.35
"""What part of the width names on the left may take."""
_NAME_LINES = 3
_EDGE = 8.0
_LEAD = 17
"""From one line of text to the next."""


@dataclass(frozen=True)
class Mark:
    """Something drawn from one value to another; dots, rings and ticks are at one."""

    shape: Shape
    colour: str
    start: float
    end: float
    symbol: Symbol = SYMBOLS[0]


@dataclass(frozen=True)
class Row:
    """A name with lines of marks, and a figure for each line; without lines it is a heading.

    `chance` is the chance level of the row.
    """

    name: str
    lines: Sequence[Sequence[Mark]] = ()
    figures: Sequence[str] = ()
    chance: float | None = None
    bold: bool = False


@dataclass(frozen=True)
class Key:
    """An entry of the legend."""

    shape: Shape
    colour: str
    words: str
    symbol: Symbol = SYMBOLS[0]


@dataclass(frozen=True)
class Scale:
    """Values from left to right, and the labels of ticks."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]


PERCENT = Scale(0.0, 1.0, [(level / 100, str(level)) for level in range(0, 101, 25)])
HALF = Scale(0.0, 0.5, [(level / 100, str(level)) for level in range(0, 51, 10)])


@dataclass(frozen=True)
class Rows:
    """All that is drawn; `measure` names the scale, `head` the figures on the right."""

    measure: str
    rows: Sequence[Row]
    scale: Scale = PERCENT
    keys: Sequence[Key] = ()
    head: str = ""
    note: str = ""
    width: int = WIDTH


def row_chart(title: str, about: str, rows: Rows) -> Chart:
    """A chart as high as its rows need."""
    layout = _Layout(rows)
    return draw(title, about, layout.height, lambda sheet: _paint(sheet, rows, layout), rows.width)


class _Layout:
    """Positions of everything, in pixels."""

    def __init__(self, rows: Rows) -> None:
        gutter = _GUTTER * rows.width
        widest = max((width(clean(row.name), _size(row)) for row in rows.rows if row.lines), default=0)
        self.above = widest > gutter and rows.width <= WIDTH
        self.names = [_name_lines(row, rows.width if self.above else gutter) for row in rows.rows]
        self.room = min(widest, rows.width if self.above else gutter)
        figures = [width(figure, SMALL) for row in rows.rows for figure in (*row.figures, rows.head)]
        self.left = _EDGE if self.above else self.room + 2 * _EDGE
        self.right = rows.width - max(figures, default=0) - (24 if rows.head else 14)
        self.keys = flow(rows.keys, rows.width)
        self.axis = _LEAD * (1 + len(self.keys)) + 12
        pitch = 15.0 if any(row.figures for row in rows.rows) else 9.0
        self.pitch = [pitch if len(row.lines) > 1 else 15.0 for row in rows.rows]
        heights = [self._height(index, row) for index, row in enumerate(rows.rows)]
        self.tops = list(accumulate(heights, initial=self.axis + 10))
        self.stretches = self._stretches(rows.rows)
        self.notes = wrapped(rows.note, rows.width, SMALL)
        self.chances = sorted({row.chance for row in rows.rows if row.chance is not None})
        below = _LEAD if len(self.chances) == 1 else 4
        self.foot = self.tops[-1] + below
        self.height = self.foot + _LEAD * len(self.notes) + 2
        self._scale = rows.scale

    def named(self, index: int) -> float:
        """The height of a name above its row."""
        return _LEAD * len(self.names[index]) if self.above else 0

    def _height(self, index: int, row: Row) -> float:
        if not row.lines:
            return 28
        marks = max(len(row.lines) * self.pitch[index], 15)
        if self.above:
            return self.named(index) + marks + 11
        several = len(row.lines) > 1 or len(self.names[index]) > 1
        return max(marks, _LEAD * len(self.names[index])) + (9 if several else 7)

    def _stretches(self, rows: Sequence[Row]) -> list[tuple[float, float]]:
        """Top and bottom of the grid lines: they stop where a name is in their way."""
        stretches: list[tuple[float, float]] = []
        for index, row in enumerate(rows):
            top, bottom = self.tops[index] + self.named(index), self.tops[index + 1] - (6 if self.above else 0)
            if row.lines and stretches and stretches[-1][1] == top:
                stretches[-1] = stretches[-1][0], bottom
            elif row.lines:
                stretches.append((top, bottom))
        return stretches

    def x(self, value: float) -> float:
        """The position of a value; what is beyond the scale stays at its end."""
        part = (value - self._scale.low) / (self._scale.high - self._scale.low)
        return self.left + min(1.0, max(0.0, part)) * (self.right - self.left)

    def middles(self, index: int, row: Row) -> list[float]:
        """The height of each line of a row."""
        pitch = self.pitch[index]
        start = self.tops[index] + self.named(index)
        room = self.tops[index + 1] - start
        first = start + (room - pitch * (len(row.lines) - 1)) / 2 - (5 if self.above else 0)
        return [first + pitch * number for number in range(len(row.lines))]


def _size(row: Row) -> float:
    """The size of a row's name, as far as its width goes."""
    return TEXT * (BOLD if row.bold else 1)


def _name_lines(row: Row, room: float) -> list[str]:
    """The name of a row in a few lines; the last one takes what does not fit, and is shortened when it is drawn."""
    lines = wrapped(clean(row.name), room, _size(row))
    return [*lines[: _NAME_LINES - 1], " ".join(lines[_NAME_LINES - 1 :])] if len(lines) >= _NAME_LINES else lines


def flow(keys: Sequence[Key], room: float = WIDTH) -> list[list[tuple[float, Key]]]:
    """Legend entries in lines, with the position of each."""
    lines: list[list[tuple[float, Key]]] = []
    across = 0.0
    for key in keys:
        needed = 17 + width(clean(key.words), SMALL) + 14
        if not lines or (across + needed - 14 > room and lines[-1]):
            lines.append([])
            across = 0.0
        lines[-1].append((across, key))
        across += needed
    return lines


def _paint(sheet: Sheet, rows: Rows, layout: _Layout) -> None:
    sheet.text(0, 8, rows.measure, colour=SOFT, size=SMALL)
    draw_keys(sheet, layout.keys, 8 + _LEAD)
    _axis(sheet, rows, layout)
    _chance(sheet, rows, layout)
    for index, row in enumerate(rows.rows):
        _names(sheet, index, row, layout)
    for shape in _ORDER:
        _marks(sheet, shape, rows, layout)
    for number, line in enumerate(layout.notes):
        sheet.text(0, layout.foot + _LEAD * number + 6, line, colour=SOFT, size=SMALL)


def draw_keys(sheet: Sheet, lines: Sequence[Sequence[tuple[float, Key]]], middle: float) -> None:
    """Draw lines of a legend, the first one at this height."""
    for number, line in enumerate(lines):
        for across, key in line:
            height = middle + _LEAD * number
            _draw(sheet, key.shape, key.colour, [((across, across + 12), height)], 10, key.symbol)
            sheet.text(across + 17, height, key.words, size=SMALL, room=sheet.width - across - 17)


def _axis(sheet: Sheet, rows: Rows, layout: _Layout) -> None:
    positions = [layout.x(value) for value, _ in rows.scale.ticks]
    sheet.lines([[(x, top), (x, bottom)] for x in positions for top, bottom in layout.stretches], LINE)
    for value, words in rows.scale.ticks:
        sheet.text(layout.x(value), layout.axis, words, anchor="center", colour=SOFT, size=SMALL)
    if rows.head:
        sheet.text(rows.width, layout.axis, rows.head, anchor="right", colour=SOFT, size=SMALL)


def _chance(sheet: Sheet, rows: Rows, layout: _Layout) -> None:
    """One line through all rows if they share the chance level, else a piece in each."""
    if len(layout.chances) == 1:
        x, bottom = layout.x(layout.chances[0]), layout.tops[-1]
        strokes = [[(x, top), (x, end)] for top, end in layout.stretches]
        words = f"chance {percent(layout.chances[0])}%"
        half = width(words, SMALL) / 2
        sheet.text(min(max(x, half), rows.width - half), bottom + 9, words, anchor="center", colour=SOFT, size=SMALL)
    else:
        strokes = [
            [
                (layout.x(row.chance), layout.tops[index] + layout.named(index)),
                (layout.x(row.chance), layout.tops[index + 1]),
            ]
            for index, row in enumerate(rows.rows)
            if row.chance is not None
        ]
    if strokes:
        sheet.lines(strokes, SOFT, 1.25, dashes=(4, 3))


def _names(sheet: Sheet, index: int, row: Row, layout: _Layout) -> None:
    top, bottom = layout.tops[index], layout.tops[index + 1]
    if not row.lines:
        sheet.text(0, bottom - 9, row.name, colour=SOFT, bold=True)
        return
    middles = layout.middles(index, row)
    lines = layout.names[index]
    middle = top + _LEAD / 2 - 1 if layout.above else (middles[0] + middles[-1] - _LEAD * (len(lines) - 1)) / 2
    anchor: Anchor = "left" if layout.above else "right"
    x = 0.0 if layout.above else layout.left - _EDGE - 4
    for number, line in enumerate(lines):
        sheet.text(x, middle + _LEAD * number, line, anchor=anchor, bold=row.bold, room=layout.room)
    for middle, figure in zip(middles, row.figures, strict=False):
        sheet.text(sheet.width, middle, figure, anchor="right", size=SMALL, bold=row.bold)


def _marks(sheet: Sheet, shape: Shape, rows: Rows, layout: _Layout) -> None:
    """Draw all marks of one shape, those of one colour together."""
    same: dict[tuple[str, Symbol, float], list[tuple[tuple[float, float], float]]] = {}
    for index, row in enumerate(rows.rows):
        for marks, middle in zip(row.lines, layout.middles(index, row), strict=True):
            for mark in marks:
                if mark.shape == shape:
                    ends = layout.x(mark.start), layout.x(mark.end)
                    room = layout.pitch[index] - 3
                    same.setdefault((mark.colour, mark.symbol, room), []).append((ends, middle))
    for (colour, symbol, room), where in same.items():
        _draw(sheet, shape, colour, where, room, symbol)


def _draw(
    sheet: Sheet,
    shape: Shape,
    colour: str,
    where: Iterable[tuple[tuple[float, float], float]],
    height: float,
    symbol: Symbol,
) -> None:
    if shape in ("bar", "hatched"):
        for ends, middle in where:
            sheet.bar(ends, middle, height, colour, hatched=shape == "hatched")
    elif shape in ("dot", "ring"):
        points = [((start + end) / 2, middle) for (start, end), middle in where]
        sheet.dots(points, colour, symbol, hollow=shape == "ring")
    elif shape == "tick":
        sheet.lines(list(_uprights(where, height)), colour, 2)
    else:
        strokes = [[(start, middle), (end, middle)] for (start, end), middle in where]
        thickness = 5.0 if shape == "thick" else 1.25
        sheet.lines(strokes, colour, thickness, dashes=(4, 3) if shape == "dashes" else None)


def _uprights(where: Iterable[tuple[tuple[float, float], float]], height: float) -> Iterator[list[tuple[float, float]]]:
    for (start, end), middle in where:
        x = (start + end) / 2
        yield [(x, middle - height / 2 - 1), (x, middle + height / 2 + 1)]
