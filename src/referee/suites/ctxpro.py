"""CTXPRO: subtitle lines that cannot be translated without their context, and the form a translation must hold.

An evalset is a JSON list; row i belongs to line i of the inputs file of the same name, where up to ten sentences are
joined by `<eos>` and the last is the one to translate. Some sets were published without one of the two files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from referee.errors import InputError
from referee.io.files import count_lines, existing, text_lines
from referee.items import Item, Span
from referee.languages.forms import read as read_forms
from referee.languages.text import find_once, normalise_cyrillic
from referee.suites.records import json_list, spaced, to_items
from referee.suites.suite import Suite, is_there

PAPER = "Wicks and Post 2023, CTXPRO"
LICENCE = "Apache 2.0"
EOS = "<eos> "

_FEATURES = {
    "MASC": ("gender", "m"),
    "FEM": ("gender", "f"),
    "NEUT": ("gender", "n"),
    "SING": ("number", "sing"),
    "PLUR": ("number", "plur"),
    "FORM": ("formality", "formal"),
    "INFORM": ("formality", "informal"),
}
_EITHER = "INFORM+FORM"
"""A form of both: the rule of Italian `vi`."""
_ONE_FORMAL = "FORM+PLUR"
"""German Sie, French vous, Russian вы: one form, whether formal or plural."""
_ANIMACY = {
    "he": "animate",
    "him": "animate",
    "she": "animate",
    "her": "animate",
    "it": "inanimate",
    "its": "inanimate",
}
_TENSES = {
    "do": "present",
    "does": "present",
    "did": "past",
    "will": "future",
    "wo": "future",
    "'ll": "future",
    "would": "conditional",
    "'d": "conditional",
}
"""By the English auxiliary, where the form itself does not tell; `wo` is what the tokenizer left of `won't`."""
_CASES = {"NOM": "nom", "GEN": "gen", "DAT": "dat", "ACC": "acc", "INS": "ins", "LOC": "loc"}
_PARTS = re.compile(r"[.+]")


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename=spaced):
    """A row of an evalset; which of the optional fields there are depends on the phenomenon."""

    document_id: str
    segment_id: int
    rule: str
    expected: str
    src_segment: str
    ref_segment: str
    ante_distance: int | None = None
    intrasegmental: bool | None = None
    src_pronoun: str | None = None
    src_verb: str | None = None
    src_verb_lemma: str | None = None
    src_noun: str | None = None
    src_ante_segment: str | None = None
    src_ante_phrase: str | None = None
    src_ante_head: str | None = None
    src_ante_head_lemma: str | None = None
    src_ante_head_pos: str | None = None
    src_ante_head_morpho: str | None = None
    src_ante_head_gender: str | None = None
    src_ante_head_number: str | None = None
    src_ante_verb_lemma: str | None = None
    src_ante_noun_case: str | None = None
    ref_ante_segment: str | None = None
    ref_ante_phrase: str | None = None
    ref_ante_head: str | None = None
    ref_ante_head_lemma: str | None = None
    ref_ante_head_pos: str | None = None
    ref_ante_head_morpho: str | None = None
    ref_ante_head_gender: str | None = None
    ref_ante_head_number: str | None = None
    ref_verb_lemma: str | None = None
    ref_noun_case: str | None = None


_PLACED = frozenset({"rule", "expected", "src segment", "ref segment", "ante distance"})
"""Fields that have a place of their own in an item; the others go into its metadata."""


@dataclass(frozen=True)
class EvalSet:
    """One set of the paper or of the release, and its two files, either of which may be missing."""

    phenomenon: str
    pair: str
    split: str
    records: str
    inputs: str

    def id(self, row: int) -> str:
        """The id of a row, counted from 0."""
        return f"{self.phenomenon}.{self.pair}.{self.split}.{row}"


def read(data: Path, evalset: EvalSet) -> Iterator[Item]:
    """The items of a set; without inputs there is no context, without records nothing to look for."""
    records, inputs = data / evalset.records, data / evalset.inputs
    if not is_there(records):
        return _inputs_only(inputs, evalset)
    rows = list(json_list(records, Record))
    contexts: Iterator[list[str]] | None = None
    if is_there(inputs):
        contexts = (line.split(EOS) for line in text_lines(inputs))
        if (lines := count_lines(inputs)) != len(rows):
            problem = f"expected {len(rows)} lines, one per row of {existing(records).name}, but found {lines}"
            raise InputError(problem, "download both again with `referee data get`", existing(inputs))
    return to_items(records, rows, lambda row, record: _item(record, row - 1, evalset, contexts))


def _item(record: Record, row: int, evalset: EvalSet, contexts: Iterator[list[str]] | None) -> Item:
    source_lang, target_lang = evalset.pair.split("-")
    sentences = [record.src_segment] if contexts is None else next(contexts)
    if sentences[-1] != record.src_segment:
        raise ValueError(
            f"src segment: differs from the last sentence of line {row + 1} of {Path(evalset.inputs).name}"
        )
    expected = _written(record, target_lang)
    fields: dict[str, Any] = msgspec.to_builtins(record)
    meta = {name: value for name, value in fields.items() if name not in _PLACED}
    if expected.lower() != record.expected.lower():
        meta["published_expected"] = record.expected
    span = find_once(record.src_pronoun or record.src_verb or record.src_noun or "", record.src_segment)
    return Item(
        id=evalset.id(row),
        task="translate",
        source_lang=source_lang,
        target_lang=target_lang,
        source_context=tuple(sentences[:-1]),
        source=record.src_segment,
        reference=record.ref_segment,
        expected=(expected,),
        label=record.rule,
        distance=record.ante_distance,
        features=_features(record, evalset),
        spans=() if span is None else (Span("pronoun" if record.src_pronoun else "trigger", "source", *span),),
        meta=meta,
    )


def _features(record: Record, evalset: EvalSet) -> dict[str, str]:
    """The parts of the rule, and the value that the expected form shows where that is another."""
    parts = _PARTS.split(record.rule)
    features = dict(_FEATURES[part] for part in parts if part in _FEATURES)
    if _EITHER in record.rule:
        del features["formality"]
    elif "formality" in features:
        features["address"] = _address(record.rule, features)
    if evalset.phenomenon == "animacy" and (animacy := _ANIMACY.get(record.expected.lower())):
        features["animacy"] = animacy
    elif evalset.phenomenon == "auxiliary" and (tense := _tense(record, evalset.pair.split("-")[1])):
        features["tense"] = tense
    elif evalset.phenomenon == "inflection" and parts[0] in _CASES:
        features["case"] = _CASES[parts[0]]
    return features


def _address(rule: str, features: dict[str, str]) -> str:
    """What a system must settle on to write the same address everywhere: with `du` it is wrong where `ihr` is right."""
    return "formal" if _ONE_FORMAL in rule else " ".join(filter(None, (features["formality"], features.get("number"))))


def _tense(record: Record, language: str) -> str | None:
    read = read_forms(record.expected, language, "tense").values
    return next(iter(read)) if len(read) == 1 else _TENSES.get((record.src_verb or "").lower())


def _written(record: Record, language: str) -> str:
    # Evalsets write pronouns in lower case, but German tells the polite ones apart by their capital.
    if language == "de" and "FORM" in _PARTS.split(record.rule):
        return record.expected.capitalize()
    return normalise_cyrillic(record.expected) if language == "ru" else record.expected


def _inputs_only(path: Path, evalset: EvalSet) -> Iterator[Item]:
    source_lang, target_lang = evalset.pair.split("-")
    for row, line in enumerate(text_lines(path)):
        *context, source = line.split(EOS)
        yield Item(
            id=evalset.id(row),
            task="translate",
            source_lang=source_lang,
            target_lang=target_lang,
            source_context=tuple(context),
            source=source,
        )


def _suite(name: str, about: str, evalset: EvalSet) -> Suite:
    files = (evalset.records, evalset.inputs)
    return Suite(f"ctxpro/{name}", about, files, lambda data: read(data, evalset), PAPER, LICENCE, needs="any")


def _paper(phenomenon: str, pair: str) -> Suite:
    # Auxiliaries were few enough to be used whole; of the rest the paper drew a smaller set.
    stem = f"{'' if phenomenon == 'auxiliary' else 'mini.'}{phenomenon}.opensubtitles.{pair}.test"
    evalset = EvalSet(phenomenon, pair, "test", f"ctxpro/paper/jsons/{stem}.json", f"ctxpro/paper/inputs/{stem}")
    return _suite(f"paper/{phenomenon}/{pair}", f"CTXPRO {phenomenon} {pair}, the sets of Table 6", evalset)


def _release(phenomenon: str, pair: str, split: str) -> Suite:
    stem = f"{phenomenon}.opensubtitles.{pair}.{split}"
    evalset = EvalSet(phenomenon, pair, split, f"ctxpro/release/evalsets/{stem}.json", f"ctxpro/release/inputs/{stem}")
    return _suite(f"release/{phenomenon}/{pair}/{split}", f"CTXPRO {phenomenon} {pair}, release, {split}", evalset)


LANGUAGES = ("de", "es", "fr", "it", "pl", "pt", "ru")
PAIRS = {
    "auxiliary": tuple(f"en-{language}" for language in LANGUAGES),
    "formality": tuple(f"en-{language}" for language in LANGUAGES),
    "gender": tuple(f"en-{language}" for language in LANGUAGES),
    "animacy": tuple(f"{language}-en" for language in LANGUAGES),
    "inflection": ("en-pl", "en-ru"),
}
SPLITS = ("dev", "devtest", "test")

SUITES = (
    *(_paper(phenomenon, pair) for phenomenon, pairs in PAIRS.items() for pair in pairs),
    *(_release(phenomenon, pair, split) for phenomenon, pairs in PAIRS.items() for pair in pairs for split in SPLITS),
)
