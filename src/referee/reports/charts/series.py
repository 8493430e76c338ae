"""Runs or suites that a chart shows side by side: their colours, and the words about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.analysis.accuracy import Findings
from referee.reports.charts.drawing import SERIES, SYMBOLS, Symbol
from referee.reports.charts.rows import Key, Shape
from referee.reports.format import percent


@dataclass(frozen=True)
class Series:
    """A run or a suite with its colour and symbol."""

    name: str
    colour: str
    symbol: Symbol


def side_by_side(names: Iterable[str]) -> tuple[list[Series], str]:
    """As many series as there are colours, and a note if some are left out."""
    every = list(names)
    shown = [Series(*looks) for looks in zip(every, SERIES, SYMBOLS, strict=False)]
    return shown, f"Only the first {len(shown)} of {len(every)} are shown." if len(every) > len(shown) else ""


def keys(series: Sequence[Series], shape: Shape = "dot") -> list[Key]:
    """The legend of colours; a single series needs none."""
    return [Key(shape, one.colour, one.name, one.symbol) for one in series] if len(series) > 1 else []


def titled(findings: Iterable[Findings], what: str) -> str:
    """A title that starts with the name of the suite if there is only one."""
    suites = list(dict.fromkeys(one.suite for one in findings))
    return f"{suites[0]}: {what}" if len(suites) == 1 else what[0].upper() + what[1:]


def common_chance(findings: Iterable[Findings]) -> float | None:
    """The chance level, if it is the same for all."""
    levels = {None if one.chance is None else one.chance.level for one in findings}
    return levels.pop() if len(levels) == 1 else None


def sentence(*parts: str) -> str:
    """The parts that are not empty, as one text."""
    return " ".join(part for part in parts if part)


def chance_words(chance: float | None) -> str:
    """A sentence on the dashed line, for readers who do not see it."""
    return "" if chance is None else f"The dashed line is the chance level, {percent(chance)}%."
