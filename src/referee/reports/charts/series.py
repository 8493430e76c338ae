"""What several charts need of findings that stand side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.analysis.accuracy import Findings, Row
from referee.reports.charts.drawing import SERIES, SYMBOLS, Symbol
from referee.reports.charts.rows import Key, Shape
from referee.reports.format import percent
from referee.stats.intervals import Interval


@dataclass(frozen=True)
class Series:
    """A run or a suite with its looks."""

    name: str
    colour: str
    symbol: Symbol


def side_by_side(names: Iterable[str]) -> tuple[list[Series], str]:
    """As many as there are colours, and a note on the others."""
    every = list(names)
    shown = [Series(*looks) for looks in zip(every, SERIES, SYMBOLS, strict=False)]
    return shown, f"The first {len(shown)} of {len(every)} are shown." if len(every) > len(shown) else ""


def keys(series: Sequence[Series], shape: Shape = "dot") -> list[Key]:
    """Which colour is whose; one alone needs none."""
    return [Key(shape, each.colour, each.name, each.symbol) for each in series] if len(series) > 1 else []


def bounds(row: Row, found: Findings) -> Interval:
    """As in the tables: where items have groups, that of the bootstrap over them."""
    return row.wilson if found.group is None else row.bootstrap


def titled(found: Iterable[Findings], what: str) -> str:
    """With the name of the suite, where there is one."""
    suites = list(dict.fromkeys(each.suite for each in found))
    return f"{suites[0]}: {what}" if len(suites) == 1 else what[0].upper() + what[1:]


def common_chance(found: Iterable[Findings]) -> float | None:
    """What guessing gives, where all agree on it."""
    levels = {each.chance for each in found}
    return levels.pop() if len(levels) == 1 else None


def sentence(*parts: str) -> str:
    """What is not empty, as one text."""
    return " ".join(part for part in parts if part)


def chance_said(chance: float | None) -> str:
    """In words for those who do not see the line."""
    return "" if chance is None else f"The dashed line is what guessing gives, {percent(chance)} %."
