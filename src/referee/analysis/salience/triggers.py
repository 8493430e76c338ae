"""The trigger words of an item, and the words they are compared with (Wino-X, section 3.3).

A trigger word is what a span marks as one; else what an item has and its twin has not. It is compared with all words
that both twins have: the pronoun is one of them, punctuation is not. In an item without a twin it is compared with all
other words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from referee.items import GAP, Field, Item
from referee.languages.script import LETTER, WORD_OR_GAP
from referee.languages.text import changed_words, differing_words, find_once

CharSpan = tuple[int, int]

TRIGGER = "trigger"
NEAR = 0.3
"""Twins differ in at most this share of the words of the shorter one, as in "Back to Square One"."""

_WORDS = regex.compile(rf"(?!_){WORD_OR_GAP}(?:['’\-‑](?!_){WORD_OR_GAP})*|[^\s\p{{L}}\p{{N}}]")
_IS_WORD = regex.compile(rf"(?!_){LETTER}")


@dataclass(frozen=True)
class Marks:
    """The trigger words of an item's texts, and all of its source that is not in its twin's."""

    triggers: tuple[tuple[Field, int, int, int], ...] = ()
    unshared: tuple[CharSpan, ...] = ()

    def trigger(self, field: Field, index: int, start: int, end: int) -> bool:
        """Whether any of these characters is of a trigger word."""
        return any(
            (field, index) == (its_field, its_index) and its_start < end and start < its_end
            for its_field, its_index, its_start, its_end in self.triggers
        )

    def shared(self, field: Field, start: int, end: int) -> bool:
        """Whether the twin has these characters too."""
        return field != "source" or not any(its_start < end and start < its_end for its_start, its_end in self.unshared)


def words(text: str) -> list[CharSpan]:
    """Find words and punctuation marks: runs of letters and digits with what they hold together, marks alone.

    Apostrophes and hyphens inside of a word belong to it. Without spaces, characters are words of their own.
    """
    return [match.span() for match in _WORDS.finditer(text)]


def is_word(text: str) -> bool:
    """Whether it is more than punctuation."""
    return _IS_WORD.search(text) is not None


def marks(items: Sequence[Item]) -> list[Marks]:
    """Mark the trigger words of each item; groups of two are twins where they differ in little and in the answer.

    An item without a trigger word has no marks.
    """
    twins = _twins(items)
    return [_marks(item, twins.get(index)) for index, item in enumerate(items)]


def target_word(item: Item) -> CharSpan | None:
    """Find the word of a translation's correct candidate whose probability is asked.

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
        if found_at := find_once(form, text, item.target_lang):
            return found_at
    texts = [candidate.text for candidate in item.candidates]
    return next(iter(changed_words(texts, item.target_lang)[item.gold]), None)


def _marks(item: Item, twin: Item | None) -> Marks:
    unshared = tuple(_differing(item, twin)) if twin is not None else ()
    marked: Iterable[tuple[Field, int, int, int]] = (
        (span.field, span.index, span.start, span.end)
        for span in item.spans
        if span.role == TRIGGER and span.field in ("source", "source_context")
    )
    triggers = tuple(marked) or tuple[tuple[Field, int, int, int], ...](("source", 0, *span) for span in unshared)
    return Marks(triggers, unshared) if triggers else Marks()


def _twins(items: Sequence[Item]) -> dict[int, Item]:
    """For each item that has a twin the twin."""
    groups: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        if item.group is not None and item.gold is not None:
            groups.setdefault(item.group, []).append(index)
    twins: dict[int, Item] = {}
    for members in groups.values():
        if len(members) == 2 and _are_twins(*(items[index] for index in members)):
            twins[members[0]], twins[members[1]] = items[members[1]], items[members[0]]
    return twins


def _are_twins(one: Item, other: Item) -> bool:
    if _kind(one) != _kind(other) or _answer(one) == _answer(other):
        return False
    shorter = min(sum(is_word(item.source[slice(*span)]) for span in words(item.source)) for item in (one, other))
    differing = max(len(_differing(one, other)), len(_differing(other, one)))
    return 0 < differing <= NEAR * shorter


def _kind(item: Item) -> tuple[object, ...]:
    return item.task, item.source_lang, item.target_lang, len(item.candidates)


def _answer(item: Item) -> str:
    """The correct answer: the word that fills the gap, or the one that tells the correct translation from others."""
    text = item.candidates[item.gold or 0].text
    span = target_word(item) if item.task == "translate" else None
    return text[slice(*span)].lower() if span else text


def _differing(item: Item, twin: Item) -> list[CharSpan]:
    # The gap is no word, and as long as the mark that stands for it here.
    return differing_words(item.source.replace(GAP, "#"), twin.source.replace(GAP, "#"), item.source_lang)[0]
