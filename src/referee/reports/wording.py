"""What sentences about findings are made of."""

from __future__ import annotations

_NAMES = {
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
    """A word for a value that is known, else the value itself."""
    return _NAMES.get((feature, value), value)


def in_percent(share: float) -> str:
    """A share with its unit."""
    return f"{100 * share:.1f} %"
