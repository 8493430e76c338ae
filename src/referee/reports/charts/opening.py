"""The chart that a page opens with: accuracy, group score and chance level, one row per suite or phenomenon.

It is drawn twice, for a phone and for a wide screen. Where there are too many rows for a picture, suites of one family
share a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from referee.analysis.accuracy import Findings
from referee.reports.charts.drawing import INK, SERIES, SOFT
from referee.reports.charts.rows import Key, Mark, Row, Rows, row_chart
from referee.reports.charts.series import Series, keys, sentence, side_by_side
from referee.reports.format import interval, percent
from referee.reports.model import Chart
from referee.reports.wording.vocabulary import ABOVE_CHANCE
from referee.stats.intervals import Interval

MOST_ROWS = 30
"""Rows of a picture; more of them are a table. Runs that are shown side by side take the room of rows."""
_RUNS = 3
"""More runs than this make no fewer rows: few suites have no families."""
NARROW, WIDE = 340, 900
_FIGURES = 3
"""With more runs than this there is no room for figures next to the rows."""

ByName = Mapping[str, Findings]
"""The findings of one run by the name of their row."""
Noun = Literal["suite", "phenomenon"]


@dataclass(frozen=True)
class Measure:
    """An accuracy (`dot`) or a group score (`ring`) with its interval and its chance level."""

    shape: Literal["dot", "ring"]
    value: float
    interval: Interval
    chance: float | None


def opening_chart(findings: Mapping[str, ByName], noun: Noun = "suite", *, fold: bool = True) -> Chart | None:
    """Accuracy and group score with 95% CI and chance level; findings by the name of their run, then of their row.

    With `fold`, a chart of too many rows has one row per family of suites.
    """
    measured = {
        run: {name: one for name, one in of_run.items() if one.overall is not None} for run, of_run in findings.items()
    }
    series, note = side_by_side(run for run, of_run in measured.items() if of_run)
    if not series:
        return None
    runs = [measured[looks.name] for looks in series]
    names = list(dict.fromkeys(chain.from_iterable(runs)))
    families = _families(names, most_rows(len(series))) if fold and len(names) > most_rows(len(series)) else None
    rows = list(_family_rows(families, runs, series) if families else _rows(names, runs, series))
    grouped = any(one.group is not None for run in runs for one in run.values())
    chance = any(mark.shape == "tick" for row in rows for line in row.lines for mark in line)
    title = f"Accuracy{' and group score' if grouped else ''} by {'family of suites' if families else noun}"
    legend = _folded_legend if families else _legend
    about = sentence(_extremes(names, runs, series), legend(noun, grouped=grouped, chance=chance), note)
    drawn = Rows(
        f"accuracy{' and group score' if grouped else ''} (%)" + ("" if families else ", 95% CI"),
        rows,
        keys=_keys(series, grouped=grouped, chance=chance),
        note=note,
        width=WIDE,
    )
    narrow = replace(drawn, rows=[_short(row) for row in rows], width=NARROW)
    return replace(row_chart(title, about, narrow), wide=row_chart(title, about, drawn).svg)


def _accuracy(findings: Findings) -> Measure | None:
    row = findings.overall
    level = None if findings.chance is None else findings.chance.level
    return None if row is None else Measure("dot", row.accuracy, row.interval, level)


def _group_score(findings: Findings) -> Measure | None:
    group = findings.group
    return None if group is None else Measure("ring", group.score, group.interval, group.chance)


_MEASURES: tuple[Callable[[Findings], Measure | None], ...] = (_accuracy, _group_score)


def _rows(names: Iterable[str], runs: Sequence[ByName], series: Sequence[Series]) -> Iterator[Row]:
    """A line per run for the accuracy, then one per run for the group score."""
    for name in names:
        cells = [
            (looks, measure)
            for measure_of in _MEASURES
            for looks, run in zip(series, runs, strict=True)
            if name in run and (measure := measure_of(run[name])) is not None
        ]
        figures = [f"{percent(measure.value)} ({interval(measure.interval)})" for _, measure in cells]
        yield Row(name, [_marks(looks, measure) for looks, measure in cells], _fitting(figures, series))


def _marks(looks: Series, measure: Measure) -> list[Mark]:
    marks = [
        Mark("thin", looks.colour, *measure.interval),
        Mark(measure.shape, looks.colour, measure.value, measure.value, looks.symbol),
    ]
    return marks if measure.chance is None else [*marks, Mark("tick", INK, measure.chance, measure.chance)]


def most_rows(runs: int) -> int:
    """The rows of a picture of `runs` runs."""
    return MOST_ROWS // min(max(runs, 1), _RUNS)


def _families(names: Sequence[str], most: int) -> dict[str, list[str]]:
    """Suites by the start of their names, as much of it as leaves a picture."""
    depth = max(name.count("/") for name in names)
    while True:
        families: dict[str, list[str]] = {}
        for name in names:
            families.setdefault("/".join(name.split("/")[: max(depth, 1)]), []).append(name)
        if depth <= 1 or len(families) <= most:
            return families
        depth -= 1


def _family_rows(
    families: Mapping[str, Sequence[str]], runs: Sequence[ByName], series: Sequence[Series]
) -> Iterator[Row]:
    """A mark per suite, and a line from the lowest to the highest."""
    for family, names in families.items():
        lines, figures = [], []
        for measure_of in _MEASURES:
            for looks, run in zip(series, runs, strict=True):
                measures = [one for name in names if name in run and (one := measure_of(run[name])) is not None]
                if measures:
                    lines.append(_strip(looks, measures))
                    figures.append(_range([measure.value for measure in measures]))
        yield Row(family if len(names) == 1 else f"{family} ({len(names)} suites)", lines, _fitting(figures, series))


def _strip(looks: Series, measures: Sequence[Measure]) -> list[Mark]:
    values = [measure.value for measure in measures]
    levels = sorted({measure.chance for measure in measures if measure.chance is not None})
    return [
        Mark("thin", looks.colour, min(values), max(values)),
        *(Mark(measure.shape, looks.colour, measure.value, measure.value, looks.symbol) for measure in measures),
        *(Mark("tick", INK, level, level) for level in levels),
    ]


def _range(values: Sequence[float]) -> str:
    return percent(values[0]) if len(values) == 1 else interval((min(values), max(values)))


def _fitting(figures: Sequence[str], series: Sequence[Series]) -> Sequence[str]:
    return figures if len(series) <= _FIGURES else ()


def _short(row: Row) -> Row:
    """The row without intervals in figures, for which a phone has no room."""
    return replace(row, figures=[figure.partition(" ")[0] for figure in row.figures])


def _keys(series: Sequence[Series], *, grouped: bool, chance: bool) -> list[Key]:
    colour = SERIES[0] if len(series) == 1 else SOFT
    shapes = [Key("dot", colour, "accuracy")]
    if grouped:
        shapes.append(Key("ring", colour, "group score"))
    if chance:
        shapes.append(Key("tick", INK, "chance level"))
    return [*keys(series), *shapes]


def _extremes(names: Sequence[str], runs: Sequence[ByName], series: Sequence[Series]) -> str:
    """The highest and the lowest accuracy, with the run where there are several."""

    def words(accuracy: float, name: str, run: str) -> str:
        return f"{name} ({f'{run}, ' if len(series) > 1 else ''}{percent(accuracy)}%)"

    values = [
        (one.overall.accuracy, name, looks.name)
        for name in names
        for looks, run in zip(series, runs, strict=True)
        if (one := run.get(name)) is not None and one.overall is not None
    ]
    if len(values) == 1:
        return f"Accuracy is {percent(values[0][0])}%."
    return f"Accuracy is highest on {words(*max(values))} and lowest on {words(*min(values))}."


_GROUP_SCORE = "A hollow mark is the group score: the share of groups in which all members are correct."


def _legend(noun: Noun, *, grouped: bool, chance: bool) -> str:
    """What marks mean, in full sentences."""
    ticks = f"A vertical tick is the chance level: a figure is {ABOVE_CHANCE} if its whole CI lies to the right of it."
    return sentence(
        f"A filled mark is the accuracy on one {noun}.",
        _GROUP_SCORE if grouped else "",
        "Horizontal lines are 95% CIs.",
        ticks if chance else "",
    )


def _folded_legend(noun: Noun, *, grouped: bool, chance: bool) -> str:
    """What marks mean where a row is a family."""
    return sentence(
        f"A filled mark is the accuracy on one {noun}.",
        _GROUP_SCORE if grouped else "",
        "A horizontal line runs from the lowest to the highest suite of a family.",
        "Vertical ticks are chance levels." if chance else "",
        "The section All suites shows every suite with its 95% CI.",
    )
