"""A scorecard in words: what a cell means, and what all rows say together."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.artifacts import Artifact
from referee.analysis.bias.bias import Bias
from referee.analysis.bias.priors import Prior
from referee.analysis.robustness import Robustness
from referee.analysis.salience.importance import Importance
from referee.analysis.scorecard import AgainstChance, Cell, Grade, NotMeasured, Reason, ScorecardRow
from referee.reports.wording import vocabulary as words
from referee.reports.wording.diagnosis import (
    agreement_verdict,
    artifact_verdict,
    bias_verdict,
    prior_verdict,
    robustness_verdict,
    salience_verdict,
)

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
    "unknown": ("–", "no verdict"),
}
"""A sign and a word for every grade: colour alone tells nothing to some readers, and nothing on paper."""

_REASONS: dict[Reason, str] = {
    "no_gold": words.NO_CORRECT_ANSWER,
    "no_groups": f"{words.NOT_MEASURED}: items are not grouped",
    "no_baseline": f"{words.NOT_MEASURED}: no artifact baseline for translation",
    "not_perturbed": f"{words.NOT_MEASURED}: run `eval --perturb {{change}}`",
    "no_features": f"{words.NOT_MEASURED}: candidates differ neither in gender nor in position",
    "no_salience": f"{words.NOT_MEASURED}: run `diagnose RUN --salience`",
    "not_generated": f"{words.NOT_MEASURED}: run `eval --how both`",
    "only_generated": f"{words.NOT_MEASURED}: items were not scored",
}
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
        case NotMeasured(reason=reason, change=change):
            return f"{words.capital(_REASONS[reason].format(change=change))}."
        case AgainstChance():
            return _chance(cell.outcome)
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
            return agreement_verdict(cell.outcome, agrees=cell.grade == "good")


def headline(rows: Sequence[ScorecardRow]) -> str:
    """What all rows say together: column by column, on how many of the suites where it is known."""
    sentences = []
    for name, sentence in _HEADLINES.items():
        grades = [row.cells[name].grade for row in rows if _is_known(row.cells[name])]
        if grades:
            count = sum(grade in ("good", "fair") for grade in grades)
            sentences.append(words.capital(sentence.format(count=count, known=len(grades))) + ".")
    return " ".join(sentences)


def _is_known(cell: Cell) -> bool:
    no_level = isinstance(cell.outcome, AgainstChance) and cell.outcome.above is None
    return cell.grade != "unknown" and not no_level


def _chance(outcome: AgainstChance) -> str:
    if outcome.above is None or outcome.chance is None:
        return f"{words.capital(words.NO_CHANCE_LEVEL)}."
    verdict = words.ABOVE_CHANCE if outcome.above else words.NOT_ABOVE_CHANCE
    return f"{words.capital(words.against(verdict, outcome.chance))}."
