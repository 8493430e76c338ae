"""Changes of Winograd schemas as "Back to Square One" published them, faults included: strings instead of words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from referee.items import GAP, Item
from referee.languages import language
from referee.perturbations.base import Dropped, changed_twin
from referee.perturbations.edits import Edit, rewritten
from referee.perturbations.schema_mask import asked, refused
from referee.perturbations.schema_words import is_abbreviation

_MARKERS = re.compile(
    r"""(?<!\w)(?:so|but|and|because|although|though|due|since)(?!\w)
    | (?<!\.)\.(?![\w.]) | (?<=[^\W\d_A-Z])\.(?=[A-Z])
    | [,;?](?!\w) | (?<!\S)[,;?] | (?<=[^\W\d_]),(?=[^\W\d_])
    """,
    re.VERBOSE,
)
"""Tokens that end the first part: words and marks where the published tokenizer cuts them off.

It cuts a full stop off between a small and a capital letter ("red.The"), and a comma between letters (",for").
"""


def no_cands(item: Item, name: str) -> Item | Dropped:
    """The item without both options, which must occur once each as strings; double spaces are collapsed once."""
    if item.task != "fill" or len(item.candidates) != 2:
        return Dropped("has no gap, or not two candidates")
    options = [_only(candidate.text, item.source) for candidate in item.candidates]
    if None in options:
        return Dropped("a candidate does not occur exactly once")
    shorter = item
    for text in (*(option for option in options if option), "  "):
        # One after the other: the rest of an overlap no longer matches.
        matches = re.finditer(re.escape(text), shorter.source)
        edits = [Edit(match.start(), match.end(), " " if text == "  " else "") for match in matches]
        shorter = msgspec.structs.replace(shorter, **rewritten(shorter, {("source", 0): edits}))
    return changed_twin(item, name, kind="baseline", source=shorter.source, spans=shorter.spans)


def part_sent(item: Item, name: str) -> Item | Dropped:
    """The item after the last marker before its gap; the marker is removed, unlike in the paper's figure.

    One space after the marker goes with it; a second one stays.
    """
    if item.task != "fill":
        return Dropped("has no gap")
    before = item.source[: item.source.index(GAP)]
    connectives = language(item.source_lang).connectives
    abbreviations = connectives.abbreviations if connectives else frozenset()
    cuts = [
        match.end()
        for match in _MARKERS.finditer(before)
        if match[0] != "." or not is_abbreviation(before[: match.start()], abbreviations)
    ]
    if not cuts:
        return Dropped("no marker before the gap")
    cut = cuts[-1] + (item.source[cuts[-1] :].startswith(" "))
    return changed_twin(item, name, kind="baseline", **rewritten(item, {("source", 0): [Edit(0, cut, "")]}))


def masked(members: Sequence[Item]) -> list[Item | Dropped]:
    """The twins in zero-shot form; words are compared by position, with punctuation, up to the shorter sentence."""
    problem = refused(members)
    if problem is not None:
        return [problem] * len(members)
    pairs = zip(*(item.source.split() for item in members), strict=False)
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    if len(differing) != 1:
        return [Dropped("the twins do not differ in exactly one word")] * 2
    tokens = differing[0]
    if GAP in "".join(tokens) or any(item.source.count(one) != 1 for item, one in zip(members, tokens, strict=True)):
        return [Dropped("the word does not occur exactly once")] * 2
    words = [token.removesuffix(".") for token in tokens]
    ordered = words if members[0].gold == 0 else words[::-1]
    return [asked(item, _edits(item, token), ordered) for item, token in zip(members, tokens, strict=True)]


def _edits(item: Item, token: str) -> list[Edit]:
    start, gap, end = item.source.index(token), item.source.index(GAP), len(item.source)
    answer = item.candidates[item.gold or 0].text
    # The word is removed with its full stop; at the end of the sentence one is added again.
    is_closed = item.source.endswith(".") and start + len(token) < end
    closing = [] if is_closed else [Edit(end, end, ".")]
    return [Edit(start, start + len(token), GAP), Edit(gap, gap + len(GAP), answer), *closing]


def _only(option: str, text: str) -> str | None:
    """The option as it is, with the other article, or without it, whichever occurs exactly once."""
    forms = [option]
    for article, other in (("The ", "the "), ("the ", "The ")):
        if option.startswith(article):
            forms += [other + option.removeprefix(article), option.removeprefix(article)]
    return next((form for form in forms if form and text.count(form) == 1), None)
