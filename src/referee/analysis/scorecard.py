"""The scorecard: one line a suite that reads, from left to right, what a headline accuracy hides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from referee.analysis.accuracy import Findings
from referee.analysis.bias.bias import Bias
from referee.analysis.bias.priors import Prior
from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.generation_agreement import Agreement
from referee.analysis.robustness import Robustness
from referee.analysis.salience.importance import Importance
from referee.items import Task
from referee.reports.wording import in_percent
from referee.stats.chance import ALPHA
from referee.stats.intervals import Interval
from referee.verdicts import Kind, Rule

COLUMNS = ("accuracy", "groups", "artifacts", "attacks", "bias", "trigger", "written")
"""What a line may hold, in this order; each is also the name of the method behind it."""

Grade = Literal["good", "fair", "bad", "unknown"]
Unit = Literal["%", "points", "r", "d", ""]

_HIGH, _STEADY, _MEDIUM, _SMALL = 0.8, 0.9, 0.5, 0.2
_SLIGHT = 0.05
"""A loss of fewer points is found, but is no breakdown."""

_BASELINES = {"fill": "no-cands", "choose": "no-premise"}
"""What takes the evidence from items of a task; from a translation nothing does."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, how sure it is, and what it means; `value` is None where it was not measured, and `words` say why."""

    value: float | None = None
    interval: Interval | None = None
    unit: Unit = ""
    words: str
    mood: Grade = "unknown"


class ScorecardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One suite, judged in one way; `rule` where outputs were matched. `items` were judged."""

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
    """A line a suite: by scores where there are any, else by what was written, by the published rule.

    `importance` is that of triggers, by suite; `tasks` say what the items of a suite ask for.
    """
    found = {(each.suite, each.kind, each.rule): each for each in findings}
    agreements = {each.suite: each.agreement for each in findings if each.agreement is not None}
    lines: dict[str, ScorecardRow] = {}
    for suite in suites:
        if suite.suite in lines:
            continue
        own = found[suite.suite, suite.kind, suite.rule]
        lines[suite.suite] = ScorecardRow(
            suite=suite.suite,
            kind=suite.kind,
            rule=suite.rule,
            items=suite.items if own.overall is None else own.overall.items,
            cells={
                "accuracy": _accuracy(own),
                "groups": _groups(own),
                "artifacts": _artifacts(suite, tasks.get(suite.suite)),
                "attacks": _attacks(suite.robustness),
                "bias": _bias(suite.biases) if suite.biases else _prior(suite.priors),
                "trigger": _trigger(importance.get(suite.suite)),
                "written": _written(suite.kind, agreements.get(suite.suite)),
            },
        )
    return list(lines.values())


def merged(lines: Iterable[tuple[str, ScorecardRow]]) -> list[ScorecardRow]:
    """One line a suite, of runs of one model: what one of them did not measure another may have.

    Each comes with the hash of its items: a suite of the same name but other items has a line of its own.
    """
    found: dict[tuple[str, str, Kind], ScorecardRow] = {}
    for content, line in lines:
        earlier = found.setdefault((content, line.suite, line.kind), line)
        cells = {name: cell if cell.value is not None else line.cells[name] for name, cell in earlier.cells.items()}
        found[content, line.suite, line.kind] = msgspec.structs.replace(earlier, cells=cells)
    return list(found.values())


def headline(lines: Sequence[ScorecardRow]) -> str:
    """What all lines together say, in one sentence: column by column, of how many suites it is known."""
    told = []
    for name, saying in _SAYINGS.items():
        known = [line.cells[name] for line in lines if line.cells[name].mood != "unknown"]
        if known:
            hits = sum(cell.mood in ("good", "fair") for cell in known)
            told.append(saying.format(hits=hits, known=len(known), suites="suite" if len(known) == 1 else "suites"))
    text = "; ".join(told)
    return text[:1].upper() + text[1:] + "." if text else ""


_SAYINGS = {
    "accuracy": "better than guessing in {hits} of {known} {suites}",
    "groups": "whole groups in {hits} of {known}",
    "artifacts": "in need of the evidence in {hits} of {known}",
    "attacks": "steady under attack in {hits} of {known}",
    "bias": "no more than a small bias in {hits} of {known}",
    "trigger": "moved by the deciding word in {hits} of {known}",
    "written": "writes what it scores best in {hits} of {known}",
}


def _accuracy(found: Findings) -> Cell:
    row = found.overall
    if row is None:
        return Cell(words="nothing is right here")
    bounds = row.wilson if found.group is None else row.bootstrap
    return _against_guessing(row.accuracy, bounds, found.chance, found.p)


def _groups(found: Findings) -> Cell:
    if found.group is None:
        return Cell(words="every item stands alone")
    return _against_guessing(found.group.score, found.group.bootstrap, found.group.chance, found.group.p)


def _against_guessing(value: float, bounds: Interval, chance: float | None, p: float | None) -> Cell:
    high: Grade = "good" if bounds[0] > _HIGH else "fair"
    if chance is None or p is None:
        return Cell(value=value, interval=bounds, unit="%", words="guessing is not to be had", mood=high)
    beaten = p < ALPHA
    words = f"{'more' if beaten else 'no more'} than guessing ({in_percent(chance)})"
    return Cell(value=value, interval=bounds, unit="%", words=words, mood=high if beaten else "bad")


def _artifacts(suite: SuiteDiagnosis, task: Task | None) -> Cell:
    known = [each for each in suite.artifacts if each.beats_chance is not None]
    if not known:
        baseline = _BASELINES.get(task or "")
        return Cell(words=f"not measured: `eval --perturb {baseline}`" if baseline else "there is no baseline for it")
    worst = max(known, key=lambda each: (bool(each.beats_chance), each.accuracy - (each.chance or 0.0)))
    return Cell(
        value=worst.accuracy,
        interval=worst.interval,
        unit="%",
        words=worst.words,
        mood="bad" if worst.beats_chance else "good",
    )


def _attacks(found: Robustness | None) -> Cell:
    if found is None:
        return Cell(words="not measured: `eval --perturb phrase`")
    drop = found.worst.drop
    lost = found.worst.p_holm < ALPHA and drop.difference < 0
    mood: Grade = "good" if not lost else "fair" if drop.difference > -_SLIGHT else "bad"
    return Cell(value=drop.difference, interval=drop.interval, unit="points", words=found.words, mood=mood)


def _bias(biases: Sequence[Bias]) -> Cell:
    worst = max(biases, key=lambda bias: (bias.leans_to is not None, bias.p is not None, bias.beyond))
    most = max(worst.values, key=lambda value: value.difference)
    mood: Grade = "bad" if worst.size in ("medium", "large") else "fair"
    if worst.leans_to is None:
        mood = "good"
    words = f"{worst.feature}: {worst.words}"
    if worst.p is None:
        return Cell(words=words)
    return Cell(value=most.difference, interval=most.interval, unit="points", words=words, mood=mood)


def _prior(priors: Sequence[Prior]) -> Cell:
    """Where nothing is right: the strongest preference."""
    known = [prior for prior in priors if prior.p is not None]
    if not known:
        few = "; ".join(f"{prior.feature}: {prior.words}" for prior in priors[:1])
        return Cell(words=few or "alternatives differ neither in gender nor in position")
    most = max(known, key=lambda prior: (prior.p is not None and prior.p < ALPHA, prior.share - prior.even))
    low, high = most.interval
    return Cell(
        value=most.share - most.even,
        interval=(low - most.even, high - most.even),
        unit="points",
        words=f"{most.feature}: {most.words}",
        mood="bad" if most.p is not None and most.p < ALPHA else "good",
    )


def _trigger(found: Importance | None) -> Cell:
    if found is None:
        return Cell(words="not measured: `diagnose RUN --salience`")
    signed = found.signed
    if signed.d is None or signed.interval is None:
        return Cell(words=found.words)
    sure = signed.paired_p is not None and signed.paired_p < ALPHA
    mood: Grade = "good" if sure and signed.d >= _MEDIUM else "fair" if sure and signed.d >= _SMALL else "bad"
    return Cell(value=signed.d, interval=signed.interval, unit="d", words=found.words, mood=mood)


def _written(kind: Kind, found: Agreement | None) -> Cell:
    if found is None:
        known = kind == "generative"
        return Cell(words="judged by what it writes" if known else "not measured: `eval --how both`")
    same = found.same
    mood: Grade = "good" if same.share >= _STEADY else "fair" if same.share >= _HIGH - 0.1 else "bad"
    kappa = "" if found.kappa is None else f" (kappa {found.kappa:.2f})"
    words = f"writes what it scores best{kappa}" if mood == "good" else f"often writes something else{kappa}"
    return Cell(value=same.share, interval=same.wider, unit="%", words=words, mood=mood)
