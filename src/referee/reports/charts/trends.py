"""Charts of accuracy over a scale: training data, or the distance to the antecedent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10

from referee.analysis.accuracy import Findings, Row
from referee.reports.charts.curves import Curve, Curves, Panel, Point, curve_chart, short
from referee.reports.charts.series import Series, chance_words, common_chance, sentence, side_by_side, titled
from referee.reports.format import percent
from referee.reports.model import Chart
from referee.stats.worst_group import clopper_pearson

_TICKS = 12
"""Distances that get a tick of their own."""

Drawn = list[tuple[Series, list[Point]]]


def learning_curve(runs: Sequence[tuple[int, Mapping[str, Findings]]]) -> Chart | None:
    """Accuracy and group score by the number of training examples, findings by suite; needs two sizes or more."""
    ordered = sorted(runs, key=lambda run: run[0])
    sizes = list(dict.fromkeys(size for size, suites in ordered if suites))
    if len(sizes) < 2:
        return None
    series, note = side_by_side(
        dict.fromkeys(name for _, suites in ordered for name, one in suites.items() if one.overall is not None)
    )
    positions = _positions(sizes)
    accuracy: Drawn = []
    group: Drawn = []
    for looks in series:
        steps = [(positions[size], suites[looks.name]) for size, suites in ordered if looks.name in suites]
        accuracy.append(
            (looks, [Point(x, one.overall.accuracy, one.overall.interval) for x, one in steps if one.overall])
        )
        group.append((looks, [Point(x, one.group.score, one.group.interval) for x, one in steps if one.group]))
    findings = [suites[looks.name] for _, suites in ordered for looks in series if looks.name in suites]
    chance = common_chance(findings)
    levels = {one.group.chance for one in findings if one.group}
    panels = [
        Panel("accuracy (%), 95% CI", _curves(accuracy), chance),
        Panel("group score (%), 95% CI", _curves(group), levels.pop() if len(levels) == 1 else None),
    ]
    panels = [panel for panel in panels if panel.curves]
    if not panels:
        return None
    ticks = [(position, short(size)) for size, position in positions.items()]
    return curve_chart(
        titled(findings, "learning curve"),
        sentence(f"Accuracy by number of training examples: {_ends(accuracy)}.", chance_words(chance), note),
        Curves(panels, ticks, "training examples", note=note),
    )


def distance_curve(findings: Mapping[str, Findings]) -> Chart | None:
    """Accuracy by the distance to the antecedent; findings by the name of their run or suite."""
    distances = {name: _distances(one) for name, one in findings.items()}
    series, note = side_by_side(name for name, rows in distances.items() if len(rows) > 1)
    if not series:
        return None
    runs = [findings[looks.name] for looks in series]
    shown = [distances[looks.name] for looks in series]
    every = sorted({distance for rows in shown for distance in rows})
    counts = {distance: max(rows[distance].items for rows in shown if distance in rows) for distance in every}
    ranges = _ranges(counts)
    drawn: Drawn = [(looks, _points(run, ranges)) for looks, run in zip(series, runs, strict=True)]
    chance = common_chance(runs)
    ticks = [(float(index), _range_name(one, every[-1])) for index, one in enumerate(ranges)]
    items = [(float(index), sum(counts[distance] for distance in one)) for index, one in enumerate(ranges)]
    pooled = "Distances with few items are pooled." if any(len(one) > 1 for one in ranges) else ""
    return curve_chart(
        titled(runs, "accuracy by distance"),
        sentence(f"Accuracy by distance: {_ends(drawn)}.", chance_words(chance), pooled, note),
        Curves(
            [Panel("accuracy (%), 95% CI", _curves(drawn), chance)], ticks, "distance", items, sentence(pooled, note)
        ),
    )


def _ends(drawn: Drawn) -> str:
    """The first and last value of each curve, in words."""
    return "; ".join(
        f"{looks.name} from {percent(points[0].y)}% to {percent(points[-1].y)}%" for looks, points in drawn if points
    )


def _curves(drawn: Drawn) -> list[Curve]:
    return [Curve(looks.name, points, looks.colour, looks.symbol) for looks, points in drawn if points]


def _positions(sizes: Sequence[int]) -> dict[int, float]:
    """Positions on the scale: logarithmic if sizes span a factor of ten; no training is one step before the first."""
    positive = [size for size in sizes if size > 0]
    if len(positive) < 2 or positive[-1] < 10 * positive[0]:
        return {size: float(size) for size in sizes}
    step = log10(positive[-1] / positive[0]) / (len(positive) - 1)
    return {size: log10(size) if size > 0 else log10(positive[0]) - step for size in sizes}


def _distances(findings: Findings) -> dict[int, Row]:
    return {int(row.key): row for row in findings.by.get("distance", []) if row.key.isdecimal()}


def _ranges(counts: Mapping[int, int]) -> list[list[int]]:
    """Each distance for itself; if there are too many, neighbours pooled until they have their share of items."""
    if len(counts) <= _TICKS:
        return [[distance] for distance in counts]
    share = sum(counts.values()) / _TICKS
    ranges: list[list[int]] = [[]]
    for distance in counts:
        if sum(counts[pooled] for pooled in ranges[-1]) >= share:
            ranges.append([])
        ranges[-1].append(distance)
    return ranges


def _range_name(pooled: Sequence[int], last: int) -> str:
    if len(pooled) == 1:
        return str(pooled[0])
    return f"{pooled[0]}+" if pooled[-1] == last else f"{pooled[0]}–{pooled[-1]}"


def _points(findings: Findings, ranges: Sequence[Sequence[int]]) -> list[Point]:
    by_distance = _distances(findings)
    points = []
    for index, pooled in enumerate(ranges):
        rows = [by_distance[distance] for distance in pooled if distance in by_distance]
        if len(rows) == 1:
            points.append(Point(float(index), rows[0].accuracy, rows[0].interval))
        elif rows:
            share = sum(row.correct for row in rows) / sum(row.items for row in rows)
            # Which items of a pooled range share a group is not known here, so a group counts as one observation.
            groups = sum(row.groups for row in rows)
            points.append(Point(float(index), share, clopper_pearson(round(share * groups), groups)))
    return points
