"""The words of all verdicts: one wording per outcome, in the terminal, on the page and in JSON."""

from __future__ import annotations

from referee.analysis.chance_level import ChanceLevel
from referee.reports.format import percentage
from referee.stats.levels import Against, Standing
from referee.verdicts import Kind, Rule

ABOVE_CHANCE = "above chance"
AT_CHANCE = "at chance"
BELOW_CHANCE = "below chance"
NOT_SIGNIFICANT = "not significant"
INCONCLUSIVE = "inconclusive"
NOT_MEASURED = "not measured"
CANNOT_BE_ASSESSED = "cannot be assessed"
NO_CHANCE_LEVEL = "no chance level for this set"
NO_CORRECT_ANSWER = "no correct answer (prior probe)"
BIASED_TOWARDS = "biased towards"

STANDINGS: dict[Standing, str] = {
    "above": ABOVE_CHANCE,
    "below": BELOW_CHANCE,
    "at": AT_CHANCE,
    "not_above": f"not {ABOVE_CHANCE}",
    "inconclusive": INCONCLUSIVE,
}
"""Where a figure lies against its chance level."""

KINDS: dict[Kind, str] = {"contrastive": "scores", "generative": "generation"}
"""How items were evaluated: the candidates were scored, or a text was generated and matched."""

_VALUES = {
    ("gender", "f"): "feminine",
    ("gender", "m"): "masculine",
    ("gender", "n"): "neuter",
    ("position", "first"): "the first noun",
    ("position", "second"): "the second noun",
    ("referent", "subject"): "the subject",
    ("referent", "object"): "the object",
    ("address", "formal sing"): "formal singular",
    ("address", "formal plur"): "formal plural",
    ("address", "informal sing"): "informal singular",
    ("address", "informal plur"): "informal plural",
    ("case", "nom"): "nominative",
    ("case", "gen"): "genitive",
    ("case", "dat"): "dative",
    ("case", "acc"): "accusative",
    ("case", "ins"): "instrumental",
    ("case", "loc"): "locative",
}

OUTCOMES = {
    "correct": "correct",
    "incorrect": "incorrect",
    "tied": "tie",
    "other": "correct by other means",
    "open": "no correct answer",
    "none": "not applicable",
    "dropped": "dropped",
}
"""What a verdict says of one item; `open` where the item has no correct answer.

`other` and `none` are for pronouns without an antecedent: rendered without a pronoun, and not rendered.
"""

NO_ANTECEDENT = (
    "The pronoun has no antecedent: other means (a demonstrative, a relative, a phrase without a pronoun) are correct. "
    "An item is not applicable, and does not count, where nothing corresponds to the pronoun."
)
"""What the counts of pronouns without an antecedent mean."""


def name_of(feature: str, value: str) -> str:
    """Name a value of a feature; an unknown value is its own name."""
    return _VALUES.get((feature, value), value)


def suite_name(suite: str, kind: Kind | None, rule: Rule | None = None) -> str:
    """Name a suite and how it was evaluated; without `kind` only by its rule."""
    ways = [*([KINDS[kind]] if kind else []), *([f"rule {rule}"] if rule else [])]
    return f"{suite} ({', '.join(ways)})" if ways else suite


def capital(text: str) -> str:
    """Start a sentence."""
    return text[:1].upper() + text[1:]


def inconclusive(more_groups: int | None) -> str:
    """What the data do not decide, and about how many more groups would."""
    return f"{INCONCLUSIVE} ({needs(more_groups)})"


def inconclusive_against_chance(more_groups: int | None, level: str = "") -> str:
    """The same of a figure and its chance level."""
    return f"{INCONCLUSIVE} against chance ({f'{level}; ' if level else ''}{needs(more_groups)})"


def chance_words(chance: ChanceLevel | float) -> str:
    """A chance level with its reason."""
    if isinstance(chance, float):
        return percentage(chance)
    reason = {"guess": "", "referents": ", any antecedent", "heuristic": f", {always(chance)}"}[chance.reason]
    return f"{percentage(chance.level)}{reason}"


def always(chance: ChanceLevel) -> str:
    """Name the constant heuristic behind a chance level."""
    return f"always {name_of(chance.feature, chance.value)}"


def against_chance(chance: ChanceLevel | float, result: Against) -> str:
    """Where a figure lies against its chance level."""
    if (chance.level if isinstance(chance, ChanceLevel) else chance) == 1 and result.standing != "inconclusive":
        compared = "worse than" if result.standing == "below" else "no better than"
        heuristic = f"'{always(chance)}', which" if isinstance(chance, ChanceLevel) else "a heuristic that"
        return f"{compared} {heuristic} is always correct here"
    level = chance_words(chance)
    if result.standing == "inconclusive":
        return inconclusive_against_chance(result.more_groups, level)
    return f"{STANDINGS[result.standing]} ({level})"


def needs(more_groups: int | None) -> str:
    """About how many more groups would decide."""
    if more_groups is None:
        return "more groups at these rates would not decide"
    return f"needs about {more_groups:,} more {'group' if more_groups == 1 else 'groups'}"
