"""Charts of accuracy: by label, by language, and next to the group score."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean

from referee.analysis.accuracy import Findings, GroupScore, natural_order
from referee.analysis.accuracy import Row as Result
from referee.reports.charts.drawing import INK, SERIES, SOFT, SYMBOLS
from referee.reports.charts.rows import Key, Mark, Row, Rows, row_chart
from referee.reports.charts.series import (
    Series,
    chance_words,
    common_chance,
    keys,
    sentence,
    side_by_side,
    titled,
)
from referee.reports.format import percent
from referee.reports.model import Chart
from referee.reports.wording import name_of

MOST = 40
"""Rows that a reader can still take in."""
_LINES = 160
"""Lines in all rows, one per run in each."""
_FIGURES = 3
"""With more runs than this there is no room for figures next to the rows."""
_MEASURE = "accuracy (%), 95% CI"

Results = Mapping[str, Result]
"""The results of one run, by label or by suite."""


def accuracy_by(findings: Mapping[str, Findings], dimension: str = "label") -> Chart | None:
    """Accuracy by label, or by another breakdown, on one suite; findings by the name of their run."""
    series, note = side_by_side(name for name, one in findings.items() if one.by.get(dimension))
    if not series:
        return None
    runs = [findings[one.name] for one in series]
    results = [{row.key: row for row in run.by[dimension]} for run in runs]
    keys_of_all = list(dict.fromkeys(chain.from_iterable(results)))
    shown = _sorted(_largest(keys_of_all, results), results)
    chance = common_chance(runs)
    names = {key: name_of(dimension, key) for key in shown}
    rows = [_row(names[key], [of_run.get(key) for of_run in results], runs, series, chance) for key in shown]
    if len(keys_of_all) > 1:
        rows.insert(0, _row("all items", [run.overall for run in runs], runs, series, chance, bold=True))
    about = f"Accuracy by {dimension} with 95% CI: {_extremes(shown, results, names)}."
    left_out = _left_out(shown, keys_of_all)
    return row_chart(
        titled(runs, f"accuracy by {dimension}"),
        sentence(about, chance_words(chance), left_out, note),
        Rows(_MEASURE, rows, keys=keys(series), note=sentence(left_out, note)),
    )


def accuracy_by_language(
    findings: Mapping[str, Sequence[Findings]], languages: Mapping[str, str], unseen: Collection[str] = ()
) -> Chart | None:
    """Accuracy on suites of one family, by their languages; findings by the name of their run.

    `languages` names the language of each suite of the family; the model did not see those in `unseen` in training.
    """
    by_run = {name: {one.suite: one for one in of_run if one.overall} for name, of_run in findings.items()}
    series, note = side_by_side(name for name, suites in by_run.items() if suites.keys() & languages.keys())
    if not series:
        return None
    runs = [by_run[one.name] for one in series]
    results = [{suite: one.overall for suite, one in run.items() if one.overall is not None} for run in runs]
    measured = [suite for suite in languages if any(suite in of_run for of_run in results)]
    shown = _sorted(_largest(measured, results), results)
    chance = common_chance(run[suite] for run in runs for suite in shown if suite in run)
    codes = [languages[suite] for suite in shown]
    rows = []
    for suite, language in zip(shown, codes, strict=True):
        name = language if codes.count(language) == 1 else f"{language} ({suite})"
        pairs = [(of_run.get(suite), run.get(suite)) for of_run, run in zip(results, runs, strict=True)]
        rows.append(_bars(name, pairs, series, chance, hatched=language in unseen))
    legend = keys(series, "bar")
    if hatched := [language for language in dict.fromkeys(codes) if language in unseen]:
        legend.append(Key("hatched", SERIES[0] if len(series) == 1 else SOFT, "not seen in training"))
    about = f"Accuracy by language with 95% CI: {_extremes(shown, results, languages)}."
    hatched_words = f"Hatched, because not seen in training: {', '.join(hatched)}." if hatched else ""
    left_out = _left_out(shown, measured)
    return row_chart(
        "Accuracy by language",
        sentence(about, hatched_words, chance_words(chance), left_out, note),
        Rows(_MEASURE, rows, keys=legend, note=sentence(left_out, note)),
    )


def group_scores(findings: Mapping[str, Findings], independent: Mapping[str, float] | None = None) -> Chart | None:
    """Accuracy, group score, and the group score expected from independent errors; findings by name.

    `independent` has that expectation by name; without it all groups count as equally large.
    """
    grouped = {name: one for name, one in findings.items() if one.group is not None and one.overall is not None}
    rows = []
    for name, one in list(grouped.items())[:MOST]:
        if one.overall is not None and one.group is not None:
            of_equal_groups = one.overall.accuracy ** (one.overall.items / one.group.groups)
            rows.append(_both(name, one.overall, one.group, (independent or {}).get(name, of_equal_groups)))
    if not rows:
        return None
    legend = [
        Key("dot", SERIES[0], "accuracy", SYMBOLS[0]),
        Key("dot", SERIES[1], "group score", SYMBOLS[1]),
        Key("tick", INK, "group score if errors were independent"),
    ]
    if len({row.chance for row in rows} - {None}) > 1:
        legend.append(Key("dashes", SOFT, "chance level of the group score"))
    about = "Accuracy, group score (all members correct), and the group score expected from independent errors."
    left_out = f"Only the first {len(rows)} of {len(grouped)} are shown." if len(rows) < len(grouped) else ""
    return row_chart(
        titled(grouped.values(), "accuracy and group score"),
        sentence(about, left_out),
        Rows("%, 95% CI", rows, keys=legend, note=left_out),
    )


def _left_out(shown: Sequence[str], names: Sequence[str]) -> str:
    few = len(shown) < len(names)
    return f"Only the {len(shown)} of {len(names)} with the most items are shown." if few else ""


def _both(name: str, single: Result, group: GroupScore, independent: float) -> Row:
    first, second = (Series(name, *looks) for looks in zip(SERIES[:2], SYMBOLS[:2], strict=True))
    lines = [
        _dot(single.accuracy, single.interval, first),
        (*_dot(group.score, group.interval, second), Mark("tick", INK, independent, independent)),
    ]
    return Row(name, lines, [percent(single.accuracy), percent(group.score)], group.chance)


def _largest(names: Sequence[str], results: Sequence[Results]) -> list[str]:
    ordered = sorted(names, key=lambda name: -max(of_run[name].items for of_run in results if name in of_run))
    return ordered[: min(MOST, _LINES // len(results))]


def _sorted(names: Iterable[str], results: Sequence[Results]) -> list[str]:
    """Numbers by size, everything else from the highest accuracy to the lowest."""
    by_name = sorted(names, key=natural_order)
    if all(name.isdecimal() for name in by_name):
        return by_name
    return sorted(by_name, key=lambda name: _mean(name, results), reverse=True)


def _mean(name: str, results: Sequence[Results]) -> float:
    return fmean(of_run[name].accuracy for of_run in results if name in of_run)


def _extremes(names: Sequence[str], results: Sequence[Results], labels: Mapping[str, str]) -> str:
    def words(name: str) -> str:
        return f"{percent(_mean(name, results))}% ({labels[name]})"

    ordered = sorted(names, key=lambda name: _mean(name, results))
    return f"highest {words(ordered[-1])}, lowest {words(ordered[0])}" if len(names) > 1 else words(names[0])


def _row(
    name: str,
    results: Sequence[Result | None],
    runs: Sequence[Findings],
    series: Sequence[Series],
    chance: float | None,
    *,
    bold: bool = False,
) -> Row:
    lines = [
        _dot(result.accuracy, result.interval, looks) if result else ()
        for result, run, looks in zip(results, runs, series, strict=True)
    ]
    return Row(name, lines, _figures(results), chance, bold)


def _dot(value: float, interval: tuple[float, float], looks: Series) -> tuple[Mark, ...]:
    return Mark("thin", looks.colour, *interval), Mark("dot", looks.colour, value, value, looks.symbol)


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
            Mark("hatched" if hatched else "bar", looks.colour, 0, result.accuracy),
            Mark("thin", INK, *result.interval),
        )
        if result and run
        else ()
        for (result, run), looks in zip(results, series, strict=True)
    ]
    return Row(name, lines, _figures([result for result, _ in results]), chance)


def _figures(results: Sequence[Result | None]) -> list[str]:
    return [percent(result.accuracy) if result else "" for result in results] if len(results) <= _FIGURES else []
