"""How often it was right: by label, by language, and in whole groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean

from referee.analysis.accuracy import Findings, natural_order
from referee.analysis.accuracy import Row as Result
from referee.reports.charts.drawing import INK, SERIES, SOFT, SYMBOLS
from referee.reports.charts.rows import Key, Mark, Row, Rows, row_chart
from referee.reports.charts.series import (
    Series,
    bounds,
    chance_said,
    common_chance,
    keys,
    sentence,
    side_by_side,
    titled,
)
from referee.reports.format import percent
from referee.reports.model import Chart
from referee.reports.wording import name_of
from referee.stats.groups import GroupScore

MOST = 40
"""Rows that a reader can still take in."""
_LINES = 160
"""And lines in them, one for each run."""
_FIGURES = 3
"""With more runs than this there is no room for figures beside the rows."""
_MEASURE = "% right, with 95 % intervals"


def accuracy_by(results: Mapping[str, Findings], dimension: str = "label") -> Chart | None:
    """Accuracy by label, or by another breakdown, on one suite; results by the name of their run."""
    series, note = side_by_side(name for name, found in results.items() if found.by.get(dimension))
    if not series:
        return None
    found = [results[each.name] for each in series]
    parts = [{row.key: row for row in each.by[dimension]} for each in found]
    names = list(dict.fromkeys(chain.from_iterable(parts)))
    shown = _sorted(_largest(names, parts), parts)
    chance = common_chance(found)
    called = {name: name_of(dimension, name) for name in shown}
    rows = [_row(called[name], [part.get(name) for part in parts], found, series, chance) for name in shown]
    if len(names) > 1:
        rows.insert(0, _row("all items", [each.overall for each in found], found, series, chance, bold=True))
    about = f"Accuracy by {dimension}, with 95 % intervals: {_extremes(shown, parts, called)}."
    left_out = f"The {len(shown)} of {len(names)} with most items are shown." if len(shown) < len(names) else ""
    return row_chart(
        titled(found, f"accuracy by {dimension}"),
        sentence(about, chance_said(chance), left_out, note),
        Rows(_MEASURE, rows, keys=keys(series), note=sentence(left_out, note)),
    )


def accuracy_by_language(
    results: Mapping[str, Sequence[Findings]], languages: Mapping[str, str], unseen: Collection[str] = ()
) -> Chart | None:
    """Accuracy on suites of one family, by their languages; results by the name of their run.

    `languages` names the language of each suite that belongs here, `unseen` those the model never saw in training.
    """
    suites = {name: {each.suite: each for each in found if each.overall is not None} for name, found in results.items()}
    series, note = side_by_side(name for name, own in suites.items() if own.keys() & languages.keys())
    if not series:
        return None
    runs = [suites[each.name] for each in series]
    parts = [{suite: each.overall for suite, each in own.items() if each.overall is not None} for own in runs]
    known = [suite for suite in languages if any(suite in part for part in parts)]
    shown = _sorted(_largest(known, parts), parts)
    found = [own[suite] for own in runs for suite in shown if suite in own]
    chance = common_chance(found)
    spoken = [languages[suite] for suite in shown]
    rows = []
    for suite, language in zip(shown, spoken, strict=True):
        name = language if spoken.count(language) == 1 else f"{language} ({suite})"
        own = [(part.get(suite), run.get(suite)) for part, run in zip(parts, runs, strict=True)]
        rows.append(_bars(name, own, series, chance, hatched=language in unseen))
    legend = keys(series, "bar")
    if hatched := [language for language in dict.fromkeys(spoken) if language in unseen]:
        legend.append(Key("hatched", SERIES[0] if len(series) == 1 else SOFT, "not seen in training"))
    about = f"Accuracy by language, with 95 % intervals: {_extremes(shown, parts, languages)}."
    apart = f"Hatched, for they were not seen in training: {', '.join(hatched)}." if hatched else ""
    left_out = f"{len(shown)} of {len(known)} languages are shown." if len(shown) < len(known) else ""
    return row_chart(
        "Accuracy by language",
        sentence(about, apart, chance_said(chance), left_out, note),
        Rows(_MEASURE, rows, keys=legend, note=sentence(left_out, note)),
    )


def group_against_single(
    results: Mapping[str, Findings], independent: Mapping[str, float] | None = None
) -> Chart | None:
    """Accuracy, and how often whole groups are right, beside what errors that know nothing of each other would give.

    That is in `independent` by name, else worked out as if all groups were of one size.
    """
    grouped = {name: each for name, each in results.items() if each.group is not None and each.overall is not None}
    rows = []
    for name, each in list(grouped.items())[:MOST]:
        if each.overall is not None and each.group is not None:
            alone = each.overall.accuracy ** (each.overall.items / each.group.groups)
            alone = (independent or {}).get(name, alone)
            rows.append(_both(name, each.overall, each.group, alone))
    if not rows:
        return None
    legend = [
        Key("dot", SERIES[0], "single items", SYMBOLS[0]),
        Key("dot", SERIES[1], "whole groups", SYMBOLS[1]),
        Key("tick", INK, "groups if errors were independent"),
    ]
    if len({row.chance for row in rows} - {None}) > 1:
        legend.append(Key("dashes", SOFT, "groups by chance"))
    about = (
        "How often single items are right, how often all items of a group are, and how often they would be if errors "
        "fell where they may."
    )
    left_out = f"The first {len(rows)} of {len(grouped)} are shown." if len(rows) < len(grouped) else ""
    return row_chart(
        titled(grouped.values(), "single items and whole groups"),
        sentence(about, left_out),
        Rows(_MEASURE, rows, keys=legend, note=left_out),
    )


def _both(name: str, single: Result, group: GroupScore, alone: float) -> Row:
    first, second = (Series(name, *looks) for looks in zip(SERIES[:2], SYMBOLS[:2], strict=True))
    lines = [
        _dot(single.accuracy, single.bootstrap, first),
        (*_dot(group.score, group.bootstrap, second), Mark("tick", INK, alone, alone)),
    ]
    return Row(name, lines, [percent(single.accuracy), percent(group.score)], group.chance)


def _largest(names: Sequence[str], parts: Sequence[Mapping[str, Result]]) -> list[str]:
    ordered = sorted(names, key=lambda name: -max(part[name].items for part in parts if name in part))
    return ordered[: min(MOST, _LINES // len(parts))]


def _sorted(names: Iterable[str], parts: Sequence[Mapping[str, Result]]) -> list[str]:
    """Numbers by size, all else from the most often right to the least."""
    by_name = sorted(names, key=natural_order)
    if all(name.isdecimal() for name in by_name):
        return by_name
    return sorted(by_name, key=lambda name: _mean(name, parts), reverse=True)


def _mean(name: str, parts: Sequence[Mapping[str, Result]]) -> float:
    return fmean(part[name].accuracy for part in parts if name in part)


def _extremes(names: Sequence[str], parts: Sequence[Mapping[str, Result]], called: Mapping[str, str]) -> str:
    def said(name: str) -> str:
        return f"{percent(_mean(name, parts))} % ({called[name]})"

    ordered = sorted(names, key=lambda name: _mean(name, parts))
    return f"highest {said(ordered[-1])}, lowest {said(ordered[0])}" if len(names) > 1 else said(names[0])


def _row(
    name: str,
    results: Sequence[Result | None],
    found: Sequence[Findings],
    series: Sequence[Series],
    chance: float | None,
    *,
    bold: bool = False,
) -> Row:
    lines = [
        _dot(row.accuracy, bounds(row, own), each) if row else ()
        for row, own, each in zip(results, found, series, strict=True)
    ]
    return Row(name, lines, _figures(results), chance, bold)


def _dot(value: float, sure: tuple[float, float], each: Series) -> tuple[Mark, ...]:
    return Mark("thin", each.colour, *sure), Mark("dot", each.colour, value, value, each.symbol)


def _bars(
    name: str,
    results: Sequence[tuple[Result | None, Findings | None]],
    series: Sequence[Series],
    chance: float | None,
    *,
    hatched: bool,
) -> Row:
    lines = [
        (
            Mark("hatched" if hatched else "bar", each.colour, 0, row.accuracy),
            Mark("thin", INK, *bounds(row, found)),
        )
        if row and found
        else ()
        for (row, found), each in zip(results, series, strict=True)
    ]
    return Row(name, lines, _figures([row for row, _ in results]), chance)


def _figures(results: Sequence[Result | None]) -> list[str]:
    return [percent(row.accuracy) if row else "" for row in results] if len(results) <= _FIGURES else []
