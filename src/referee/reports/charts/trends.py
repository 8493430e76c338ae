"""How accuracy goes with something that grows: training data, or the distance to what is referred to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10

from referee.analysis.accuracy import Findings, Row
from referee.reports.charts.curves import Curve, Curves, Panel, Point, curve_chart, short
from referee.reports.charts.series import Series, bounds, chance_said, common_chance, sentence, side_by_side, titled
from referee.reports.format import percent
from referee.reports.model import Chart
from referee.stats.intervals import wilson

_PLACES = 12
"""Distances that have a place of their own on the scale."""


def learning_curve(points: Sequence[tuple[int, Mapping[str, Findings]]]) -> Chart | None:
    """Accuracy and group score after training on so many examples, findings by suite; two sizes at least."""
    ordered = sorted(points, key=lambda point: point[0])
    sizes = list(dict.fromkeys(size for size, found in ordered if found))
    if len(sizes) < 2:
        return None
    names = dict.fromkeys(name for _, found in ordered for name, each in found.items() if each.overall is not None)
    series, note = side_by_side(names)
    places = _logarithmic(sizes)
    every = [found[each.name] for _, found in ordered for each in series if each.name in found]
    single, whole = [], []
    for each in series:
        own = [(places[size], found[each.name]) for size, found in ordered if each.name in found]
        single.append(
            (each, [Point(x, one.overall.accuracy, bounds(one.overall, one)) for x, one in own if one.overall])
        )
        whole.append((each, [Point(x, one.group.score, one.group.bootstrap) for x, one in own if one.group]))
    chance = common_chance(every)
    levels = {one.group.chance for one in every if one.group}
    panels = [
        Panel("single items, % right", _curves(single), chance),
        Panel("whole groups, % right", _curves(whole), levels.pop() if len(levels) == 1 else None),
    ]
    panels = [panel for panel in panels if panel.curves]
    if not panels:
        return None
    about = "Accuracy by the number of training examples, with 95 % intervals: " + "; ".join(
        f"{each.name} from {percent(own[0].y)} % to {percent(own[-1].y)} %" for each, own in single if own
    )
    ticks = [(place, short(size)) for size, place in places.items()]
    return curve_chart(
        titled(every, "learning curve"),
        sentence(about + ".", chance_said(chance), note),
        Curves(panels, ticks, "training examples", note=note),
    )


def distance_curve(results: Mapping[str, Findings]) -> Chart | None:
    """Accuracy over the distance to what is referred to; results by the name of their run or suite."""
    series, note = side_by_side(name for name, found in results.items() if len(_distances(found)) > 1)
    if not series:
        return None
    found = [results[each.name] for each in series]
    every = sorted({distance for own in found for distance in _distances(own)})
    counts = {
        distance: max(own[distance].items for one in found if distance in (own := _distances(one)))
        for distance in every
    }
    stretches = _stretches(counts)
    drawn = [(each, _along(own, stretches)) for each, own in zip(series, found, strict=True)]
    chance = common_chance(found)
    ticks = [(float(place), _named(stretch, every[-1])) for place, stretch in enumerate(stretches)]
    sums = [(float(place), sum(counts[each] for each in stretch)) for place, stretch in enumerate(stretches)]
    pooled = any(len(stretch) > 1 for stretch in stretches)
    joined = "Distances with few items are taken together." if pooled else ""
    about = "Accuracy by distance, with 95 % intervals: " + "; ".join(
        f"{each.name} from {percent(own[0].y)} % to {percent(own[-1].y)} %" for each, own in drawn
    )
    return curve_chart(
        titled(found, "accuracy by distance"),
        sentence(about + ".", chance_said(chance), joined, note),
        Curves([Panel("% right", _curves(drawn), chance)], ticks, "distance", sums, sentence(joined, note)),
    )


def _curves(drawn: Sequence[tuple[Series, Sequence[Point]]]) -> list[Curve]:
    return [Curve(each.name, own, each.colour, each.symbol) for each, own in drawn if own]


def _logarithmic(sizes: Sequence[int]) -> dict[int, float]:
    """Where sizes lie: by their logarithm where they reach far; no training at all lies one step before the first."""
    positive = [size for size in sizes if size > 0]
    if len(positive) < 2 or positive[-1] < 10 * positive[0]:
        return {size: float(size) for size in sizes}
    step = log10(positive[-1] / positive[0]) / (len(positive) - 1)
    return {size: log10(size) if size > 0 else log10(positive[0]) - step for size in sizes}


def _distances(found: Findings) -> dict[int, Row]:
    return {int(row.key): row for row in found.by.get("distance", []) if row.key.isdecimal()}


def _stretches(counts: Mapping[int, int]) -> list[list[int]]:
    """Each distance for itself; where there are too many, neighbours together until they have their share of items."""
    if len(counts) <= _PLACES:
        return [[distance] for distance in counts]
    share = sum(counts.values()) / _PLACES
    stretches: list[list[int]] = [[]]
    for distance in counts:
        if sum(counts[each] for each in stretches[-1]) >= share:
            stretches.append([])
        stretches[-1].append(distance)
    return stretches


def _named(stretch: Sequence[int], last: int) -> str:
    if len(stretch) == 1:
        return str(stretch[0])
    return f"{stretch[0]}+" if stretch[-1] == last else f"{stretch[0]}–{stretch[-1]}"


def _along(found: Findings, stretches: Sequence[Sequence[int]]) -> list[Point]:
    own = _distances(found)
    points = []
    for place, stretch in enumerate(stretches):
        rows = [own[distance] for distance in stretch if distance in own]
        if len(rows) == 1:
            points.append(Point(float(place), rows[0].accuracy, bounds(rows[0], found)))
        elif rows:
            hits, items = sum(row.correct for row in rows), sum(row.items for row in rows)
            points.append(Point(float(place), hits / items, wilson(hits, items)))
    return points
