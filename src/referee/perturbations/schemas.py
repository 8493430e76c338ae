"""Changes of Winograd schemas, after "Back to Square One": two baselines, an attack and a probe.

Without its candidates, or cut to the part with the gap, a schema cannot be solved: a model that solves it relies on
artifacts. With its candidates swapped, or with the special word as the gap, it can be solved by a model that
understands it. Twins are changed together or not at all. docs/winograd.md compares the rules with the published ones.
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
    """The changes `no-cands`, `part-sent`, `swap` and `mask-special-word`."""
    yield Perturbation(
        name=NO_CANDS,
        about="baseline: delete both candidates from the sentence",
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
        about="baseline: keep only the part of the sentence with the gap",
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
        about="swap the two candidates; the answer swaps too",
        languages=("en",),
        apply=swap,
        example="The suitcase doesn't fit into the trophy because _ is too large.",
        apply_group=together(swap),
    )
    yield Perturbation(
        name=MASK_SPECIAL_WORD,
        about="probe: fill the gap, mask the word in which the twins differ",
        languages=("en",),
        apply=lambda item: masked([item])[0],
        example="The trophy doesn't fit into the suitcase because the trophy is too _.",
        paper=lambda item: schemas.masked([item])[0],
        apply_group=masked,
        paper_group=schemas.masked,
        kind="probe",
    )


def no_cands(item: Item) -> Item | Dropped:
    """The item without mentions of its candidates, and without the spaces that they leave."""
    mentioned = _mentioned(item)
    if isinstance(mentioned, Dropped):
        return mentioned
    of_candidates, _ = mentioned
    edits = []
    for mention in of_candidates:
        clitic = _CLITIC.match(item.source, mention.end)
        edits.append(Edit(mention.start, clitic.end() if clitic else mention.end, ""))
    shorter = msgspec.structs.replace(item, **rewritten(item, {("source", 0): edits}))
    for pattern, new in _GAPS:
        respaced = [Edit(match.start(), match.end(), new) for match in pattern.finditer(shorter.source)]
        shorter = msgspec.structs.replace(shorter, **rewritten(shorter, {("source", 0): respaced}))
    return changed_twin(item, NO_CANDS, kind="baseline", source=shorter.source, spans=shorter.spans)


def part_sent(item: Item) -> Item | Dropped:
    """The item from the last connective before its gap on, or after the last punctuation mark."""
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
    """The item with its candidates swapped in every mention; the articles stay."""
    if base(item.source_lang) != "en":
        return _unknown(item)
    mentioned = _mentioned(item)
    if isinstance(mentioned, Dropped):
        return mentioned
    of_candidates, connectives = mentioned
    if item.gold is None:
        return Dropped("has no correct answer")
    if item.features.get("switchable") == "0":
        return Dropped("is marked as not switchable")
    texts = [candidate.text for candidate in item.candidates]
    cores = [without_article(text, connectives.articles) for text in texts]
    if (cores[0] == texts[0]) != (cores[1] == texts[1]):
        return Dropped("one candidate has an article, the other has none")
    for mention in of_candidates:
        surface = item.source[mention.core : mention.end]
        if surface[:1].islower() and not starts_sentence(item.source[: mention.start]):
            cores[mention.candidate] = with_case(cores[mention.candidate], upper=False)
    # Names can always be swapped; swapped things may sound odd.
    named = all(core == text and core[:1].isupper() for core, text in zip(cores, texts, strict=True))
    edits = [
        edit
        for mention in of_candidates
        for edit in _exchanged(item.source, mention, cores[1 - mention.candidate])
        # An article that is itself a mention is exchanged as one.
        if edit.start == mention.core
        or not any(other.core < edit.end and edit.start < other.end for other in of_candidates)
    ]
    fields: dict[str, Any] = rewritten(item, {("source", 0): edits})
    fields |= {"gold": 1 - item.gold, "candidates": _exchanged_features(item.candidates), "reference": None}
    return changed_twin(item, SWAP, features={"swapped": "names" if named else "things"}, **fields)


def _connectives(item: Item) -> Connectives | Dropped:
    return language(item.source_lang).connectives or _unknown(item)


def _unknown(item: Item) -> Dropped:
    return Dropped(f"no words in the language '{item.source_lang}'")


def _mentioned(item: Item) -> tuple[list[Mention], Connectives] | Dropped:
    """The mentions of the candidates, if both are mentioned, and the words of the language."""
    connectives = _connectives(item)
    if isinstance(connectives, Dropped):
        return connectives
    if item.task != "fill":
        return Dropped("has no gap")
    if len(item.candidates) != 2:
        return Dropped("does not have two candidates")
    texts = [candidate.text for candidate in item.candidates]
    if any(GAP in text for text in texts):
        return Dropped("a candidate contains the gap sign")
    of_candidates = mentions(item.source, texts, connectives.articles)
    if {mention.candidate for mention in of_candidates} != {0, 1}:
        return Dropped("a candidate is not in the sentence")
    return of_candidates, connectives


def _cuts(before: str, connectives: Connectives) -> Iterator[int]:
    """Positions where the part with the gap may begin."""
    for match in re.finditer(_any_of(connectives.conjunctions), before, re.IGNORECASE):
        yield match.start()
    for match in re.finditer(r"""[.,;?!:]["'”’»)\]]*\s+""", before):
        if match[0][0] != "." or not is_abbreviation(before[: match.start()], connectives.abbreviations):
            yield match.end()


@cache
def _any_of(forms: tuple[str, ...]) -> str:
    """A pattern for the forms as whole words; a form that ends in an apostrophe is followed by its word directly."""
    ends = [re.escape(form).replace("'", "['’]") + ("" if form.endswith("'") else r"(?![\w-])") for form in forms]
    return rf"(?<![\w-])(?:{'|'.join(ends)})"


def _exchanged(text: str, mention: Mention, core: str) -> Iterator[Edit]:
    opens = mention.core == mention.start and starts_sentence(text[: mention.start])
    yield Edit(mention.core, mention.end, with_case(core, upper=True) if opens else core)
    indefinite = _INDEFINITE.search(text[: mention.core])
    if indefinite:
        article = indefinite["article"][0] + ("n" if core[:1].lower() in "aeiou" else "")
        yield Edit(indefinite.start("article"), indefinite.end("article"), article)


def _exchanged_features(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with their positions in the sentence swapped."""
    first, second = candidates
    positions = [candidate.features.get("position") for candidate in candidates]
    if None in positions:
        return tuple(candidates)
    return (
        Candidate(first.text, first.features | {"position": str(positions[1])}),
        Candidate(second.text, second.features | {"position": str(positions[0])}),
    )
