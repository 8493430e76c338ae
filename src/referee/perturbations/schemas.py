"""Changes of Winograd schemas, after "Back to Square One": two baselines that must fail, and two that must not.

Without its candidates, or cut down to the part with the gap, a schema cannot be solved: a model that solves it leans on
artifacts. With its candidates exchanged, or asked for the special word, it can be solved by whoever understood it.
Twins are changed together or not at all. docs/winograd.md has the rules beside the published ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from referee.items import GAP, Candidate, Item
from referee.languages import base, language, languages
from referee.languages.schema import Connectives
from referee.perturbations.base import Dropped, Perturbation, changed_twin, together
from referee.perturbations.edits import Edit, rewritten
from referee.perturbations.published import schemas
from referee.perturbations.schema_mask import MASK_SPECIAL_WORD, masked
from referee.perturbations.schema_words import (
    Mention,
    is_abbreviation,
    mentions,
    starts_sentence,
    with_case,
    without_article,
)

NO_CANDS, PART_SENT, SWAP = "no-cands", "part-sent", "swap"

_CLITIC = re.compile(r"['’]s(?!\w)")
_GAPS = (
    (re.compile(r"\s+(?=[,.;:?!])"), ""),
    (re.compile(r"\s{2,}"), " "),
    (re.compile(r"\A[\s,.;:?!]+|\s+\Z"), ""),
)
_INDEFINITE = re.compile(r"(?<!\w)(?P<article>[Aa]n?)\s+\Z")


def winograd_perturbations() -> Iterator[Perturbation]:
    """The four changes."""
    yield Perturbation(
        name=NO_CANDS,
        about="a baseline that must fail: both candidates are deleted from the sentence",
        languages=languages("connectives.toml"),
        apply=no_cands,
        example="doesn't fit into because _ is too large.",
        paper=lambda item: schemas.no_cands(item, NO_CANDS),
        apply_group=together(no_cands),
        paper_group=together(lambda item: schemas.no_cands(item, NO_CANDS)),
        kind="baseline",
        hides="the candidates in the sentence",
    )
    yield Perturbation(
        name=PART_SENT,
        about="a baseline that must fail: only the part of the sentence that holds the gap is left",
        languages=languages("connectives.toml"),
        apply=part_sent,
        example="because _ is too large.",
        paper=lambda item: schemas.part_sent(item, PART_SENT),
        apply_group=together(part_sent),
        kind="baseline",
        hides="the rest of the sentence",
    )
    yield Perturbation(
        name=SWAP,
        about="the two candidates change places, and so does the answer",
        languages=("en",),
        apply=swap,
        example="The suitcase doesn't fit into the trophy because _ is too large.",
        apply_group=together(swap),
    )
    yield Perturbation(
        name=MASK_SPECIAL_WORD,
        about="the gap is filled; which of the words that tell the twins apart belongs into the sentence?",
        languages=("en",),
        apply=lambda item: masked([item])[0],
        example="The trophy doesn't fit into the suitcase because the trophy is too _.",
        paper=lambda item: schemas.masked([item])[0],
        apply_group=masked,
        paper_group=schemas.masked,
        kind="probe",
    )


def no_cands(item: Item) -> Item | Dropped:
    """Both candidates deleted wherever they stand as whole words, and the spaces that they leave."""
    found = _mentioned(item)
    if isinstance(found, Dropped):
        return found
    places, _ = found
    ends = [match.end() if (match := _CLITIC.match(item.source, each.end)) else each.end for each in places]
    edits = [Edit(each.start, end, "") for each, end in zip(places, ends, strict=True)]
    made = msgspec.structs.replace(item, **rewritten(item, {("source", 0): edits}))
    for pattern, new in _GAPS:
        respaced = [Edit(match.start(), match.end(), new) for match in pattern.finditer(made.source)]
        made = msgspec.structs.replace(made, **rewritten(made, {("source", 0): respaced}))
    return changed_twin(item, NO_CANDS, kind="baseline", source=made.source, spans=made.spans)


def part_sent(item: Item) -> Item | Dropped:
    """What follows the last connective before the gap, with it, or the last mark, without it."""
    connectives = _connectives(item)
    if isinstance(connectives, Dropped):
        return connectives
    if item.task != "fill":
        return Dropped("has no gap")
    before = item.source[: item.source.index(GAP)]
    cut = max(_cuts(before, connectives), default=0)
    if not before[:cut].strip():
        return Dropped("no connective and no mark before the gap")
    return changed_twin(item, PART_SENT, kind="baseline", **rewritten(item, {("source", 0): [Edit(0, cut, "")]}))


def swap(item: Item) -> Item | Dropped:
    """The candidates exchanged wherever they stand as whole words, each with the article that stood there."""
    if base(item.source_lang) != "en":
        return _unknown(item)
    found = _mentioned(item)
    if isinstance(found, Dropped):
        return found
    places, connectives = found
    if item.gold is None:
        return Dropped("has no right answer")
    if item.features.get("switchable") == "0":
        return Dropped("is marked as not switchable")
    texts = [candidate.text for candidate in item.candidates]
    cores = [without_article(text, connectives.articles) for text in texts]
    if (cores[0] == texts[0]) != (cores[1] == texts[1]):
        return Dropped("one candidate has an article, the other has none")
    for each in places:
        surface = item.source[each.core : each.end]
        if surface[:1].islower() and not starts_sentence(item.source[: each.start]):
            cores[each.candidate] = with_case(cores[each.candidate], upper=False)
    # Names can always change places; of things what comes out may be odd.
    named = all(core == text and core[:1].isupper() for core, text in zip(cores, texts, strict=True))
    edits = [edit for each in places for edit in _exchanged(item.source, each, cores[1 - each.candidate])]
    fields: dict[str, Any] = rewritten(item, {("source", 0): edits})
    fields |= {"gold": 1 - item.gold, "candidates": _exchanged_features(item.candidates), "reference": None}
    return changed_twin(item, SWAP, features={"swapped": "names" if named else "things"}, **fields)


def _connectives(item: Item) -> Connectives | Dropped:
    return language(item.source_lang).connectives or _unknown(item)


def _unknown(item: Item) -> Dropped:
    return Dropped(f"no words in the language '{item.source_lang}'")


def _mentioned(item: Item) -> tuple[list[Mention], Connectives] | Dropped:
    """Where the candidates stand, if both do."""
    connectives = _connectives(item)
    if isinstance(connectives, Dropped):
        return connectives
    if item.task != "fill":
        return Dropped("has no gap")
    if len(item.candidates) != 2:
        return Dropped("does not have two candidates")
    texts = [candidate.text for candidate in item.candidates]
    if any(GAP in text for text in texts):
        return Dropped("a candidate holds the sign of the gap")
    found = mentions(item.source, texts, connectives.articles)
    if {each.candidate for each in found} != {0, 1}:
        return Dropped("a candidate is not in the sentence")
    return found, connectives


def _cuts(before: str, connectives: Connectives) -> Iterator[int]:
    """Where the part with the gap may begin."""
    for match in re.finditer(_any_of(connectives.conjunctions), before, re.IGNORECASE):
        yield match.start()
    for match in re.finditer(r"""[.,;?!:]["'”’»)\]]*\s+""", before):
        if match[0][0] != "." or not is_abbreviation(before[: match.start()], connectives.abbreviations):
            yield match.end()


@cache
def _any_of(forms: tuple[str, ...]) -> str:
    """As whole words; one that ends in an apostrophe is followed by a word at once."""
    ends = [re.escape(form).replace("'", "['’]") + ("" if form.endswith("'") else r"(?![\w-])") for form in forms]
    return rf"(?<![\w-])(?:{'|'.join(ends)})"


def _exchanged(text: str, place: Mention, core: str) -> Iterator[Edit]:
    opens = place.core == place.start and starts_sentence(text[: place.start])
    yield Edit(place.core, place.end, with_case(core, upper=True) if opens else core)
    indefinite = _INDEFINITE.search(text[: place.core])
    if indefinite:
        article = indefinite["article"][0] + ("n" if core[:1].lower() in "aeiou" else "")
        yield Edit(indefinite.start("article"), indefinite.end("article"), article)


def _exchanged_features(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Who was first in the sentence is second now."""
    first, second = candidates
    positions = [each.features.get("position") for each in candidates]
    if None in positions:
        return tuple(candidates)
    return (
        Candidate(first.text, first.features | {"position": str(positions[1])}),
        Candidate(second.text, second.features | {"position": str(positions[0])}),
    )
