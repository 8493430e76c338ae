"""The diagnosis of a run: what its verdicts say about how they came about, and what word salience adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.analysis.corpus.coverage import Coverage, coverage
from referee.analysis.diagnosis import SuiteDiagnosis, diagnose_suites
from referee.analysis.salience.importance import Importance, importances
from referee.analysis.salience.record import METHOD, Salience
from referee.analysis.scorecard import ScorecardRow, pooled_row, scorecard
from referee.analysis.shortcuts import Shortcuts, shortcuts
from referee.analysis.steps import OVERLAP, StepOutcome, pooled_overlap, steps
from referee.errors import UsageError
from referee.io.progress import Progress
from referee.runs.run import Run
from referee.runs.salience import explain


@dataclass(frozen=True)
class Diagnosis:
    """A run, its scorecard, and all that is behind it; `coverage` is that of its translations, by suite.

    `steps` say which step of pronoun translation fails first, where templates of two steps or more were evaluated.
    `shortcuts` are the items that are associative or solved by a baseline, of sets that were evaluated with both.
    """

    run: Run
    scorecard: Sequence[ScorecardRow]
    suites: Sequence[SuiteDiagnosis]
    importance: Mapping[str, Importance]
    coverage: Mapping[str, Coverage]
    salience: Sequence[Salience]
    steps: Sequence[StepOutcome] = ()
    shortcuts: Sequence[Shortcuts] = ()


def diagnose(
    run: Run,
    *,
    salience: bool = False,
    method: str | None = None,
    limit: int | None = None,
    coding: Mapping[str, Sequence[str]] | None = None,
    progress: Progress | None = None,
) -> Diagnosis:
    """Show what a headline accuracy hides: bias, priors, artifacts, robustness, group consistency, word salience.

    With `salience`, compute the salience of each source word for the first `limit` items of each suite; the result is
    stored in the run's folder and reused. `method` is `prediction-difference` or `inseq:NAME`.
    `coding` orders the values of a feature for the published measure of bias: `{"gender": ["f", "m", "n"]}`.

    >>> import referee
    >>> items = referee.templates("de", "gender")
    >>> run = referee.score(items, scores=[1.0] * 3 * sum(1 for _ in items))
    >>> [row.suite for row in referee.diagnose(run).scorecard]
    ['templates/de']
    """
    if salience:
        explain(run.folder, run.info, run.sets, method=method or METHOD, limit=limit, progress=progress)
    elif limit is not None:
        raise UsageError("limit= needs salience=True", "add salience=True, or remove limit=")
    suites = diagnose_suites(run.sets, run.findings, coding)
    records = run.salience(method)
    importance = importances(records)
    tasks = {judged.suite: judged.items[0].task for judged in run.sets if judged.items}
    return Diagnosis(
        run=run,
        scorecard=[*scorecard(suites, run.findings, importance, tasks), *_pooled(run)],
        suites=suites,
        importance=importance,
        coverage=_coverage(run),
        salience=records,
        steps=steps(run.sets),
        shortcuts=shortcuts(run.sets),
    )


def _pooled(run: Run) -> list[ScorecardRow]:
    """The row of overlap, where several suites test it."""
    return [
        pooled_row(f"{language}/{OVERLAP} (pooled)", part.suites, part.findings)
        for language, part in pooled_overlap(run.sets).items()
    ]


def _coverage(run: Run) -> dict[str, Coverage]:
    """Of the suites that were translated and have references."""
    by_suite = {judged.suite: coverage(judged) for judged in run.sets if judged.kind == "generative"}
    return {suite: counts for suite, counts in by_suite.items() if counts is not None}
