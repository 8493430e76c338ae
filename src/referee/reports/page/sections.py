"""Parts of a report page: a suite with its tables and charts, what holds for all suites, and how a run is repeated."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.scorecard import ScorecardRow, headline, merged
from referee.reports import charts
from referee.reports.model import Chart, Scorecard, Section
from referee.reports.tables.accuracy import summary, tables
from referee.reports.tables.corpus import coverage_table
from referee.reports.tables.diagnosis import figures, sentences
from referee.reports.tables.salience import importance_table
from referee.reports.terminal import Table
from referee.runs.diagnosing import Diagnosis

Runs = Mapping[str, Diagnosis]
"""Diagnosed runs by the names they have on the page."""

MOST_DRAWN = 16
"""Suites that get charts: a page with more of them is not looked at any more, and grows too large to be sent."""
_FAMILY = 3
"""Languages from which on a comparison of them is worth a chart."""

Judge = tuple[str, tuple[tuple[str, str], ...]]
"""A model by its hash, and its settings."""


def judge_of(found: Diagnosis) -> Judge:
    """Who judged a run, whether by scores or in writing."""
    inputs = found.run.info.inputs
    return inputs.model_sha256, tuple(sorted(setting for setting in inputs.settings.items() if setting[0] != "how"))


def cards(runs: Runs) -> list[Scorecard]:
    """One a run; runs of one model under the same settings are one card."""
    by_judge: dict[Judge, list[str]] = {}
    for name, found in runs.items():
        by_judge.setdefault(judge_of(found), []).append(name)
    titles = _titles([(runs[names[0]].run.info.inputs.model, judge) for judge, names in by_judge.items()])
    return [
        Scorecard(
            title if titles.count(title) == 1 else f"{', '.join(names)}: {title}",
            merged(hashed for name in names for hashed in _hashed(runs[name])),
        )
        for title, names in zip(titles, by_judge.values(), strict=True)
    ]


def _hashed(found: Diagnosis) -> Iterator[tuple[str, ScorecardRow]]:
    content = {suite.name: suite.sha256 for suite in found.run.info.inputs.suites}
    return ((content[line.suite], line) for line in found.scorecard)


def _titles(judges: Sequence[tuple[str, Judge]]) -> list[str]:
    """Models, and where one judged under several settings, those that differ."""
    titles = []
    for model, (_, settings) in judges:
        shared = set.intersection(*(set(other) for name, (_, other) in judges if name == model))
        own = ", ".join(f"{key} {value}" for key, value in settings if (key, value) not in shared)
        titles.append(f"{model} ({own})" if own else model)
    return titles


def lead(runs: Runs) -> str:
    """What the scorecards say, in a sentence a card."""
    shown = cards(runs)
    told = [(card.run, headline(card.lines)) for card in shown]
    return " ".join(text if len(shown) == 1 else f"{name}: {text}" for name, text in told if text)


def suite_parts(runs: Runs) -> Iterator[Section]:
    """One a suite, in the order of the runs; charts have the runs side by side."""
    suites = dict.fromkeys(each.suite for found in runs.values() for each in found.suites)
    for number, suite in enumerate(suites):
        own = {name: found for name, found in runs.items() if any(each.suite == suite for each in found.suites)}
        yield Section(
            title=suite,
            tables=[table for name in own for table in suite_words(own, name, suite)],
            charts=suite_charts(own, suite) if number < MOST_DRAWN else (),
            details=[table for name in own for table in suite_figures(own, name, suite)],
        )


def suite_words(runs: Runs, name: str, suite: str) -> list[Table]:
    """What one run found on a suite, in words, and how often it was right; named where there are several runs."""
    found = runs[name]
    told = sentences([each for each in found.suites if each.suite == suite])
    return _titled(told + tables([_bare(each) for each in found.run.findings if each.suite == suite]), name, runs)


def suite_figures(runs: Runs, name: str, suite: str) -> list[Table]:
    """All the figures behind it."""
    found = runs[name]
    shown = figures([each for each in found.suites if each.suite == suite])
    if suite in found.importance:
        shown.append(importance_table([found.importance[suite]]))
    if suite in found.coverage:
        shown.append(coverage_table(suite, found.coverage[suite]))
    return _titled(shown, name, runs)


def _titled(shown: Sequence[Table], name: str, runs: Runs) -> list[Table]:
    return [replace(table, title=f"{name}: {table.title}") if len(runs) > 1 else table for table in shown]


def _bare(found: Findings) -> Findings:
    """Without what the diagnosis shows in full."""
    return msgspec.structs.replace(found, tendencies=[], attacks=None)


def suite_charts(runs: Runs, suite: str) -> list[Chart]:
    """Accuracies, leanings, attacks, distance and triggers, as far as there are any."""
    results = {name: own for name, found in runs.items() if (own := _primary(found, suite)) is not None}
    saliences = {
        name: [each for each in found.salience if each.suite == suite]
        for name, found in runs.items()
        if suite in found.importance
    }
    made = [
        _labelled(results),
        charts.chosen_against_right(results),
        charts.attack_drops(results),
        charts.distance_curve(results),
        charts.trigger_importance(saliences) if saliences else None,
    ]
    return [chart for chart in made if chart is not None]


def _labelled(results: Mapping[str, Findings]) -> Chart | None:
    """A bar chart of one bar says no more than its number, unless runs stand side by side."""
    if len(results) < 2 and all(len(found.by.get("label", ())) < 2 for found in results.values()):
        return None
    return charts.accuracy_by(results)


def _primary(found: Diagnosis, suite: str) -> Findings | None:
    """By scores where there are any, else by the published rule; what a scorecard's line is about."""
    own = [each for each in found.run.findings if each.suite == suite]
    return min(own, key=lambda each: (each.kind != "contrastive", each.rule == "token"), default=None)


@dataclass(frozen=True)
class Overview:
    """What only the user knows: languages that a model never saw, and how much each run was trained on."""

    unseen: Collection[str] = ()
    sizes: Sequence[int] = ()


def overview_part(runs: Runs, known: Overview) -> Section | None:
    """Charts that hold several suites, languages or sizes of training side by side."""
    made: list[Chart | None] = []
    results = {
        name: {
            each.suite: found_
            for each in found.suites
            if (found_ := _primary(found, each.suite)) is not None and found_.overall is not None
        }
        for name, found in runs.items()
    }
    if known.sizes:
        made.append(charts.learning_curve(list(zip(known.sizes, results.values(), strict=True))))
    for name, own in results.items():
        alone = {each.suite: each.groups.independent for each in runs[name].suites if each.groups is not None}
        made.append(_named(charts.group_against_single(own, alone), name, len(runs)))
    every = {name: list(own.values()) for name, own in results.items()}
    for family, languages in _families(runs):
        chart = charts.accuracy_by_language(every, languages, known.unseen)
        made.append(None if chart is None else replace(chart, title=f"{family}: accuracy by language"))
    drawn = [chart for chart in made if chart is not None]
    return Section("All suites", charts=drawn) if drawn else None


def _named(chart: Chart | None, name: str, runs: int) -> Chart | None:
    return chart if chart is None or runs == 1 else replace(chart, title=f"{name}: {chart.title}")


def _families(runs: Runs) -> Iterator[tuple[str, dict[str, str]]]:
    """Suites whose names differ only in a language, with that language; the name that they share has a star for it."""
    families: dict[str, dict[str, str]] = {}
    for found in runs.values():
        shown = {each.suite for each in found.suites}
        for judged in found.run.judged:
            if judged.suite in shown and judged.items:
                language = judged.items[0].target_lang
                family = re.sub(rf"(?<![a-z]){re.escape(language)}(?![a-z])", "*", judged.suite)
                families.setdefault(family, {})[judged.suite] = language
    return ((family, own) for family, own in families.items() if len(set(own.values())) >= _FAMILY and "*" in family)


def repeat_part(name: str, found: Diagnosis) -> Section:
    """How a run came about, and what makes it come about again."""
    info = found.run.info
    rows = [
        ("model", info.inputs.model),
        ("settings", ", ".join(f"{key}={value}" for key, value in sorted(info.inputs.settings.items())) or "none"),
        ("items", summary(info)),
        ("finished", info.finished or ""),
        ("versions", ", ".join(f"{package} {number}" for package, number in info.versions.items())),
    ]
    return Section(
        title=f"How to repeat {name}",
        command=shlex.join(info.command),
        signature=info.signature,
        tables=[Table(f"{name}: the run", ("", "as it was"), rows, left=(0, 1))],
    )
