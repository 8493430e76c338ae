"""A scorecard in words: what a cell means, and what all rows say together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias
from referee.analysis.bias.priors import Prior
from referee.analysis.robustness import Robustness
from referee.analysis.salience.importance import Importance
from referee.analysis.scorecard import (
    AgainstChance,
    Cell,
    Grade,
    GroupsAgainstChance,
    NotMeasured,
    Reason,
    ScorecardRow,
)
from referee.analysis.steps import StepOutcome
from referee.reports.format import percentage
from referee.reports.wording import vocabulary as words
from referee.reports.wording.diagnosis import (
    agreement_verdict,
    artifact_verdict,
    bias_verdict,
    prior_verdict,
    robustness_verdict,
    salience_verdict,
)
from referee.reports.wording.steps import step_sentences

HEADS = {
    "accuracy": ("Accuracy", "How often is it correct?"),
    "groups": ("Group score", "Are all members of a group correct?"),
    "artifacts": ("Artifacts", f"Is it {words.ABOVE_CHANCE} without the evidence?"),
    "attacks": ("Robustness", "Does accuracy hold under perturbation?"),
    "bias": ("Bias", f"Is it {words.BIASED_TOWARDS} one answer?"),
    "trigger": ("Salience", "Is the trigger word salient?"),
    "written": ("Generation", "Does it generate what it scores best?"),
}
"""What a column is called, and what it asks."""

GRADES: dict[Grade, tuple[str, str]] = {
    "good": ("✓", "good"),
    "fair": ("~", "fair"),
    "bad": ("✗", "poor"),
    "open": ("?", "inconclusive"),
    "unknown": ("–", "no verdict"),
}
"""A sign and a word for every grade: colour alone tells nothing to some readers, and nothing on paper."""

_NO_DECISION: dict[Reason, str] = {
    "no_gold": words.NO_CORRECT_ANSWER,
    "all_tied": "no decision: every item is a tie",
}
_REASONS: dict[Reason, str] = {
    "no_gold": "no correct answer",
    "all_tied": "every item is a tie",
    "all_dropped": "every item was dropped",
    "not_applicable": "no translation renders the pronoun",
    "pooled": "see the rows of the suites",
    "no_groups": "items are not grouped",
    "no_baseline": "no artifact baseline for translation",
    "not_perturbed": "run `eval --perturb {change}`",
    "no_features": "candidates differ neither in gender nor in position",
    "no_salience": "run `diagnose RUN --salience`",
    "not_generated": "run `eval --how both`",
    "only_generated": "items were not scored",
}
"""Why something was not measured, and how to measure it where that is possible."""
_HEADLINES = {
    "accuracy": "above chance on {count} of {known} suites",
    "groups": "group score above chance on {count} of {known}",
    "artifacts": "not above chance without the evidence on {count} of {known}",
    "attacks": "robust to perturbation on {count} of {known}",
    "bias": "no more than a small bias on {count} of {known}",
    "trigger": "trigger words more salient on {count} of {known}",
    "written": "generation agrees with scoring on {count} of {known}",
}


def cell_verdict(cell: Cell) -> str:
    """What a cell means, or why it is empty."""
    match cell.outcome:
        case NotMeasured(reason=reason):
            return f"{words.capital(_NO_DECISION.get(reason) or f'{words.NOT_MEASURED}: {_reason(cell.outcome)}')}."
        case AgainstChance():
            return _chance(cell.outcome)
        case GroupsAgainstChance():
            return _group_chance(cell.outcome)
        case Bias(feature=feature):
            return f"{words.capital(feature)}. {bias_verdict(cell.outcome)}"
        case Prior(feature=feature):
            return f"{words.capital(feature)}. {prior_verdict(cell.outcome)}"
        case Artifact():
            return artifact_verdict(cell.outcome)
        case Robustness():
            return robustness_verdict(cell.outcome)
        case Importance():
            return salience_verdict(cell.outcome)
        case _:
            return agreement_verdict(cell.outcome)


def not_measured(rows: Sequence[ScorecardRow]) -> str:
    """What was not measured, on how many of the suites, and how to measure it; empty where nothing is missing."""
    clauses = []
    rows = [row for row in rows if not row.pooled]
    for name, (head, _) in HEADS.items():
        outcomes = [cell.outcome for row in rows if (cell := row.cells.get(name)) is not None]
        missing = Counter(_reason(outcome) for outcome in outcomes if isinstance(outcome, NotMeasured))
        for reason, count in missing.items():
            where = "" if count == len(rows) else f" on {count} of {len(rows)} suites"
            clauses.append(f"{head.lower()}{where} ({reason})")
    return f"{words.capital(words.NOT_MEASURED)}: {'; '.join(clauses)}." if clauses else ""


def _reason(outcome: NotMeasured) -> str:
    return _REASONS[outcome.reason].format(change=outcome.change)


def headline(rows: Sequence[ScorecardRow], steps: Sequence[StepOutcome] = ()) -> str:
    """What all rows say together: the first step that fails, then, column by column, on how many suites it holds."""
    sentences = [step_sentences(steps)] if steps else []
    for name, sentence in _HEADLINES.items():
        if (count := count_grades(rows, name)) is not None:
            rest = f" ({count.undecided} {words.INCONCLUSIVE})" if count.undecided else ""
            sentences.append(f"{words.capital(sentence.format(count=count.passed, known=count.known))}{rest}.")
    return " ".join(sentences)


class GradeCount(NamedTuple):
    """On how many of the `known` suites a column is good or fair, and on how many the data do not decide."""

    passed: int
    undecided: int
    known: int


def count_grades(rows: Sequence[ScorecardRow], column: str) -> GradeCount | None:
    """Count the grades of a column, without pooled rows; None where nothing is known of it."""
    cells = (row.cells.get(column) for row in rows if not row.pooled)
    grades = [cell.grade for cell in cells if cell is not None and cell.grade != "unknown"]
    if not grades:
        return None
    return GradeCount(sum(grade in ("good", "fair") for grade in grades), grades.count("open"), len(grades))


def _chance(outcome: AgainstChance) -> str:
    if outcome.against is None or outcome.chance is None:
        return f"{words.capital(words.NO_CHANCE_LEVEL)}."
    return f"{words.capital(words.against_chance(outcome.chance, outcome.against))}."


def _group_chance(outcome: GroupsAgainstChance) -> str:
    if outcome.against is None or outcome.chance is None:
        verdict = words.capital(words.NO_CHANCE_LEVEL)
    else:
        verdict = words.capital(words.against_chance(outcome.chance, outcome.against))
    if outcome.independent_chance is not None:
        verdict += f"; guessing each item by itself {percentage(outcome.independent_chance)}"
    return f"{verdict}; {outcome.singles:,} items without a group not counted." if outcome.singles else f"{verdict}."
