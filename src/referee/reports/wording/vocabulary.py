"""The words of all verdicts: one wording per outcome, in the terminal, on the page and in JSON."""

from __future__ import annotations

from referee.reports.format import percentage
from referee.verdicts import Kind, Rule

ABOVE_CHANCE = "above chance"
NOT_ABOVE_CHANCE = "not significantly above chance"
AT_CHANCE = "at chance"
BELOW_CHANCE = "below chance"
NOT_SIGNIFICANT = "not significant"
INCONCLUSIVE = "inconclusive"
NOT_MEASURED = "not measured"
CANNOT_BE_ASSESSED = "cannot be assessed"
NO_CHANCE_LEVEL = "no chance level for this set"
NO_CORRECT_ANSWER = "no correct answer (prior probe)"
BIASED_TOWARDS = "biased towards"

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
}

OUTCOMES = {
    "correct": "correct",
    "incorrect": "incorrect",
    "tied": "tie",
    "open": "no correct answer",
    "dropped": "dropped",
}
"""What a verdict says of one item; `open` where the item has no correct answer."""


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


def against(words: str, chance: float) -> str:
    """A verdict with the chance level it is against."""
    return f"{words} ({percentage(chance)})"
