"""Which words of an item decide what is meant, and with which they are compared (Wino-X, section 3.3).

A trigger is what a span says is one; else what an item has and its twin has not. It is compared with all words that
both twins have: the pronoun is one of them, punctuation is none. An item without a twin is compared with itself: all
words that are no trigger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from referee.items import GAP, Field, Item
from referee.languages.text import changed_words, differing_words, find_once

Place = tuple[int, int]

TRIGGER = "trigger"
NEAR = 0.3
"""Twins differ in at most this share of the words of the shorter one, as in "Back to Square One"."""

_LETTER = r"[\p{L}\p{M}\p{N}]"
_RUN = rf"[{_LETTER}--\p{{Han}}]+"
_WORDS = regex.compile(rf"(?V1)\p{{Han}}|{_RUN}(?:['’\-‑]{_RUN})*|[^\s\p{{L}}\p{{N}}]")
_IS_WORD = regex.compile(_LETTER)


@dataclass(frozen=True)
class Marks:
    """What decides in an item's texts, and what else in its source is not in its twin's."""

    triggers: tuple[tuple[Field, int, int, int], ...] = ()
    own: tuple[Place, ...] = ()

    def trigger(self, field: Field, index: int, start: int, end: int) -> bool:
        """Whether any of these characters is of a trigger."""
        return any(
            (field, index) == (its_field, its_index) and its_start < end and start < its_end
            for its_field, its_index, its_start, its_end in self.triggers
        )

    def shared(self, field: Field, start: int, end: int) -> bool:
        """Whether the twin has these characters too."""
        return field != "source" or not any(its_start < end and start < its_end for its_start, its_end in self.own)


def words(text: str) -> list[Place]:
    """Where words and punctuation marks stand: runs of letters and digits with what they hold together, marks alone.

    Apostrophes and hyphens inside of a word belong to it. Han characters are words of their own.
    """
    return [match.span() for match in _WORDS.finditer(text)]


def is_word(text: str) -> bool:
    """Whether it is more than punctuation."""
    return _IS_WORD.search(text) is not None


def marks(items: Sequence[Item]) -> list[Marks]:
    """For each item of a set what decides in it; groups of two are twins where they differ in little and in the answer.

    An item without a trigger has no marks.
    """
    twins = _twins(items)
    return [_marks(item, twins.get(place)) for place, item in enumerate(items)]


def target_word(item: Item) -> Place | None:
    """Where the word stands, in the right candidate of a translation, whose probability is asked.

    The pronoun by its span, else by the feature `pronoun` if it is there once, else the first word in which the
    candidates differ.
    """
    if item.gold is None:
        return None
    text, features = item.candidates[item.gold].text, item.candidates[item.gold].features
    for span in item.spans:
        if (span.role, span.field, span.index) == ("pronoun", "candidate", item.gold):
            return span.start, span.end
    pronoun = features.get("pronoun", "")
    for form in (pronoun, pronoun.lower(), pronoun.capitalize()):
        if place := find_once(form, text):
            return place
    return next(iter(changed_words([candidate.text for candidate in item.candidates])[item.gold]), None)


def _marks(item: Item, twin: Item | None) -> Marks:
    own = tuple(_differing(item, twin)) if twin is not None else ()
    marked: Iterable[tuple[Field, int, int, int]] = (
        (span.field, span.index, span.start, span.end)
        for span in item.spans
        if span.role == TRIGGER and span.field in ("source", "source_context")
    )
    triggers = tuple(marked) or tuple[tuple[Field, int, int, int], ...](("source", 0, *place) for place in own)
    return Marks(triggers, own) if triggers else Marks()


def _twins(items: Sequence[Item]) -> dict[int, Item]:
    """For each item that has a twin the twin."""
    groups: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        if item.group is not None and item.gold is not None:
            groups.setdefault(item.group, []).append(place)
    found: dict[int, Item] = {}
    for members in groups.values():
        if len(members) == 2 and _are_twins(*(items[place] for place in members)):
            found[members[0]], found[members[1]] = items[members[1]], items[members[0]]
    return found


def _are_twins(one: Item, other: Item) -> bool:
    if _kind(one) != _kind(other) or _answer(one) == _answer(other):
        return False
    shorter = min(sum(is_word(item.source[slice(*place)]) for place in words(item.source)) for item in (one, other))
    differing = max(len(_differing(one, other)), len(_differing(other, one)))
    return 0 < differing <= NEAR * shorter


def _kind(item: Item) -> tuple[object, ...]:
    return item.task, item.source_lang, item.target_lang, len(item.candidates)


def _answer(item: Item) -> str:
    """The right answer: the word that fills the gap, or the one that tells the right translation from the others."""
    text = item.candidates[item.gold or 0].text
    place = target_word(item) if item.task == "translate" else None
    return text[slice(*place)].lower() if place else text


def _differing(item: Item, twin: Item) -> list[Place]:
    # The gap is no word, and as long as the mark that stands for it here.
    return differing_words(item.source.replace(GAP, "#"), twin.source.replace(GAP, "#"))[0]
