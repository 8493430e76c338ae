"""The diagnosis of a stored run: what its verdicts say about how they came about, and what its saliencies add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.analysis.coverage import Coverage, coverage
from referee.analysis.diagnosis import SuiteDiagnosis, diagnose
from referee.analysis.importance import Importance, importances
from referee.analysis.saliency import Saliency
from referee.analysis.scorecard import Line, scorecard
from referee.runs.reading import StoredRun
from referee.runs.salience import read_saliency


@dataclass(frozen=True)
class Diagnosed:
    """A run, its scorecard, and all that is behind it; `coverage` is of what it wrote, by suite."""

    run: StoredRun
    scorecard: Sequence[Line]
    suites: Sequence[SuiteDiagnosis]
    importance: Mapping[str, Importance]
    coverage: Mapping[str, Coverage]
    saliency: Sequence[Saliency]


def diagnosed(
    run: StoredRun, coding: Mapping[str, Sequence[str]] | None = None, method: str | None = None
) -> Diagnosed:
    """All that can be said of a run without asking its model again; saliencies by a method, or by any there is."""
    suites = diagnose(run.judged, run.findings, coding)
    saliency = read_saliency(run.folder, method)
    importance = importances(saliency)
    tasks = {judged.suite: judged.items[0].task for judged in run.judged if judged.items}
    return Diagnosed(
        run=run,
        scorecard=scorecard(suites, run.findings, importance, tasks),
        suites=suites,
        importance=importance,
        coverage=_coverage(run),
        saliency=saliency,
    )


def _coverage(run: StoredRun) -> dict[str, Coverage]:
    """Of the suites that were translated and have references."""
    found = {judged.suite: coverage(judged) for judged in run.judged if judged.kind == "generative"}
    return {suite: own for suite, own in found.items() if own is not None}
