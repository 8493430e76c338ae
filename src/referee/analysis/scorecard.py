"""The scorecard: one row per suite that shows what accuracy hides. Every grade is decided here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias
from referee.analysis.bias.priors import Prior
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import Robustness
from referee.analysis.salience.importance import Importance
from referee.items import Task
from referee.stats.chance import ALPHA
from referee.stats.intervals import Interval
from referee.verdicts import Kind, Rule

COLUMNS = ("accuracy", "groups", "artifacts", "attacks", "bias", "trigger", "written")
"""The cells of a row, in this order; each is also the name of the method behind it."""

Grade = Literal["good", "fair", "bad", "unknown"]
Unit = Literal["%", "pp", "r", "d", ""]
Reason = Literal[
    "no_gold",
    "no_groups",
    "no_baseline",
    "not_perturbed",
    "no_features",
    "no_salience",
    "not_generated",
    "only_generated",
]

_HIGH, _MEDIUM, _SMALL = 0.8, 0.5, 0.2
_SAME, _OFTEN_SAME = 0.9, 0.7
_SLIGHT = 0.05
"""A smaller loss is found, but is no breakdown."""

_BASELINES = {"fill": "no-cands", "choose": "no-premise"}
"""The artifact baseline of a task; translation has none."""
_ATTACK = "phrase"
"""The attack that fits any set."""


class NotMeasured(msgspec.Struct, frozen=True):
    """Why there is no figure; `change` is the perturbation that would give one."""

    reason: Reason
    change: str = ""


class AgainstChance(msgspec.Struct, frozen=True):
    """An accuracy or group score and its chance level; `above` is whether it is significantly above, if known."""

    chance: float | None
    above: bool | None


Outcome = AgainstChance | Artifact | Robustness | Bias | Prior | Importance | Agreement | NotMeasured


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A figure with its interval, the outcome it is taken from, and its grade; `value` is None where there is none."""

    outcome: Outcome
    value: float | None = None
    interval: Interval | None = None
    unit: Unit = ""
    grade: Grade = "unknown"


class ScorecardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One suite, evaluated in one way; `rule` where outputs were matched. `items` were evaluated."""

    suite: str
    kind: Kind
    rule: Rule | None = None
    items: int
    cells: dict[str, Cell]


def scorecard(
    suites: Sequence[SuiteDiagnosis],
    findings: Sequence[Findings],
    importance: Mapping[str, Importance],
    tasks: Mapping[str, Task],
) -> list[ScorecardRow]:
    """Grade each suite once: by scores where there are any, else by what was generated, by the published rule.

    `importance` is that of trigger words, by suite; `tasks` are the tasks of the items of a suite.
    """
    by_suite = {(result.suite, result.kind, result.rule): result for result in findings}
    agreements = {result.suite: result.agreement for result in findings if result.agreement is not None}
    rows: dict[str, ScorecardRow] = {}
    for suite in suites:
        if suite.suite in rows:
            continue
        result = by_suite[suite.suite, suite.kind, suite.rule]
        rows[suite.suite] = ScorecardRow(
            suite=suite.suite,
            kind=suite.kind,
            rule=suite.rule,
            items=suite.items if result.overall is None else result.overall.items,
            cells={
                "accuracy": _accuracy(result),
                "groups": _groups(result),
                "artifacts": _artifacts(suite, tasks.get(suite.suite)),
                "attacks": _attacks(suite.robustness),
                "bias": _bias(suite.biases) if suite.biases else _prior(suite.priors),
                "trigger": _trigger(importance.get(suite.suite)),
                "written": _written(suite.kind, agreements.get(suite.suite)),
            },
        )
    return list(rows.values())


def merged(rows: Iterable[tuple[str, ScorecardRow]]) -> list[ScorecardRow]:
    """Merge the rows of several runs of one model: what one of them did not measure, another may have.

    Each row comes with the hash of its items: a suite of the same name but other items has a row of its own.
    """
    by_content: dict[tuple[str, str, Kind], ScorecardRow] = {}
    for content, row in rows:
        earlier = by_content.setdefault((content, row.suite, row.kind), row)
        cells = {name: cell if cell.value is not None else row.cells[name] for name, cell in earlier.cells.items()}
        by_content[content, row.suite, row.kind] = msgspec.structs.replace(earlier, cells=cells)
    return list(by_content.values())


def _accuracy(result: Findings) -> Cell:
    row = result.overall
    if row is None:
        return Cell(outcome=NotMeasured("no_gold"))
    bounds = row.wilson if result.group is None else row.bootstrap
    return _against_chance(row.accuracy, bounds, result.chance, result.p)


def _groups(result: Findings) -> Cell:
    group = result.group
    if group is None:
        return Cell(outcome=NotMeasured("no_groups"))
    return _against_chance(group.score, group.bootstrap, group.chance, group.p)


def _against_chance(value: float, bounds: Interval, chance: float | None, p: float | None) -> Cell:
    above = None if chance is None or p is None else p < ALPHA
    grade: Grade = "bad" if above is False else "good" if bounds[0] > _HIGH else "fair"
    return Cell(outcome=AgainstChance(chance, above), value=value, interval=bounds, unit="%", grade=grade)


def _artifacts(suite: SuiteDiagnosis, task: Task | None) -> Cell:
    tested = [artifact for artifact in suite.artifacts if artifact.above_chance is not None]
    if not tested:
        baseline = _BASELINES.get(task or "")
        return Cell(outcome=NotMeasured("not_perturbed", baseline) if baseline else NotMeasured("no_baseline"))
    worst = max(tested, key=lambda artifact: (artifact.has_artifact, artifact.accuracy - (artifact.chance or 0.0)))
    grade: Grade = "bad" if worst.has_artifact else "good"
    return Cell(outcome=worst, value=worst.accuracy, interval=worst.interval, unit="%", grade=grade)


def _attacks(robustness: Robustness | None) -> Cell:
    if robustness is None:
        return Cell(outcome=NotMeasured("not_perturbed", _ATTACK))
    drop = robustness.worst.drop
    grade: Grade = "good" if not robustness.loses else "fair" if drop.difference > -_SLIGHT else "bad"
    return Cell(outcome=robustness, value=drop.difference, interval=drop.interval, unit="pp", grade=grade)


def _bias(biases: Sequence[Bias]) -> Cell:
    worst = max(biases, key=lambda bias: (bias.biased_towards is not None, bias.p is not None, bias.beyond))
    if worst.p is None:
        return Cell(outcome=worst)
    most = max(worst.values, key=lambda value: value.difference)
    grade: Grade = "bad" if worst.size in ("medium", "large") else "fair"
    if worst.biased_towards is None:
        grade = "good"
    return Cell(outcome=worst, value=most.difference, interval=most.interval, unit="pp", grade=grade)


def _prior(priors: Sequence[Prior]) -> Cell:
    """Where there is no correct answer: the strongest preference."""
    tested = [prior for prior in priors if prior.p is not None]
    if not tested:
        return Cell(outcome=priors[0] if priors else NotMeasured("no_features"))
    most = max(tested, key=lambda prior: (prior.p is not None and prior.p < ALPHA, prior.share - prior.even))
    low, high = most.interval
    return Cell(
        outcome=most,
        value=most.share - most.even,
        interval=(low - most.even, high - most.even),
        unit="pp",
        grade="bad" if most.p is not None and most.p < ALPHA else "good",
    )


def _trigger(importance: Importance | None) -> Cell:
    if importance is None:
        return Cell(outcome=NotMeasured("no_salience"))
    signed = importance.signed
    if signed.d is None or signed.interval is None:
        return Cell(outcome=importance)
    sure = signed.paired_p is not None and signed.paired_p < ALPHA
    grade: Grade = "good" if sure and signed.d >= _MEDIUM else "fair" if sure and signed.d >= _SMALL else "bad"
    return Cell(outcome=importance, value=signed.d, interval=signed.interval, unit="d", grade=grade)


def _written(kind: Kind, agreement: Agreement | None) -> Cell:
    if agreement is None:
        return Cell(outcome=NotMeasured("only_generated" if kind == "generative" else "not_generated"))
    same = agreement.same
    grade: Grade = "good" if same.share >= _SAME else "fair" if same.share >= _OFTEN_SAME else "bad"
    return Cell(outcome=agreement, value=same.share, interval=same.wider, unit="%", grade=grade)
