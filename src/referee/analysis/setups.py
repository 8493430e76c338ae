"""Which sets are forms of one dataset: as it is, without what one must know, with the special word masked."""

from __future__ import annotations

ORIGINAL, ZERO_SHOT = "original", "zero-shot"

HIDDEN = {
    "no-cands": "the candidates in the sentence",
    "part-sent": "the rest of the sentence",
    "no-premise": "the premise",
    "no-question": "the question",
}
"""Artifact baselines, and what each takes away: who is right all the same was right for another reason."""

SETUPS = {**{name: name for name in HIDDEN}, "mask-special-word": ZERO_SHOT, "zero-shot": ZERO_SHOT}
"""Perturbations, and parts of the names of published sets, that make a form, and what that is called."""

_PUBLISHED = "square-one"


def place(suite: str) -> tuple[str, str]:
    """Dataset and setup: of `wsc+no-cands` by the perturbation, of `square-one/no-cands/wsc` by the folder."""
    base, _, change = suite.rpartition("+")
    if base and (setup := setup_of(change)):
        return place(base)[0], setup
    family, _, rest = suite.partition("/")
    part, _, name = rest.partition("/")
    if family == _PUBLISHED and name and (part == "pairs" or part in SETUPS):
        return f"{family} {name}", setup_of(part) or ORIGINAL
    return suite, ORIGINAL


def setup_of(change: str) -> str:
    """What a perturbation is called here, with what tells variants of one apart (`part-sent/words`); else nothing."""
    kind, slash, variant = change.partition("/")
    return SETUPS[kind] + slash + variant if kind in SETUPS else ""


def hides(change: str) -> str:
    """What an artifact baseline takes away; nothing where `change` is none."""
    return HIDDEN.get(change.partition("/")[0], "")
