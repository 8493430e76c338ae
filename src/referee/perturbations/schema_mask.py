"""The zero-shot form of twins: the gap is filled with the correct answer, and the special word becomes the gap.

    The trophy doesn't fit into the suitcase because _ is too large.    (the trophy, the suitcase)
    The trophy doesn't fit into the suitcase because the trophy is too _.    (large, small)

The special word is the one in which the twins differ; words are compared without the punctuation around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.items import GAP, Candidate, Item
from referee.languages import base, language
from referee.perturbations.base import Dropped, changed_twin
from referee.perturbations.edits import Edit, rewritten
from referee.perturbations.schema_words import starts_sentence, with_case, without_article

MASK_SPECIAL_WORD = "mask-special-word"

_TOKEN = re.compile(r"\S+")
_MARKS = re.compile(r"\A(?P<left>[^\w]*)(?P<word>.*?)(?P<right>[^\w]*)\Z", re.DOTALL)
_OWNED = re.compile(
    r"\s+(?!(?:an?|the|to|at|in|on|for|with|from|out|off|up|down|away|into|over|and|or|but|because|when|if|so|as|that)\b)\w",
    re.IGNORECASE,
)
"""What may follow "her" as a possessive."""
_POSSESSIVES = frozenset({"his", "its", "their"})

Bounds = tuple[int, int]
"""Start and end of a word."""


def masked(members: Sequence[Item]) -> list[Item | Dropped]:
    """The twins in zero-shot form; candidates are the two words, first that of the twin with the first answer."""
    if (problem := refused(members)) is not None:
        return [problem] * len(members)
    one, other = members
    if [candidate.text for candidate in one.candidates] != [candidate.text for candidate in other.candidates]:
        return [Dropped("the twins have different candidates")] * 2
    bounds = special_words(one.source, other.source)
    if bounds is None:
        return [Dropped("the twins do not differ in exactly one word")] * 2
    words = [item.source[start:end] for item, (start, end) in zip(members, bounds, strict=True)]
    ordered = words if members[0].gold == 0 else words[::-1]
    # Twins differ in one word only: the form of one answer must fit the other too.
    owns = all(map(_is_possessive, members))
    return [
        asked(item, [Edit(*word, GAP), *_filled(item, owns=owns)], ordered)
        for item, word in zip(members, bounds, strict=True)
    ]


def refused(members: Sequence[Item]) -> Dropped | None:
    """The reason why the items have no zero-shot form, if they are not twins with two candidates each."""
    if any(item.task != "fill" for item in members):
        return Dropped("has no gap")
    if len(members) != 2:
        return Dropped("has no twin" if len(members) == 1 else "has more than one twin")
    if any(base(item.source_lang) != "en" for item in members):
        return Dropped(f"no words in the language '{members[0].source_lang}'")
    if any(len(item.candidates) != 2 for item in members):
        return Dropped("does not have two candidates")
    if sorted(item.gold if item.gold is not None else -1 for item in members) != [0, 1]:
        return Dropped("the twins do not have different answers")
    if any(GAP in candidate.text for item in members for candidate in item.candidates):
        return Dropped("a candidate contains the gap sign")
    return None


def special_words(one: str, other: str) -> tuple[Bounds, Bounds] | None:
    """The bounds of the only word in which two sentences differ, in each; None if they differ otherwise."""
    ours, theirs = _words(one), _words(other)
    if len(ours) != len(theirs):
        return None
    differing = [
        (here, there) for here, there in zip(ours, theirs, strict=True) if one[slice(*here)] != other[slice(*there)]
    ]
    if len(differing) != 1:
        return None
    here, there = differing[0]
    texts = one[slice(*here)], other[slice(*there)]
    return None if any(not text or GAP in text for text in texts) else (here, there)


def asked(item: Item, edits: Sequence[Edit], words: Sequence[str]) -> Item:
    """The item after the edits that move the gap, with the words as candidates; the gold stays."""
    fields = rewritten(item, {("source", 0): edits})
    source = fields["source"]
    spans = tuple(
        span for span in fields.get("spans", ()) if span.field == "source" and GAP not in source[span.start : span.end]
    )
    candidates = tuple(map(Candidate, words))
    # One masked position is compared: the item says so, and no --part is needed.
    features = {"part": "mask"}
    fields |= {"spans": spans, "candidates": candidates, "reference": None, "expected": (), "features": features}
    return changed_twin(item, MASK_SPECIAL_WORD, kind="probe", **fields)


def _words(text: str) -> list[Bounds]:
    """The bounds of words without the punctuation around them; empty for punctuation that stands alone."""
    bounds = []
    for token in _TOKEN.finditer(text):
        marks = _MARKS.match(token[0])
        start, end = marks.span("word") if marks else (0, 0)
        bounds.append((token.start() + start, token.start() + end))
    return bounds


def _filled(item: Item, *, owns: bool) -> list[Edit]:
    """The edits that fill the gap with the correct answer: article in lower case, possessive if the pronoun was."""
    start = item.source.index(GAP)
    answer = item.candidates[item.gold or 0].text
    if starts_sentence(item.source[:start]):
        answer = with_case(answer, upper=True)
    elif (english := language("en").connectives) and without_article(answer, english.articles) != answer:
        answer = with_case(answer, upper=False)
    if owns:
        answer += "'" if answer.endswith("s") and not answer.endswith("ss") else "'s"
    end = len(item.source)
    closing = [Edit(end, end, ".")] if item.source[-1:].isalnum() else []
    return [Edit(start, start + len(GAP), answer), *closing]


def _is_possessive(item: Item) -> bool:
    pronoun = item.features.get("pronoun", "").lower()
    owned = _OWNED.match(item.source, item.source.index(GAP) + len(GAP))
    return pronoun in _POSSESSIVES or (pronoun == "her" and owned is not None)
