"""Reads a chart as a reader does: what is written where, and which values its marks stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import pytest

from referee.reports.model import Chart

_POINT = re.compile(r"[ML](-?[\d.]+) (-?[\d.]+)")
Point = tuple[float, float]


@dataclass(frozen=True)
class Picture:
    """Texts, symbols (by their filling, and `ring` and rim where they have none), strokes and shapes by colour."""

    texts: list[tuple[str, float, float]]
    symbols: list[tuple[str, float, float]]
    strokes: list[tuple[str, list[Point]]]
    shapes: list[tuple[str, list[Point]]]

    @property
    def words(self) -> list[str]:
        return [words for words, _, _ in self.texts]

    @property
    def scale(self) -> float:
        """Where the names on the scale stand; keys are above, marks below."""
        return self.position("0")[1]

    def position(self, words: str) -> Point:
        (point,) = [(x, y) for text, x, y in self.texts if text == words]
        return point

    def value(self, x: float, low: str = "0", high: str = "100") -> float:
        """By two names on the scale."""
        start, end = self.position(low)[0], self.position(high)[0]
        return float(low) + (x - start) / (end - start) * (float(high) - float(low))

    def dots(self, colour: str) -> list[float]:
        """The values of symbols of a colour, from the top."""
        symbols = [(y, x) for fill, x, y in self.symbols if fill == colour and y > self.scale]
        return [self.value(x) for _, x in sorted(symbols)]

    def spans(self, colour: str) -> list[tuple[float, float]]:
        """The values between which strokes of a colour lie that go from left to right, from the top."""
        strokes = [ends for stroke, ends in self.strokes if stroke == colour and ends[0][1] == ends[-1][1] > self.scale]
        return [
            (self.value(ends[0][0]), self.value(ends[-1][0])) for ends in sorted(strokes, key=lambda ends: ends[0][1])
        ]

    def uprights(self, colour: str) -> list[float]:
        """The values of strokes of a colour that go down, from the top."""
        strokes = [ends[0] for stroke, ends in self.strokes if stroke == colour and ends[0][0] == ends[-1][0]]
        return [self.value(x) for x, y in sorted(strokes, key=lambda end: end[1]) if y > self.scale]

    def bars(self, colour: str) -> list[float]:
        """The values to which bars of a colour reach, from the top."""
        shapes = [corners for fill, corners in self.shapes if fill == colour and corners[0][1] > self.scale]
        return [self.value(max(x for x, _ in corners)) for corners in sorted(shapes, key=lambda corners: corners[0][1])]


def picture(chart: Chart | None) -> Picture:
    assert chart is not None
    texts, symbols, strokes, shapes = [], [], [], []
    for element in ET.fromstring(chart.svg):
        style = dict(part.split(":", 1) for part in element.get("style", "").split(";") if part)
        fill, stroke = (_colour(style.get(name, "")) for name in ("fill", "stroke"))
        if element.tag == "text":
            texts.append((_shown(element), float(element.attrib["x"]), float(element.attrib["y"])))
        elif element.tag == "g" and "fill-opacity" not in style:
            look = f"ring {stroke}" if fill == "ground" else fill
            symbols += [(look, float(use.attrib["x"]), float(use.attrib["y"])) for use in element]
        elif element.tag == "path":
            pieces = [_points(piece) for piece in element.attrib["d"].split("M") if piece]
            if fill == "none":
                strokes += [(stroke, piece) for piece in pieces]
            else:
                shapes += [(fill, piece) for piece in pieces]
    return Picture(texts, symbols, strokes, shapes)


def near(values: Sequence[float]) -> object:
    """As near as a hundredth of a pixel allows."""
    return pytest.approx(values, abs=0.02)


def _shown(element: ET.Element) -> str:
    """Without the whole of what was shortened."""
    return "".join([element.text or "", *(child.tail or "" for child in element)])


def _colour(value: str) -> str:
    """The page's name for it; `url` for a pattern."""
    return value.removeprefix("var(--").removesuffix(")") if value.startswith("var") else value.partition("(")[0]


def _points(piece: str) -> list[Point]:
    return [(float(x), float(y)) for x, y in _POINT.findall("M" + piece)]
