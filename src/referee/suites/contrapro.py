"""ContraPro in its own JSON format, alone or with the text files that have its context.

A record has the reference and its contrastive variants. ContraCAT publishes its changed subsets as such JSON together
with `en.txt` and `de.txt`, and the changes are in the text only: text decides, the record is kept in `meta`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee.items import Candidate, Item, Span, repeated
from referee.languages.text import changed_words, find_once
from referee.suites.contracat import GENDER_OF, LICENCE, Block, attack_on_contrapro, blocks
from referee.suites.contracat import PAPER as CONTRACAT
from referee.suites.records import json_list, spaced, to_items
from referee.suites.suite import Suite

PAPER = "Müller, Rios, Voita and Sennrich 2018, ContraPro"


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=spaced):
    """An incorrect candidate."""

    contrastive: str
    replacement: str
    replacement_gender: str
    type: str


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=spaced):
    """One example as published."""

    ante_distance: int
    corpus: str
    document_id: str
    errors: list[Variant]
    intrasegmental: bool
    ref_ante_head: str | None
    ref_ante_head_gender: str | None
    ref_ante_head_id: int | None
    ref_ante_head_lemma: str | None
    ref_ante_head_morpho: str | None
    ref_ante_head_pos: str | None
    ref_ante_phrase: str | None
    ref_pronoun: str
    ref_segment: str
    segment_id: int
    src_ante_head: str | None
    src_ante_head_gender: str | None
    src_ante_head_id: int | None
    src_ante_head_lemma: str | None
    src_ante_head_morpho: str | None
    src_ante_head_pos: str | None
    src_ante_phrase: str | None
    src_pronoun: str
    src_segment: str


def read_records(path: Path, name: str) -> Iterator[Item]:
    """ContraPro's JSON alone: sentences without context."""

    def convert(row: int, record: Record) -> Item:
        targets = (record.ref_segment, *(variant.contrastive for variant in record.errors))
        return _item(f"{name}-{row - 1}", record, Block(row, (), record.src_segment, (), targets, {}))

    return to_items(path, json_list(path, Record), convert)


def read_with_text(folder: Path, records: str, name: str) -> Iterator[Item]:
    """A changed subset: the JSON says what an example is about, `en.txt` and `de.txt` what it reads."""
    path = folder / records
    rows = list(json_list(path, Record))
    texts = blocks(folder, iter([1 + len(record.errors) for _, record in rows]))

    yield from to_items(path, rows, lambda row, record: _item(f"{name}-{row - 1}", record, next(texts)))
    # The last step of `blocks` checks that no line is left over.
    next(texts, None)


def _item(id: str, record: Record, block: Block) -> Item:
    pronouns = (record.ref_pronoun, *(variant.replacement for variant in record.errors))
    candidates, spans = [], []
    for index, (text, pronoun, differing) in enumerate(
        zip(block.targets, pronouns, changed_words(block.targets), strict=True)
    ):
        # By the pronoun, not by the published gender tags: those are wrong or missing in the changed subsets.
        gender = GENDER_OF.get(pronoun.lower())
        candidates.append(Candidate(text, {"pronoun": pronoun} | ({"gender": gender} if gender else {})))
        if span := next((span for span in differing if text[slice(*span)] == pronoun), None):
            spans.append(Span("pronoun", "candidate", *span, index))
    return Item(
        id=id,
        task="translate",
        source_lang="en",
        target_lang="de",
        source_context=block.source_context,
        source=block.source,
        target_context=block.target_context,
        candidates=tuple(candidates),
        gold=0,
        reference=block.targets[0],
        label=record.ref_pronoun.lower(),
        distance=record.ante_distance,
        features=repeated(block.targets),
        spans=(*_source_spans(record, block), *spans),
        meta=block.meta | {"record": msgspec.to_builtins(record)},
    )


def _source_spans(record: Record, block: Block) -> Iterator[Span]:
    if span := find_once(record.src_pronoun, block.source):
        yield Span("pronoun", "source", *span)
    if record.ante_distance == 0:
        if span := find_once(record.src_ante_phrase or "", block.source):
            yield Span("antecedent", "source", *span)
    elif record.ante_distance <= len(block.source_context):
        index = len(block.source_context) - record.ante_distance
        if span := find_once(record.src_ante_phrase or "", block.source_context[index]):
            yield Span("antecedent", "source_context", *span, index)


def _changed(name: str, folder: str, records: str, about: str) -> Suite:
    root = f"contracat/adversarial_ContraPro/{folder}"
    files = tuple(f"{root}/{file}" for file in ("en.txt", "de.txt", records))
    stem = name.rpartition("/")[2]
    return Suite(
        f"contracat/{name}",
        about,
        files,
        lambda data: read_with_text(data / root, records, stem),
        CONTRACAT,
        LICENCE,
        origin=attack_on_contrapro(name),
    )


_MODIFIED = "modified_contrapro_subset.json"

SUITES = (
    Suite(
        "contrapro",
        "ContraPro, English to German, sentences without context",
        ("contrapro/contrapro.json",),
        lambda data: read_records(data / "contrapro/contrapro.json", "contrapro"),
        PAPER,
        "MIT",
    ),
    _changed("possessive/maria", "possessive_extension/maria", _MODIFIED, "ContraPro with possessive 'Marias'"),
    _changed("possessive/woman", "possessive_extension/woman", _MODIFIED, "ContraPro with possessive 'von der Frau'"),
    _changed("synonyms", "synonyms", _MODIFIED, "ContraPro with antecedents replaced by synonyms of another gender"),
    Suite(
        "contracat/synonyms/original",
        "ContraPro, originals of the synonym set, without context",
        ("contracat/adversarial_ContraPro/synonyms/contrapro_subset.json",),
        lambda data: read_records(data / "contracat/adversarial_ContraPro/synonyms/contrapro_subset.json", "synonyms"),
        CONTRACAT,
        LICENCE,
    ),
)
