"""Sections of a report page: each suite with its tables and charts, all suites together, and the details of a run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.corpus.coverage import Coverage
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.salience.importance import Importance
from referee.analysis.salience.record import Salience
from referee.analysis.scorecard import ScorecardRow, merged
from referee.analysis.shortcuts import Shortcuts
from referee.analysis.steps import StepOutcome, steps
from referee.reports import charts
from referee.reports.model import Chart, Scorecard, Section, Table
from referee.reports.tables.accuracy import summary, tables
from referee.reports.tables.corpus import coverage_table
from referee.reports.tables.diagnosis import confusions, figures, sentences
from referee.reports.tables.salience import importance_table
from referee.reports.tables.square_one import shortcut_counts, shortcut_items
from referee.reports.tables.steps import step_tables
from referee.reports.wording.opening import opening_sentence
from referee.reports.wording.steps import STEPS_ABOUT, STEPS_TITLE, step_sentences
from referee.runs.diagnosis import Diagnosis
from referee.verdicts import Judged, Kind

Diagnoses = Mapping[str, Diagnosis]
"""Diagnosed runs by the names they have on the page."""

MOST_DRAWN = 16
"""Suites that get charts: nobody looks at a page with more of them, and it grows too large to be sent."""
_FAMILY = 3
"""Languages from which on a comparison of them is worth a chart."""

ModelKey = tuple[str, tuple[tuple[str, str], ...]]
"""A model by its hash, and its settings."""


def model_key(diagnosis: Diagnosis) -> ModelKey:
    """Which model a run evaluated under which settings, whether by scores or by generation."""
    inputs = diagnosis.run.info.inputs
    return inputs.model_sha256, tuple(sorted(setting for setting in inputs.settings.items() if setting[0] != "how"))


def scorecards(diagnoses: Diagnoses) -> list[Scorecard]:
    """One scorecard per model and settings; runs that share both share a scorecard."""
    runs_of: dict[ModelKey, list[str]] = {}
    for name, diagnosis in diagnoses.items():
        runs_of.setdefault(model_key(diagnosis), []).append(name)
    titles = _model_titles([(diagnoses[names[0]].run.info.inputs.model, key) for key, names in runs_of.items()])
    return [
        Scorecard(
            title if titles.count(title) == 1 else f"{', '.join(names)}: {title}",
            merged(hashed for name in names for hashed in _hashed_rows(diagnoses[name])),
            _steps([diagnoses[name] for name in names]),
        )
        for title, names in zip(titles, runs_of.values(), strict=True)
    ]


def _hashed_rows(diagnosis: Diagnosis) -> Iterator[tuple[str, ScorecardRow]]:
    content = {suite.name: suite.sha256 for suite in diagnosis.run.info.inputs.suites}
    return ((" ".join(content[suite] for suite in row.pooled or (row.suite,)), row) for row in diagnosis.scorecard)


def _steps(diagnoses: Sequence[Diagnosis]) -> Sequence[StepOutcome]:
    """The steps of one model over all its runs; a set that several runs evaluated counts once."""
    if len(diagnoses) == 1:
        return diagnoses[0].steps
    sets: dict[tuple[str, Kind], Judged] = {}
    for diagnosis in diagnoses:
        content = {suite.name: suite.sha256 for suite in diagnosis.run.info.inputs.suites}
        for judged in diagnosis.run.sets:
            sets.setdefault((content.get(judged.suite, judged.suite), judged.kind), judged)
    return steps(list(sets.values()))


def _model_titles(models: Sequence[tuple[str, ModelKey]]) -> list[str]:
    """Names of models; where one has several settings, with those that differ."""
    titles = []
    for model, (_, settings) in models:
        shared = set.intersection(*(set(other) for name, (_, other) in models if name == model))
        differing = ", ".join(f"{key} {value}" for key, value in settings if (key, value) not in shared)
        titles.append(f"{model} ({differing})" if differing else model)
    return titles


def lead(cards: Sequence[Scorecard]) -> str:
    """What was found, in one sentence."""
    return opening_sentence([(card.title, card.rows) for card in cards])


def failing_steps(cards: Sequence[Scorecard]) -> str:
    """Which step of pronoun translation fails first, of each model; empty where it was not tested."""
    found = [(card.title, step_sentences(card.steps)) for card in cards if card.steps]
    return " ".join(text if len(cards) == 1 else f"{title}: {text}" for title, text in found)


def step_sections(cards: Sequence[Scorecard]) -> Iterator[Section]:
    """The steps of pronoun translation, where a model was evaluated on templates of several steps."""
    for card in cards:
        if card.steps:
            title = STEPS_TITLE if len(cards) == 1 else f"{STEPS_TITLE}: {card.title}"
            yield Section(title, STEPS_ABOUT, tables=step_tables(card.steps))


@dataclass
class SuiteResults:
    """All that one run has on one suite; `coverage`, `importance` and `shortcuts` where they were measured."""

    diagnoses: list[SuiteDiagnosis] = field(default_factory=list)
    findings: list[Findings] = field(default_factory=list)
    saliences: list[Salience] = field(default_factory=list)
    importance: Importance | None = None
    coverage: Coverage | None = None
    shortcuts: list[Shortcuts] = field(default_factory=list)

    @property
    def primary(self) -> Findings | None:
        """Findings by scores if there are any, else by the published rule: those of the scorecard's row."""
        return min(self.findings, key=lambda one: (one.kind != "contrastive", one.rule == "token"), default=None)


def by_suite(diagnosis: Diagnosis) -> dict[str, SuiteResults]:
    """The results of a run by suite, for suites that have a diagnosis, in one pass over each list."""
    results: dict[str, SuiteResults] = {}
    for suite in diagnosis.suites:
        results.setdefault(suite.suite, SuiteResults()).diagnoses.append(suite)
    for findings in diagnosis.run.findings:
        if findings.suite in results:
            results[findings.suite].findings.append(findings)
    for salience in diagnosis.salience:
        if salience.suite in results:
            results[salience.suite].saliences.append(salience)
    for shortcuts in diagnosis.shortcuts:
        if shortcuts.suite in results:
            results[shortcuts.suite].shortcuts.append(shortcuts)
    for name, result in results.items():
        result.importance = diagnosis.importance.get(name)
        result.coverage = diagnosis.coverage.get(name)
    return results


def suite_sections(diagnoses: Diagnoses) -> Iterator[Section]:
    """One section per suite, in the order of the runs; charts show the runs side by side."""
    by_run = {name: by_suite(diagnosis) for name, diagnosis in diagnoses.items()}
    suites = dict.fromkeys(suite for results in by_run.values() for suite in results)
    for number, suite in enumerate(suites):
        results = {name: of_run[suite] for name, of_run in by_run.items() if suite in of_run}
        yield Section(
            title=suite,
            tables=suite_tables(results),
            charts=suite_charts(results) if number < MOST_DRAWN else (),
            details=suite_details(results),
        )


def suite_tables(results: Mapping[str, SuiteResults]) -> list[Table]:
    """Interpretation and accuracy on one suite, by run; titles name the run where there are several."""
    return [
        table
        for name, result in results.items()
        for table in _titled(
            [
                *sentences(result.diagnoses),
                *confusions(result.diagnoses),
                *tables([_bare(findings) for findings in result.findings]),
                *map(shortcut_counts, result.shortcuts),
            ],
            name,
            results,
        )
    ]


def suite_details(results: Mapping[str, SuiteResults]) -> list[Table]:
    """All figures behind the tables of a suite."""
    details = []
    for name, result in results.items():
        shown = figures(result.diagnoses)
        if result.importance is not None:
            shown.append(importance_table([result.importance]))
        if result.coverage is not None:
            shown.append(coverage_table(result.diagnoses[0].suite, result.coverage))
        shown += map(shortcut_items, result.shortcuts)
        details += _titled(shown, name, results)
    return details


def _titled(shown: Sequence[Table], name: str, results: Mapping[str, SuiteResults]) -> list[Table]:
    return [replace(table, title=f"{name}: {table.title}") if len(results) > 1 else table for table in shown]


def _bare(findings: Findings) -> Findings:
    """Findings without what the diagnosis shows in full."""
    return msgspec.structs.replace(findings, tendencies=[], attacks=None)


def suite_charts(results: Mapping[str, SuiteResults]) -> list[Chart]:
    """Accuracy, choices, perturbations, distance and trigger words, as far as they were measured."""
    primary = {name: result.primary for name, result in results.items()}
    findings = {name: one for name, one in primary.items() if one is not None}
    saliences = {name: result.saliences for name, result in results.items() if result.importance is not None}
    drawn = [
        _by_label(findings),
        charts.choice_rates(findings),
        charts.perturbation_effects(findings),
        charts.distance_curve(findings),
        charts.trigger_salience(saliences) if saliences else None,
    ]
    return [chart for chart in drawn if chart is not None]


def _by_label(findings: Mapping[str, Findings]) -> Chart | None:
    """A chart of one bar says no more than its number, unless runs are shown side by side."""
    if len(findings) < 2 and all(len(one.by.get("label", ())) < 2 for one in findings.values()):
        return None
    return charts.accuracy_by(findings)


def opening(diagnoses: Diagnoses) -> Chart | None:
    """The chart that the page opens with: every suite, runs next to each other."""
    return charts.opening_chart(_primary_findings(diagnoses))


def _primary_findings(diagnoses: Diagnoses) -> dict[str, dict[str, Findings]]:
    """Findings that have an accuracy, by run and suite."""
    return {
        name: {
            suite: primary
            for suite, result in by_suite(diagnosis).items()
            if (primary := result.primary) is not None and primary.overall is not None
        }
        for name, diagnosis in diagnoses.items()
    }


def overview_section(diagnoses: Diagnoses, unseen: Collection[str] = (), sizes: Sequence[int] = ()) -> Section | None:
    """Charts that compare suites, languages or amounts of training data.

    Only the user knows which languages the model did not see in training (`unseen`), and the `sizes` of its data.
    """
    findings = _primary_findings(diagnoses)
    drawn: list[Chart | None] = []
    if len({suite for of_run in findings.values() for suite in of_run}) > charts.most_rows(len(findings)):
        drawn.append(charts.opening_chart(findings, fold=False))
    if sizes:
        drawn.append(charts.learning_curve(list(zip(sizes, findings.values(), strict=True))))
    for name, of_run in findings.items():
        independent = {
            suite.suite: suite.groups.independent for suite in diagnoses[name].suites if suite.groups is not None
        }
        chart = charts.group_scores(of_run, independent)
        if chart is not None:
            drawn.append(replace(chart, title=f"{name}: {chart.title}") if len(diagnoses) > 1 else chart)
    all_suites = {name: list(of_run.values()) for name, of_run in findings.items()}
    for family, languages in _families(diagnoses):
        chart = charts.accuracy_by_language(all_suites, languages, unseen)
        if chart is not None:
            drawn.append(replace(chart, title=f"{family}: accuracy by language"))
    shown = [chart for chart in drawn if chart is not None]
    return Section("All suites", charts=shown) if shown else None


def _families(diagnoses: Diagnoses) -> Iterator[tuple[str, dict[str, str]]]:
    """Suites whose names differ only in a language, with that language; their shared name has a star in its place."""
    families: dict[str, dict[str, str]] = {}
    for diagnosis in diagnoses.values():
        shown = {suite.suite for suite in diagnosis.suites}
        for judged in diagnosis.run.sets:
            if judged.suite in shown and judged.items:
                language = judged.items[0].target_lang
                family = re.sub(rf"(?<![a-z]){re.escape(language)}(?![a-z])", "*", judged.suite)
                families.setdefault(family, {})[judged.suite] = language
    return (
        (family, languages)
        for family, languages in families.items()
        if len(set(languages.values())) >= _FAMILY and "*" in family
    )


def run_section(name: str, diagnosis: Diagnosis) -> Section:
    """Model, settings, versions and signature of a run, and the command that repeats it."""
    info = diagnosis.run.info
    rows = [
        ("model", info.inputs.model),
        ("settings", ", ".join(f"{key}={value}" for key, value in sorted(info.inputs.settings.items())) or "none"),
        ("items", summary(info)),
        ("finished", info.finished or ""),
        ("versions", ", ".join(f"{package} {number}" for package, number in info.versions.items())),
    ]
    return Section(
        title=f"Run details: {name}",
        command=shlex.join(info.command),
        signature=info.signature,
        tables=[Table(f"{name}: settings", ("setting", "value"), rows, left=(0, 1))],
    )
