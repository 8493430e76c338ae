"""The scorecard: one row per suite that shows what accuracy hides. Every grade is decided here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias
from referee.analysis.bias.priors import Prior
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import Robustness
from referee.analysis.salience.importance import Importance
from referee.items import Task
from referee.stats.effect_sizes import size_of_d
from referee.stats.intervals import Interval
from referee.stats.levels import Against, further_groups
from referee.verdicts import Kind, Rule

COLUMNS = ("accuracy", "groups", "artifacts", "attacks", "bias", "trigger", "written")
"""The cells of a row, in this order; each is also the name of the method behind it."""

Grade = Literal["good", "fair", "bad", "open", "unknown"]
"""`open` where the data do not decide, `unknown` where nothing was measured or there is nothing to compare with."""
Unit = Literal["%", "pp", "r", "d", ""]
Reason = Literal[
    "no_gold",
    "all_dropped",
    "not_applicable",
    "pooled",
    "all_tied",
    "no_groups",
    "no_baseline",
    "not_perturbed",
    "no_features",
    "no_salience",
    "not_generated",
    "only_generated",
]

HIGH = 0.8
"""An accuracy is good where its whole interval is above this."""
SAME = 0.9
"""Scores and generation agree where the whole interval of the same choices is above this."""
_OFTEN_SAME = 0.7
_SLIGHT = 0.05
"""A loss that is surely smaller is significant, but small."""
_MEDIUM = ("medium", "large")

_BASELINES = {"fill": "no-cands", "choose": "no-premise"}
"""The artifact baseline of a task; translation has none."""
_ATTACK = "phrase"
"""The attack that fits any set."""


class NotMeasured(msgspec.Struct, frozen=True):
    """Why there is no figure; `change` is the perturbation that would give one."""

    reason: Reason
    change: str = ""


class AgainstChance(msgspec.Struct, frozen=True, kw_only=True):
    """An accuracy against its chance level; `against` is None where there is no level."""

    chance: ChanceLevel | None
    against: Against | None


class GroupsAgainstChance(msgspec.Struct, frozen=True, kw_only=True):
    """A group score against its chance level; `independent_chance` is the level of guessing each item by itself."""

    chance: float | None
    independent_chance: float | None
    singles: int
    against: Against | None


class Generation(msgspec.Struct, frozen=True):
    """Whether scores and translations choose the same as often as `SAME`; about `more_groups` more would decide."""

    agreement: Agreement
    agrees: Literal["agrees", "differs", "inconclusive"]
    more_groups: int | None


Outcome = (
    AgainstChance | GroupsAgainstChance | Artifact | Robustness | Bias | Prior | Importance | Generation | NotMeasured
)


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A figure with its interval, the outcome it is taken from, and its grade; `value` is None if not measured."""

    outcome: Outcome
    value: float | None = None
    interval: Interval | None = None
    unit: Unit = ""
    grade: Grade = "unknown"


class ScorecardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One suite, evaluated in one way; `rule` where outputs were matched. `items` were evaluated.

    A row can also pool the items of several suites, which `pooled` names; it does not count in the headline.
    """

    suite: str
    kind: Kind
    rule: Rule | None = None
    items: int
    cells: dict[str, Cell]
    pooled: tuple[str, ...] = ()


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
                "bias": _bias(suite.biases) if suite.biases else _prior(suite.priors, _undecided(result)),
                "trigger": _trigger(importance.get(suite.suite)),
                "written": _written(suite.kind, agreements.get(suite.suite)),
            },
        )
    return list(rows.values())


def pooled_row(name: str, suites: tuple[str, ...], result: Findings) -> ScorecardRow:
    """The row of the items of several suites together, which has an accuracy and a group score."""
    cells = {column: Cell(outcome=NotMeasured("pooled")) for column in COLUMNS}
    cells |= {"accuracy": _accuracy(result), "groups": _groups(result)}
    items = 0 if result.overall is None else result.overall.items
    return ScorecardRow(suite=name, kind=result.kind, rule=result.rule, items=items, cells=cells, pooled=suites)


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
    row, reason = result.overall, _undecided(result)
    if row is None or reason is not None:
        return Cell(outcome=NotMeasured(reason or "no_gold"))
    grade = _grade(result.against, row.interval, ceiling=result.chance is not None and result.chance.level == 1)
    outcome = AgainstChance(chance=result.chance, against=result.against)
    return Cell(outcome=outcome, value=row.accuracy, interval=row.interval, unit="%", grade=grade)


def _undecided(result: Findings) -> Reason | None:
    """Why nothing was decided, whatever the column; None where something was."""
    row = result.overall
    if row is None:
        undecided: Reason = "not_applicable" if result.not_applicable else "all_dropped"
        return None if result.without_gold else undecided
    return "all_tied" if row.tied == row.items else None


def _groups(result: Findings) -> Cell:
    group = result.group
    reason = _undecided(result)
    if group is None or reason is not None:
        return Cell(outcome=NotMeasured(reason or ("no_gold" if result.overall is None else "no_groups")))
    outcome = GroupsAgainstChance(
        chance=group.chance,
        independent_chance=group.independent_chance,
        singles=group.singles,
        against=group.against,
    )
    grade = _grade(group.against, group.interval, ceiling=group.chance == 1)
    return Cell(outcome=outcome, value=group.score, interval=group.interval, unit="%", grade=grade)


def _grade(result: Against | None, interval: Interval, *, ceiling: bool) -> Grade:
    """By its interval; where a heuristic is always correct (`ceiling`) nobody can be above it."""
    if result is None:
        return "unknown"
    if result.standing == "above":
        return "good" if interval[0] > HIGH else "fair"
    if result.standing == "inconclusive":
        return "open"
    return "unknown" if ceiling and result.standing != "below" else "bad"


def _artifacts(suite: SuiteDiagnosis, task: Task | None) -> Cell:
    tested = [artifact for artifact in suite.artifacts if artifact.above_chance is not None]
    if not tested:
        baseline = _BASELINES.get(task or "")
        return Cell(outcome=NotMeasured("not_perturbed", baseline) if baseline else NotMeasured("no_baseline"))
    worst = max(tested, key=_severity)
    grade: Grade = "bad" if worst.has_artifact else "open" if worst.above_chance == "inconclusive" else "good"
    return Cell(outcome=worst, value=worst.accuracy, interval=worst.interval, unit="%", grade=grade)


def _severity(artifact: Artifact) -> tuple[bool, bool, float]:
    level = artifact.chance.level if artifact.chance is not None else 0.0
    return artifact.has_artifact, artifact.above_chance == "inconclusive", artifact.accuracy - level


def _attacks(robustness: Robustness | None) -> Cell:
    if robustness is None:
        return Cell(outcome=NotMeasured("not_perturbed", _ATTACK))
    drop = robustness.worst.drop
    slight: Grade = "fair" if drop.interval[0] > -_SLIGHT else "bad"
    grades: dict[str, Grade] = {"robust": "good", "loses": slight, "inconclusive": "open"}
    grade = grades[robustness.effect]
    return Cell(outcome=robustness, value=drop.difference, interval=drop.interval, unit="pp", grade=grade)


def _bias(biases: Sequence[Bias]) -> Cell:
    worst = max(biases, key=lambda bias: (_BIAS_ORDER.index(bias.outcome), bias.beyond))
    if worst.outcome == "unassessed":
        return Cell(outcome=worst)
    most = max(worst.values, key=lambda value: (value.value == worst.biased_towards, value.difference))
    found: Grade = "bad" if worst.size in _MEDIUM else "fair"
    grades: dict[str, Grade] = {"biased": found, "none": "good", "inconclusive": "open"}
    grade = grades[worst.outcome]
    return Cell(outcome=worst, value=most.difference, interval=most.interval, unit="pp", grade=grade)


_BIAS_ORDER = ("unassessed", "none", "inconclusive", "biased")
"""From what matters least to what matters most."""


def _prior(priors: Sequence[Prior], undecided: Reason | None) -> Cell:
    """Where there is no correct answer: the strongest preference."""
    if not priors:
        return Cell(outcome=NotMeasured(undecided or "no_features"))
    most = max(priors, key=lambda prior: (_BIAS_ORDER.index(prior.outcome), prior.share - prior.even))
    low, high = most.interval
    grades: dict[str, Grade] = {"biased": "bad", "none": "good", "inconclusive": "open"}
    return Cell(
        outcome=most,
        value=most.share - most.even,
        interval=(low - most.even, high - most.even),
        unit="pp",
        grade=grades[most.outcome],
    )


def _trigger(importance: Importance | None) -> Cell:
    if importance is None:
        return Cell(outcome=NotMeasured("no_salience"))
    if importance.effect == "none":
        return Cell(outcome=importance)
    more: Grade = "good" if importance.signed.d is not None and size_of_d(importance.signed.d) in _MEDIUM else "fair"
    grades: dict[str, Grade] = {"more": more, "less": "bad", "equal": "bad", "inconclusive": "open"}
    grade = grades[importance.effect]
    return Cell(outcome=importance, value=importance.rank, interval=importance.interval, unit="%", grade=grade)


def _written(kind: Kind, agreement: Agreement | None) -> Cell:
    if agreement is None:
        return Cell(outcome=NotMeasured("only_generated" if kind == "generative" else "not_generated"))
    same = agreement.same
    outcome = generation(agreement)
    differs: Grade = "fair" if same.interval[0] > _OFTEN_SAME else "bad"
    grades: dict[str, Grade] = {"agrees": "good", "differs": differs, "inconclusive": "open"}
    grade = grades[outcome.agrees]
    return Cell(outcome=outcome, value=same.share, interval=same.interval, unit="%", grade=grade)


def generation(agreement: Agreement) -> Generation:
    """Whether a model generates what it scores best: nearly always, surely not so often, or not known."""
    same = agreement.same
    low, high = same.interval
    if low > SAME:
        return Generation(agreement, "agrees", None)
    if high < SAME:
        return Generation(agreement, "differs", None)
    half = same.share - low if same.share > SAME else high - same.share
    distance = abs(same.share - SAME)
    return Generation(agreement, "inconclusive", further_groups(same.groups, half, distance, varies=same.share < 1))
