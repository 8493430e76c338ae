"""German nouns that a lexicon does not have: endings that tell the gender, and compounds of nouns that it has."""

from __future__ import annotations

from collections.abc import Callable

from referee.languages.analyses import Analysis

_FEMININE = ("ung", "heit", "keit", "schaft", "tion", "tät")
_CASES = ("Nom", "Gen", "Dat", "Acc")
_LINKS = ("", "s", "n", "en", "es", "er", "e")
_SHORTEST_HEAD = 4
_CERTAIN_HEAD = 6
"""Characters of the last part from which on the first need not be a noun: it may be a verb (*Schreib-maschine*)."""
_SHORTEST_START = 3


def compound_analyses(lookup: Callable[[str], tuple[Analysis, ...]], form: str) -> tuple[Analysis, ...]:
    """What a noun may be by its last part (*Haustür*: *Tür*); empty if no part of it is known."""
    if not form[:1].isupper() or not form[1:].islower():
        return ()
    for suffix in _FEMININE:
        if form.endswith(suffix) and len(form) > len(suffix) + _SHORTEST_START:
            return tuple(Analysis("NOUN", "Fem", "Sing", case, "", form) for case in _CASES)
        if form.endswith(suffix + "en") and len(form) > len(suffix) + _SHORTEST_START + 2:
            return tuple(Analysis("NOUN", "Fem", "Plur", case, "", form[:-2]) for case in _CASES)
    for start in range(_SHORTEST_START, len(form) - _SHORTEST_HEAD + 1):
        head = [analysis for analysis in lookup(form[start:].capitalize()) if analysis.upos == "NOUN"]
        if head and (len(form) - start >= _CERTAIN_HEAD or _is_noun(lookup, form[:start])):
            return tuple(analysis._replace(lemma=form[:start] + analysis.lemma.lower()) for analysis in head)
    return ()


def _is_noun(lookup: Callable[[str], tuple[Analysis, ...]], start: str) -> bool:
    """Whether the first part is a noun, without what links it to the next (*Arbeit-s-tag*)."""
    return any(
        start.endswith(link) and len(start) - len(link) > 1 and lookup(start[: len(start) - len(link)])
        for link in _LINKS
    )
