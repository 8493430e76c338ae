"""The zero-shot form of twins: the gap is filled with the right answer, and the word that tells them apart is wanted.

    The trophy doesn't fit into the suitcase because _ is too large.    (the trophy, the suitcase)
    The trophy doesn't fit into the suitcase because the trophy is too _.    (large, small)

Words are compared without the marks around them; the word is masked where it stands, whatever else is in the sentence.
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
"""What may follow "her" where it is a possessive."""
_POSSESSIVES = frozenset({"his", "its", "their"})

Place = tuple[int, int]


def masked(members: Sequence[Item]) -> list[Item | Dropped]:
    """What becomes of twins; candidates are the two words, that of the twin with the first answer first."""
    if (problem := refused(members)) is not None:
        return [problem] * len(members)
    one, other = members
    if [each.text for each in one.candidates] != [each.text for each in other.candidates]:
        return [Dropped("the twins have other candidates")] * 2
    places = special_words(one.source, other.source)
    if places is None:
        return [Dropped("the twins do not differ in exactly one word")] * 2
    words = [item.source[start:end] for item, (start, end) in zip(members, places, strict=True)]
    ordered = words if members[0].gold == 0 else words[::-1]
    # Twins differ in one word only: what one is filled with must fit the other too.
    owns = all(map(_is_possessive, members))
    return [
        asked(item, [Edit(*place, GAP), *_filled(item, owns=owns)], ordered)
        for item, place in zip(members, places, strict=True)
    ]


def refused(members: Sequence[Item]) -> Dropped | None:
    """Why these items cannot be put into the zero-shot form, if they are no twins with two candidates each."""
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
        return Dropped("a candidate holds the sign of the gap")
    return None


def special_words(one: str, other: str) -> tuple[Place, Place] | None:
    """Where the one word stands, in each of two sentences, that the other does not have there."""
    ours, theirs = _words(one), _words(other)
    if len(ours) != len(theirs):
        return None
    differing = [
        (own, against) for own, against in zip(ours, theirs, strict=True) if one[slice(*own)] != other[slice(*against)]
    ]
    if len(differing) != 1:
        return None
    own, against = differing[0]
    texts = one[slice(*own)], other[slice(*against)]
    return None if any(not text or GAP in text for text in texts) else (own, against)


def asked(item: Item, edits: Sequence[Edit], words: Sequence[str]) -> Item:
    """The item with the gap in another place, and other candidates; the number of the right one stays."""
    fields = rewritten(item, {("source", 0): edits})
    source = fields["source"]
    spans = tuple(
        span for span in fields.get("spans", ()) if span.field == "source" and GAP not in source[span.start : span.end]
    )
    candidates = tuple(map(Candidate, words))
    # What is compared is one position: a model with masks needs no --part to know that.
    features = {"part": "mask"}
    fields |= {"spans": spans, "candidates": candidates, "reference": None, "expected": (), "features": features}
    return changed_twin(item, MASK_SPECIAL_WORD, kind="probe", **fields)


def _words(text: str) -> list[Place]:
    """The words between spaces, without the marks around them; a word may be nothing but marks, and is empty then."""
    found = []
    for token in _TOKEN.finditer(text):
        marks = _MARKS.match(token[0])
        start, end = marks.span("word") if marks else (0, 0)
        found.append((token.start() + start, token.start() + end))
    return found


def _filled(item: Item, *, owns: bool) -> list[Edit]:
    """The right answer in the gap, with a small article within a sentence, as an owner where the pronoun was one."""
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
