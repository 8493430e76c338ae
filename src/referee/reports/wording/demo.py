"""The demo in words: what its rows are called, what they are compared with, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.analysis.accuracy import GroupScore
from referee.analysis.bias.priors import Prior
from referee.analysis.chance_level import ChanceLevel
from referee.analysis.robustness import AttackEffect
from referee.analysis.scorecard import Generation
from referee.reports.format import percent, percentage, percentage_points
from referee.reports.wording import vocabulary as words
from referee.stats.levels import MARGIN, Against
from referee.stats.paired import PairedDifference

Level = Literal[
    "nearly_always",
    "mostly",
    "above_chance",
    "often_incorrect",
    "at_chance",
    "not_above_chance",
    "below_chance",
    "inconclusive",
]
"""An accuracy against its chance level, by its interval; the first four are above it."""
Baseline = Literal["unperturbed", "scores", "context", "even_split"]
Effect = Literal["loses", "gains", "robust", "inconclusive"]
ContextUse = Literal["falls_to_chance", "falls", "unused"]

TITLE = "Pronoun resolution of the pocket translator (German, and French where named)"
HEADS = ("phenomenon", "items", "accuracy %", "95% CI", "baseline %", "interpretation")
NO_ACCURACY = "–"
GROUP_SCORE = "  group score (all forms and orders)"

PHENOMENA = {
    "de/gender": "Noun gender",
    "de/overlap": "Antecedent choice, lexical overlap",
    "de/world-knowledge": "Antecedent choice, world knowledge",
    "de/markable": "Markable detection: 'it' cannot be a person",
    "de/event": "Event reference ('It was a surprise')",
    "de/pleonastic": "Pleonastic 'it' ('It was raining')",
    "de/role-prior": "Prior: subject or object",
    "de/position-prior": "Prior: first or second noun",
    "de/verb-prior": "Prior: gender",
    "fr/gender": "French: noun gender",
    "fr/overlap": "French: antecedent choice, lexical overlap",
    "fr/world-knowledge": "French: antecedent choice, world knowledge",
}
_PERTURBED = {
    "phrase/he-said": ("quoted context", "the context is quoted"),
    "possessive/woman": ("possessive with article (der Esel der Frau)", "the noun gets an owner"),
    "possessive/maria": ("possessive without article (Marias Esel)", "the article disappears"),
}
_BASELINES: dict[Baseline, str] = {
    "unperturbed": "unperturbed",
    "scores": "scores",
    "context": "with context",
    "even_split": "even split",
}
_LEVELS: dict[Level, str] = {
    "nearly_always": f"{words.ABOVE_CHANCE}, nearly always correct",
    "mostly": f"{words.ABOVE_CHANCE}, mostly correct",
    "above_chance": words.ABOVE_CHANCE,
    "often_incorrect": f"{words.ABOVE_CHANCE}, often incorrect",
    "at_chance": words.AT_CHANCE,
    "not_above_chance": words.STANDINGS["not_above"],
    "below_chance": words.BELOW_CHANCE,
    "inconclusive": words.INCONCLUSIVE,
}
_CONTEXT: dict[ContextUse, str] = {
    "falls_to_chance": "falls to chance: context is used",
    "falls": "falls: context is used",
    "unused": f"a loss of {percentage_points(MARGIN)} or more is ruled out: context is not used",
}
_KNOWS: dict[Level, str] = {
    "nearly_always": "gets noun gender right",
    "mostly": "mostly gets noun gender right",
    "above_chance": "gets noun gender right more often than chance",
}
_UNKNOWN: dict[Level, str] = {
    "often_incorrect": "often gets noun gender wrong",
    "inconclusive": "has not been shown to know noun gender",
}
_RESOLVES: dict[Level, str] = {
    "nearly_always": "picks the correct one",
    "mostly": "mostly picks the correct one",
    "above_chance": "does better than {chance}",
    "often_incorrect": "does slightly better than {chance}",
    "at_chance": "does no better than {chance}",
    "not_above_chance": "does no better than {chance}",
    "below_chance": "does worse than {chance}",
    "inconclusive": "cannot be told apart from {chance}",
}


@dataclass(frozen=True)
class Heuristic:
    """What answers follow: the value of a feature with the highest accuracy, and the one with the lowest."""

    feature: Literal["gender", "clause"]
    best: tuple[str, float]
    worst: tuple[str, float]


def clause_name(clause: str) -> str:
    """The row of one clause, below the row of all items."""
    return f"  antecedent in the {clause} clause"


def perturbed_name(perturbation: str) -> str:
    """The row of a perturbation."""
    return f"{PHENOMENA['de/gender']}, {_PERTURBED.get(perturbation, (perturbation, ''))[0]}"


def generated_name(suite: str) -> str:
    """The row of what was generated instead of scored."""
    return f"{PHENOMENA[suite]}, generation"


def bare_name(suite: str) -> str:
    """The row of the same items without their context."""
    return f"{PHENOMENA[suite].partition(',')[0]}, no context"


def baseline(kind: Baseline, accuracy: float | None = None) -> str:
    """What an accuracy is compared with."""
    return _BASELINES[kind] if accuracy is None else f"{percent(accuracy)} {_BASELINES[kind]}"


def chance_baseline(chance: ChanceLevel | None) -> str:
    """The chance level of a set, and its reason."""
    if chance is None:
        return ""
    reasons = {"guess": "any pronoun", "referents": "either noun"}
    return f"{percent(chance.level)} {reasons.get(chance.reason) or words.always(chance)}"


def group_baseline(group: GroupScore) -> str:
    """The chance level of a group score: one answer for the whole group."""
    return "" if group.chance is None else f"{percent(group.chance)} one guess per group"


def level_words(level: Level, chance: ChanceLevel | None, result: Against | None) -> str:
    """How an accuracy compares with its chance level."""
    if result is not None and result.standing == "inconclusive":
        return words.inconclusive_against_chance(result.more_groups)
    if result is not None and chance is not None and chance.level == 1:
        return words.against_chance(chance, result)
    return _LEVELS[level]


def prior_words(prior: Prior | None, shares: Mapping[str, float], also: Mapping[str, float] | None = None) -> str:
    """What is chosen where there is no correct answer, most often first; `also` is said of another feature."""
    verdict = words.NOT_MEASURED
    if prior is not None and prior.outcome == "biased":
        verdict = f"{words.BIASED_TOWARDS} {_value(prior.value)}"
    elif prior is not None:
        verdict = "no prior" if prior.outcome == "none" else words.inconclusive(prior.more_groups)
    return f"{verdict}: {_shares(shares)}" + (f"; {_shares(also)}" if also else "")


def perturbation_words(kind: Effect, effect: AttackEffect, more_groups: int | None = None) -> str:
    """What a perturbation does to the accuracy, and to how many items; about `more_groups` more would decide."""
    if kind == "robust":
        return f"robust: a loss of {percentage_points(MARGIN)} or more is ruled out"
    if kind == "inconclusive":
        possible = f"a loss of up to {percentage_points(effect.interval[0])} is possible"
        return f"{words.inconclusive(more_groups)}: {possible}"
    change, items = ("incorrect", effect.broken) if kind == "loses" else ("correct", effect.gained)
    become = "item becomes" if items == 1 else "items become"
    return f"{kind} {percentage_points(effect.difference)} ({items} {become} {change})"


def generation_words(generation: Generation) -> str:
    """Whether the pronoun that is generated is the one that is scored best."""
    same = f"same pronoun {percentage(generation.agreement.same.share)}"
    if generation.agrees == "inconclusive":
        return f"{words.inconclusive(generation.more_groups)}: {same}"
    return f"{'agrees with' if generation.agrees == 'agrees' else 'often differs from'} scoring ({same})"


def context_words(use: ContextUse, always: str = "") -> str:
    """Whether the accuracy falls without the context; `always` is the one gender that is then chosen."""
    return _CONTEXT[use] + _then(always)


def open_context_words(difference: PairedDifference, more_groups: int | None, always: str = "") -> str:
    """Neither a loss without the context was shown nor the absence of one."""
    possible = f"a loss of up to {percentage_points(difference.interval[0])} is possible"
    return f"{words.inconclusive(more_groups)}: {possible}{_then(always)}"


def gender_sentence(level: Level, accuracy: float, worst: tuple[str, float] | None) -> str:
    """Whether noun gender is known, and what breaks it: the worst perturbation and the accuracy under it."""
    knows = _KNOWS.get(level)
    claim = (
        f"The pocket translator {knows or _UNKNOWN.get(level, 'does not know noun gender')} ({percentage(accuracy)})"
    )
    if worst is None:
        return f"{claim}. No loss under perturbation was shown."
    if knows is None:
        return f"{claim}."
    name, after = worst
    until = _PERTURBED[name][1] if name in _PERTURBED else f"{name} is applied"
    return f"{claim} until {until} ({percentage(after)})."


def resolution_sentence(
    level: Level, chance: ChanceLevel | None, accuracy: float, group_score: float | None, heuristic: Heuristic | None
) -> str:
    """Whether the antecedent is found, and which heuristic answers follow if not."""
    level_of = f"'{words.always(chance)}'" if chance and chance.reason == "heuristic" else "picking either at random"
    score = "" if group_score is None else f"; group score {percentage(group_score)}"
    claim = (
        f"With two candidate antecedents it {_RESOLVES[level].format(chance=level_of)} ({percentage(accuracy)}{score})"
    )
    if heuristic is None:
        return f"{claim}."
    (best, high), (worst, low) = heuristic.best, heuristic.worst
    if heuristic.feature == "gender":
        where = f"for {_value(best)} antecedents, {percentage(low)} for {_value(worst)}"
    else:
        where = f"for antecedents in the {best} clause, {percentage(low)} in the {worst}"
    return f"{claim}, and its answers follow {heuristic.feature}: {percentage(high)} correct {where}."


def _then(always: str) -> str:
    return f"; always {_value(always)}" if always else ""


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{_value(value)} {percentage(share)}" for value, share in shares.items())


def _value(value: str) -> str:
    return words.name_of("gender", value)
