"""MT-Wino-X: an English sentence with "it", and two translations whose pronouns agree with different nouns.

The original files are read where they are in the data folder. Without them German is rebuilt from LM-Wino-X: the gap
becomes the pronoun that agrees with each filler, and samples whose fillers have the same gender fall away. French and
Russian cannot be: their LM samples were chosen so that both fillers have the same gender, because the words around the
gap agree with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

from referee.items import GAP, Candidate, Item, Span
from referee.languages.text import changed_words, differing_words, find_once, normalise_cyrillic
from referee.suites.records import json_lines, placed, to_items
from referee.suites.suite import Suite, is_there
from referee.suites.winox import LANGUAGES, Record, gender_of, key, lm_file, lm_records, noun_of, positions, stem

GENDERS: dict[str, dict[str, str]] = {
    "de": {"er": "m", "ihn": "m", "sie": "f", "es": "n"},
    "fr": {"il": "m", "ils": "m", "elle": "f", "elles": "f"},
    "ru": {"он": "m", "она": "f", "оно": "n"},
}
"""Pronouns of the published translations, all of them nominative says the paper; "ihn" is for rebuilt ones."""

SAME_GENDER = "both fillers have the same gender"
NO_GENDER = "an article does not show the gender"

_PRONOUNS = {"m": "er", "f": "sie", "n": "es"}
_REFERENTS = tuple(f"{which}_translation_referent_of_pronoun{n}" for which in ("true", "false") for n in (1, 2))
_STARTS = re.compile(r"(^|[.!?][\"”“»]?\s+)[\"“„«]?$")


class Contrast(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the original files; the last four have the target language in their key and only serve analysis."""

    id: str = msgspec.field(name="qID")
    sentence: str
    translation1: str
    translation2: str
    answer: Literal[1, 2]
    pronoun1: str
    pronoun2: str
    referent1_en: str = ""
    referent2_en: str = ""
    true_translation_referent_of_pronoun1: str | None = None
    true_translation_referent_of_pronoun2: str | None = None
    false_translation_referent_of_pronoun1: str | None = None
    false_translation_referent_of_pronoun2: str | None = None


def read(data: Path, language: str) -> Iterator[Item]:
    """The original items, or for German what can be made of LM-Wino-X."""
    original = data / mt_file(language)
    return read_original(original, language) if is_there(original) else read_rebuilt(data / lm_file(language))


def read_original(path: Path, language: str) -> Iterator[Item]:
    """The published items; Latin letters in Russian words are replaced, and `meta["normalised"]` has what was there."""
    rows = list(json_lines(path, _contrast_type(language)))
    twins = _twins([(record.id, record.sentence) for _, record in rows])
    return to_items(path, rows, lambda _, record: _original(record, language, twins.get(record.id)))


def read_rebuilt(path: Path) -> Iterator[Item]:
    """The German items, from LM-Wino-X."""
    rebuilt = ((line, item) for line, _, item in rebuild(path) if isinstance(item, Item))
    return to_items(path, rebuilt, lambda _, item: item)


def rebuild(path: Path) -> Iterator[tuple[int, Record, Item | str]]:
    """Every line of German LM-Wino-X with the item it becomes, or why it becomes none."""
    rows = list(lm_records(path, "de"))
    nouns = _nouns(record for _, record in rows)
    twins = _twins([(record.id, record.sentence) for _, record in rows])
    for line, record in rows:
        with placed(path, line):
            yield line, record, _rebuilt(record, nouns, twins.get(record.id))


def _original(record: Contrast, language: str, twin: str | None) -> Item:
    fields = ("translation1", "translation2", "pronoun1", "pronoun2", *_REFERENTS)
    published = {field: getattr(record, field) for field in fields}
    clean = {
        field: normalise_cyrillic(text) if language == "ru" and text else text for field, text in published.items()
    }
    named = {field: key(field, language) if field in _REFERENTS else field for field in fields}
    changed = {named[field]: text for field, text in published.items() if text != clean[field]}
    meta: dict[str, Any] = {named[field]: clean[field] for field in _REFERENTS if clean[field] is not None}
    meta |= {"normalised": changed} if changed else {}
    referents = [
        clean[f"{'true' if record.answer == n else 'false'}_translation_referent_of_pronoun{n}"] or "" for n in (1, 2)
    ]
    return _item(
        record.id,
        language,
        record.sentence,
        translations=(clean["translation1"], clean["translation2"]),
        pronouns=(clean["pronoun1"], clean["pronoun2"]),
        nouns=(record.referent1_en, record.referent2_en),
        referents=(referents[0], referents[1]),
        gold=record.answer - 1,
        pronoun=find_once("it", record.sentence) or find_once("It", record.sentence),
        twin=twin,
        meta=meta,
    )


def _rebuilt(record: Record, nouns: dict[str, str], twin: str | None) -> Item | str:
    genders = [gender_of(option, "de") or nouns.get(_noun(option)) for option in (record.option1, record.option2)]
    if None in genders:
        return NO_GENDER
    if genders[0] == genders[1]:
        return SAME_GENDER
    options = (record.option1, record.option2)
    forms = [_pronoun(option, str(gender)) for option, gender in zip(options, genders, strict=True)]
    before, _, after = record.context.partition(GAP)
    if _STARTS.search(before):
        forms = [form.capitalize() for form in forms]
    return _item(
        record.id,
        "de",
        record.sentence,
        translations=(before + forms[0] + after, before + forms[1] + after),
        pronouns=(forms[0], forms[1]),
        nouns=(noun_of(record.option1_en), noun_of(record.option2_en)),
        referents=(record.context_referent_of_option1, record.context_referent_of_option2),
        gold=record.answer - 1,
        pronoun=_gap_in(record),
        twin=twin,
        meta={
            "rebuilt": "LM-Wino-X",
            "context_de": record.context,
            "option1_de": record.option1,
            "option2_de": record.option2,
        },
    )


def _item(
    id: str,
    language: str,
    sentence: str,
    *,
    translations: tuple[str, str],
    pronouns: tuple[str, str],
    nouns: tuple[str, str],
    referents: tuple[str, str],
    gold: int,
    pronoun: tuple[int, int] | None,
    twin: str | None,
    meta: dict[str, Any],
) -> Item:
    noun_positions = positions(nouns, sentence)
    genders = [GENDERS[language].get(form.lower()) for form in pronouns]
    candidates = tuple(
        Candidate(
            translations[n],
            {"pronoun": pronouns[n]}
            | ({"gender": gender} if (gender := genders[n]) else {})
            | ({"referent": referents[n]} if referents[n] else {})
            | ({"referent_en": nouns[n]} if nouns[n] else {})
            | noun_positions[n],
        )
        for n in (0, 1)
    )
    roles = ("antecedent", "distractor") if gold == 0 else ("distractor", "antecedent")
    spans = [Span("pronoun", "source", *pronoun)] if pronoun else []
    spans += [
        Span(role, "source", *span)
        for role, noun in zip(roles, nouns, strict=True)
        if (span := find_once(noun, sentence))
    ]
    if twin is not None:
        spans += [Span("trigger", "source", *span) for span in differing_words(sentence, twin)[0]]
    for index, (text, differing) in enumerate(zip(translations, changed_words(translations), strict=True)):
        spans += _candidate_spans(index, text, pronouns[index], differing, zip(roles, referents, strict=True))
    return Item(
        id=id,
        task="translate",
        source_lang="en",
        target_lang=language,
        source=sentence,
        candidates=candidates,
        gold=gold,
        group=stem(id),
        spans=tuple(spans),
        meta=meta,
    )


def _candidate_spans(
    index: int, text: str, pronoun: str, differing: list[tuple[int, int]], referents: Iterator[tuple[str, str]]
) -> Iterator[Span]:
    pronouns = [span for span in differing if text[slice(*span)].lower() == pronoun.lower()]
    if span := pronouns[0] if len(pronouns) == 1 else find_once(pronoun, text):
        yield Span("pronoun", "candidate", *span, index)
    for role, referent in referents:
        if span := find_once(referent, text):
            yield Span(role, "candidate", *span, index)


def _twins(sentences: list[tuple[str, str]]) -> dict[str, str]:
    """By id, the sentence of the other twin."""
    by_id = dict(sentences)
    other = {record_id: f"{record_id[:-1]}{'2' if record_id.endswith('1') else '1'}" for record_id in by_id}
    return {record_id: by_id[twin] for record_id, twin in other.items() if twin in by_id}


def _nouns(records: Iterator[Record]) -> dict[str, str]:
    """Nouns whose gender the articles of the file agree on, for those that stand with "sein" or "mein"."""
    seen: dict[str, set[str]] = {}
    for record in records:
        for option in (record.option1, record.option2):
            if gender := gender_of(option, "de"):
                seen.setdefault(_noun(option), set()).add(gender)
    return {noun: genders.pop() for noun, genders in seen.items() if len(genders) == 1}


def _noun(option: str) -> str:
    return option.strip().partition(" ")[2]


def _pronoun(option: str, gender: str) -> str:
    """Nominative, as the paper's filter has it, unless the article says otherwise."""
    return "ihn" if option.strip().lower().startswith("den ") else _PRONOUNS[gender]


def _gap_in(record: Record) -> tuple[int, int] | None:
    """Where "it" stands for the gap; a few contexts have "The _" there."""
    gap = record.context_en.index(GAP) if GAP in record.context_en else 0
    for start in (gap, gap - len("The ")):
        if record.sentence[max(0, start) : start + 2].lower() == "it":
            return start, start + 2
    return find_once("it", record.sentence)


def mt_file(language: str) -> str:
    """The path of the original in the data folder."""
    return f"winograd-multilingual/wino-x/mt_wino_x.en-{language}.jsonl"


def _contrast_type(language: str) -> type[Contrast]:
    """`Contrast` with the published keys of one language, so that errors name them too."""
    renamed = {field: key(field, language) for field in _REFERENTS}
    fields = [(field, str | None, None) for field in _REFERENTS]
    struct = msgspec.defstruct(
        "Contrast", fields, bases=(Contrast,), rename=renamed, frozen=True, forbid_unknown_fields=True, kw_only=True
    )
    return cast("type[Contrast]", struct)


SUITES: tuple[Suite, ...] = tuple(
    Suite(
        name=f"wino-x/mt/en-{language}",
        about=f"MT-Wino-X en-{language}{' (original, or rebuilt from LM-Wino-X)' if language == 'de' else ''}",
        # Whichever is there; the original where both are.
        files=(mt_file(language), lm_file(language)) if language == "de" else (mt_file(language),),
        read=partial(read, language=language),
        paper="Emelin and Sennrich 2021, Wino-X",
        licence="MIT (dataset card)",
        needs="any",
    )
    for language in LANGUAGES
)
