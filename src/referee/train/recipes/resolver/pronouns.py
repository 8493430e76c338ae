"""The pronouns that are measured."""

from __future__ import annotations

PLURAL = frozenset(("they", "them", "their", "themselves", "themself", "'em", "em"))
ANTECEDENTS = {
    "it, they, them": frozenset(("it", "they", "them")),
    "all of the third person": PLURAL
    | frozenset(("it", "its", "itself", "he", "him", "his", "himself", "she", "her", "herself")),
}
"""Groups of pronouns by name; the first is that of earlier figures."""
