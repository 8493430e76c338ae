"""LM-Wino-X: the target-language side, and the English side of the same items.

Published Russian options start with a space; candidates do not, and the published form stays in `meta` under its key.
Latin letters in Russian words are replaced (none are left in the data as we have it); `meta["normalised"]` then holds
the published text of every field that changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

from referee.items import Candidate, Item
from referee.suites.cyrillic import normalise_cyrillic
from referee.suites.records import json_lines, to_items
from referee.suites.suite import Suite

LANGUAGES = ("de", "fr", "ru")

_STEM = re.compile(r"(?P<stem>.+)-[12]")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published line; the fields from `context` on have the target language in their key (see `key`)."""

    id: str = msgspec.field(name="qID")
    sentence: str
    context_en: str
    option1_en: str
    option2_en: str
    answer: Literal[1, 2]
    context: str
    option1: str
    option2: str
    context_referent_of_option1: str
    context_referent_of_option2: str


TARGET_FIELDS = (
    "context",
    "option1",
    "option2",
    "context_referent_of_option1",
    "context_referent_of_option2",
)


def key(field: str, language: str) -> str:
    """The published key of a target-language field."""
    return f"{field}_{language}"


def read_target(data: Path, language: str) -> Iterator[Item]:
    """The items in the target language, the English option and the referent as features of each candidate."""
    path = data / _file(language)
    rows = json_lines(path, _record_type(language))
    return to_items(path, rows, lambda _, record: _target_item(record, language))


def read_english(data: Path, language: str) -> Iterator[Item]:
    """The English side, with the ids and groups of the target-language items."""
    path = data / _file(language)
    rows = json_lines(path, _record_type(language))
    return to_items(path, rows, lambda _, record: _english_item(record, language))


def _target_item(record: Record, language: str) -> Item:
    published = {field: getattr(record, field) for field in TARGET_FIELDS}
    clean = {field: normalise_cyrillic(text) if language == "ru" else text for field, text in published.items()}
    changed = {key(field, language): text for field, text in published.items() if text != clean[field]}
    padded = [field for field in ("option1", "option2") if published[field] != published[field].strip()]
    meta: dict[str, Any] = {"sentence": record.sentence, "context_en": record.context_en}
    meta |= {key(field, language): published[field] for field in padded}
    meta |= {"normalised": changed} if changed else {}
    candidates = (
        _candidate(clean["option1"].strip(), clean["context_referent_of_option1"], "en", record.option1_en),
        _candidate(clean["option2"].strip(), clean["context_referent_of_option2"], "en", record.option2_en),
    )
    return _item(record, language, clean["context"], candidates, meta)


def _english_item(record: Record, language: str) -> Item:
    candidates = (
        _candidate(record.option1_en, record.context_referent_of_option1, language, record.option1),
        _candidate(record.option2_en, record.context_referent_of_option2, language, record.option2),
    )
    meta = {"sentence": record.sentence, key("context", language): record.context}
    return _item(record, "en", record.context_en, candidates, meta)


def _candidate(option: str, referent: str, other: str, translation: str) -> Candidate:
    return Candidate(option, {"referent": referent, key("option", other): translation})


def _item(record: Record, language: str, source: str, candidates: tuple[Candidate, ...], meta: dict[str, Any]) -> Item:
    stem = _STEM.fullmatch(record.id)
    if not stem:
        raise ValueError(f"qID: {record.id!r} does not end in -1 or -2")
    return Item(
        id=record.id,
        task="fill",
        source_lang=language,
        target_lang=language,
        source=source,
        candidates=candidates,
        gold=record.answer - 1,
        group=stem["stem"],
        meta=meta,
    )


def _file(language: str) -> str:
    return f"winograd-multilingual/wino-x/lm_wino_x.en-{language}.jsonl"


def _record_type(language: str) -> type[Record]:
    """`Record` with the published keys of one language, so that errors name them too."""
    renamed = {field: key(field, language) for field in TARGET_FIELDS}
    fields = [(field, str) for field in TARGET_FIELDS]
    struct = msgspec.defstruct(
        "Record", fields, bases=(Record,), rename=renamed, frozen=True, forbid_unknown_fields=True
    )
    return cast("type[Record]", struct)


SUITES: tuple[Suite, ...] = tuple(
    Suite(
        name=f"wino-x/lm/en-{language}{ending}",
        about=f"LM-Wino-X en-{language}, {side} side",
        files=(_file(language),),
        read=partial(read, language=language),
        paper="Emelin and Sennrich 2021, Wino-X",
        licence="MIT (dataset card)",
    )
    for language in LANGUAGES
    for ending, side, read in (("", language, read_target), ("/english", "English", read_english))
)
