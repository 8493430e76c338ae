"""The steps of translating a pronoun in words: which of them fails first."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.chance_level import ChanceLevel
from referee.analysis.steps import STEPS, StepOutcome, StepPart
from referee.build.templates.template import Step
from referee.reports.format import percentage
from referee.reports.wording import vocabulary as words
from referee.stats.levels import Against

STEP_NAMES: dict[Step, str] = {
    "priors": "priors",
    "markable": "markable detection",
    "coreference": "coreference",
    "language": "language translation",
}
STEPS_TITLE = "Steps of pronoun translation"
STEPS_ABOUT = (
    "A pronoun is translated in three steps (ContraCAT, Table 1). Markable detection finds what it can refer to, "
    "coreference finds its antecedent, language translation selects the gender of the antecedent in the target "
    "language. A step fails if one of its phenomena is not above chance."
)
_ALONE = ("markable", "gender")
"""Phenomena that are the only one of their step."""


def phenomenon_name(part: StepPart) -> str:
    """What a part of a step is called."""
    return part.phenomenon.replace("-", " ")


def step_sentence(outcome: StepOutcome) -> str:
    """Which step fails first, with its number; where none does, whether that is known."""
    if outcome.outcome == "passes":
        named = _listed([STEP_NAMES[step] for step in STEPS if step not in outcome.missing])
        claim = "No step fails" if not outcome.missing else "No tested step fails"
        return f"{claim}: {named} are {words.ABOVE_CHANCE}.{_missing(outcome)}"
    if outcome.outcome == "inconclusive" or outcome.part is None:
        return f"No step is shown to fail. {words.capital(words.INCONCLUSIVE)}: {_open(outcome)}.{_missing(outcome)}"
    part = outcome.part
    before = f" {words.capital(words.INCONCLUSIVE)} before it: {_open(outcome)}." if outcome.open else ""
    return f"First step that fails: {STEP_NAMES[part.step]} ({_figure(part)}).{before}{_missing(outcome)}"


def step_sentences(outcomes: Sequence[StepOutcome]) -> str:
    """One sentence per target language."""
    if len(outcomes) == 1:
        return step_sentence(outcomes[0])
    return " ".join(f"{outcome.language}: {step_sentence(outcome)}" for outcome in outcomes)


def part_verdict(part: StepPart) -> str:
    """Where a part lies against its chance level."""
    result = part.findings
    if result.chance is None or result.against is None:
        return f"{words.capital(words.NO_CHANCE_LEVEL)}."
    return f"{words.capital(words.against_chance(result.chance, result.against))}."


def _open(outcome: StepOutcome) -> str:
    """The inconclusive steps, each with the first phenomenon that is not above chance."""
    firsts = {
        part.step: part
        for part in reversed(outcome.parts)
        if part.decides and part.step in outcome.open and not part.passes
    }
    return ", ".join(f"{STEP_NAMES[step]} ({_figure(firsts[step])})" for step in outcome.open)


def _figure(part: StepPart) -> str:
    """A phenomenon with its accuracy and where that lies against chance."""
    result = part.findings
    name = "" if part.phenomenon in _ALONE else f"{phenomenon_name(part)} "
    if result.overall is None or result.against is None or result.chance is None:
        return name.strip()
    return f"{name}{percentage(result.overall.accuracy)}, {_standing(part, result.chance, result.against)}"


def _standing(part: StepPart, chance: ChanceLevel, against: Against) -> str:
    if against.standing == "inconclusive":
        return words.needs(against.more_groups)
    if part.ceiling:
        return f"worse than '{words.always(chance)}'"
    standing = words.STANDINGS[against.standing]
    return standing if part.fails else f"{standing} before correction"


def _missing(outcome: StepOutcome) -> str:
    names = [STEP_NAMES[step] for step in outcome.missing]
    return f" Not tested: {_listed(names)}." if names else ""


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
