"""LM-Wino-X: the target-language side, and the English side of the same items.

Candidates have `position`, "first" or "second" by the order of their nouns in the sentence that is read, and, where an
article shows it, `gender`.

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

from referee.items import Candidate, Item, SetOrigin
from referee.languages.text import normalise_cyrillic
from referee.suites.records import json_lines, to_items
from referee.suites.suite import Suite

LANGUAGES = ("de", "fr", "ru")

ARTICLES: dict[str, dict[str, str]] = {
    "de": {"der": "m", "den": "m", "die": "f", "ihre": "f", "meine": "f", "seine": "f", "das": "n"},
    "fr": {"le": "m", "un": "m", "la": "f", "une": "f"},
}
"""What a filler's article says of its gender; others, such as French l' and German sein, say nothing or too little."""

_STEM = re.compile(r"(?P<stem>.+)-[12]")
_DETERMINER = re.compile(r"(the|an?|his|her|its|my|our|their|your) +", re.IGNORECASE)


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
    path = data / lm_file(language)
    return to_items(path, lm_records(path, language), lambda _, record: _target_item(record, language))


def read_english(data: Path, language: str) -> Iterator[Item]:
    """The English side, with the ids and groups of the target-language items."""
    path = data / lm_file(language)
    return to_items(path, lm_records(path, language), lambda _, record: _english_item(record, language))


def lm_records(path: Path, language: str) -> Iterator[tuple[int, Record]]:
    """The published lines with their numbers."""
    return json_lines(path, _record_type(language))


def gender_of(option: str, language: str) -> str | None:
    """The gender of a filler, as far as its article tells."""
    article, _, noun = option.strip().partition(" ")
    return ARTICLES.get(language, {}).get(article.lower()) if noun else None


def noun_of(option: str) -> str:
    """An English filler without its article."""
    return _DETERMINER.sub("", option, count=1) if _DETERMINER.match(option) else option


def first_mentions(nouns: tuple[str, str], text: str) -> list[int | None]:
    """Where each noun stands first, as a whole word; of several words the last will do, as in "the (fish) tank"."""
    return [_first_mention(noun, text) for noun in nouns]


def positions(nouns: tuple[str, str], text: str) -> list[dict[str, str]]:
    """The feature `position` of each noun, where both are found and apart."""
    one, other = first_mentions(nouns, text)
    if one is None or other is None or one == other:
        return [{}, {}]
    return [{"position": "first" if one < other else "second"}, {"position": "second" if one < other else "first"}]


def _first_mention(noun: str, text: str) -> int | None:
    for words in (noun, noun.split()[-1] if noun.split() else ""):
        if words and (match := re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)):
            return match.start()
    return None


def _target_item(record: Record, language: str) -> Item:
    published = {field: getattr(record, field) for field in TARGET_FIELDS}
    clean = {field: normalise_cyrillic(text) if language == "ru" else text for field, text in published.items()}
    changed = {key(field, language): text for field, text in published.items() if text != clean[field]}
    padded = [field for field in ("option1", "option2") if published[field] != published[field].strip()]
    meta: dict[str, Any] = {"sentence": record.sentence, "context_en": record.context_en}
    meta |= {key(field, language): published[field] for field in padded}
    meta |= {"normalised": changed} if changed else {}
    options = (clean["option1"].strip(), clean["option2"].strip())
    nouns = (clean["context_referent_of_option1"], clean["context_referent_of_option2"])
    genders = [{"gender": gender} if (gender := gender_of(option, language)) else {} for option in options]
    first, second = (one | other for one, other in zip(genders, positions(nouns, clean["context"]), strict=True))
    candidates = (
        _candidate(options[0], nouns[0], "en", record.option1_en, first),
        _candidate(options[1], nouns[1], "en", record.option2_en, second),
    )
    return _item(record, language, clean["context"], candidates, meta)


def _english_item(record: Record, language: str) -> Item:
    first, second = positions((noun_of(record.option1_en), noun_of(record.option2_en)), record.context_en)
    candidates = (
        _candidate(record.option1_en, record.context_referent_of_option1, language, record.option1, first),
        _candidate(record.option2_en, record.context_referent_of_option2, language, record.option2, second),
    )
    meta = {"sentence": record.sentence, key("context", language): record.context}
    return _item(record, "en", record.context_en, candidates, meta)


def _candidate(option: str, referent: str, other: str, translation: str, more: dict[str, str]) -> Candidate:
    return Candidate(option, {"referent": referent, key("option", other): translation} | more)


def _item(record: Record, language: str, source: str, candidates: tuple[Candidate, ...], meta: dict[str, Any]) -> Item:
    return Item(
        id=record.id,
        task="fill",
        source_lang=language,
        target_lang=language,
        source=source,
        candidates=candidates,
        gold=record.answer - 1,
        group=stem(record.id),
        meta=meta,
    )


def stem(id: str) -> str:
    """What the ids of twins share."""
    match = _STEM.fullmatch(id)
    if not match:
        raise ValueError(f"qID: {id!r} does not end in -1 or -2")
    return match["stem"]


def lm_file(language: str) -> str:
    """The path in the data folder."""
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
        files=(lm_file(language),),
        read=partial(read, language=language),
        paper="Emelin and Sennrich 2021, Wino-X",
        licence="MIT (dataset card)",
        origin=origin,
    )
    for language in LANGUAGES
    for ending, side, read, origin in (
        ("", language, read_target, None),
        ("/english", "English", read_english, SetOrigin(f"wino-x/lm/en-{language}", "english", "parallel")),
    )
)
