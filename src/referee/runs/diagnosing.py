"""The diagnosis of a stored run: what its verdicts say about how they came about, and what its saliences add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.analysis.corpus.coverage import Coverage, coverage
from referee.analysis.diagnosis import SuiteDiagnosis, diagnose
from referee.analysis.salience.importance import Importance, importances
from referee.analysis.salience.record import Salience
from referee.analysis.scorecard import ScorecardRow, scorecard
from referee.runs.run import Run
from referee.runs.salience import read_salience


@dataclass(frozen=True)
class Diagnosis:
    """A run, its scorecard, and all that is behind it; `coverage` is of what it wrote, by suite."""

    run: Run
    scorecard: Sequence[ScorecardRow]
    suites: Sequence[SuiteDiagnosis]
    importance: Mapping[str, Importance]
    coverage: Mapping[str, Coverage]
    salience: Sequence[Salience]


def diagnosed(run: Run, coding: Mapping[str, Sequence[str]] | None = None, method: str | None = None) -> Diagnosis:
    """All that can be said of a run without asking its model again; saliences by a method, or by any there is."""
    suites = diagnose(run.judged, run.findings, coding)
    salience = read_salience(run.folder, method)
    importance = importances(salience)
    tasks = {judged.suite: judged.items[0].task for judged in run.judged if judged.items}
    return Diagnosis(
        run=run,
        scorecard=scorecard(suites, run.findings, importance, tasks),
        suites=suites,
        importance=importance,
        coverage=_coverage(run),
        salience=salience,
    )


def _coverage(run: Run) -> dict[str, Coverage]:
    """Of the suites that were translated and have references."""
    found = {judged.suite: coverage(judged) for judged in run.judged if judged.kind == "generative"}
    return {suite: own for suite, own in found.items() if own is not None}
