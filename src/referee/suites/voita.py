"""The English-Russian consistency tests of Voita et al.: deixis, ellipsis, lexical cohesion.

Four tokenised sentences; candidates differ in the last one only. Items that share the English text and the
candidates, but not the Russian context and so not the correct answer, are one group.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from referee.items import Candidate, Item, repeated
from referee.suites.records import json_list, to_items
from referee.suites.suite import Suite

SEPARATOR = " _eos "
SENTENCES = 4
LABELS = {
    "deixis-dev": "deixis",
    "deixis-test": "deixis",
    "ellipsis-infl": "ellipsis-infl",
    "ellipsis-vp": "ellipsis-vp",
    "lex-cohesion-dev": "lex-cohesion",
    "lex-cohesion-test": "lex-cohesion",
}


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published record; `ctx_dist` says how many sentences back the decisive one is."""

    src: str
    dst: list[str]
    true_ind: int
    ctx_dist: int


def read(data: Path, name: str) -> Iterator[Item]:
    """The items of a set, numbered by row."""
    path = data / _file(name)
    first: dict[tuple[str, frozenset[str]], str] = {}

    def convert(row: int, record: Record) -> Item:
        item = _item(record, f"voita.{name}.{row - 1}", LABELS[name])
        key = record.src, frozenset(candidate.text for candidate in item.candidates)
        return msgspec.structs.replace(item, group=first.setdefault(key, item.id))

    return to_items(path, json_list(path, Record), convert)


def _item(record: Record, id: str, label: str) -> Item:
    *source_context, source = _sentences(record.src, "src")
    alternatives = [_sentences(text, "dst") for text in record.dst]
    contexts = {tuple(context) for *context, _ in alternatives}
    if len(contexts) != 1:
        raise ValueError("dst: the candidates differ before their last sentence")
    return Item(
        id=id,
        task="translate",
        source_lang="en",
        target_lang="ru",
        source=source,
        source_context=tuple(source_context),
        target_context=contexts.pop(),
        candidates=tuple(Candidate(last) for *_, last in alternatives),
        gold=record.true_ind,
        label=label,
        distance=record.ctx_dist,
        features=repeated(last for *_, last in alternatives),
    )


def _sentences(text: str, field: str) -> list[str]:
    sentences = text.split(SEPARATOR)
    if len(sentences) != SENTENCES:
        raise ValueError(f"{field}: expected {SENTENCES} sentences, but found {len(sentences)}")
    return sentences


def _file(name: str) -> str:
    return f"parallel/voita-consistency-en-ru/{name.replace('-', '_')}.json"


SUITES: tuple[Suite, ...] = tuple(
    Suite(
        name=f"voita/{name}",
        about=f"Consistency of English-Russian translations in context: {name}",
        files=(_file(name),),
        read=partial(read, name=name),
        paper="Voita, Sennrich and Titov 2019, When a Good Translation is Wrong in Context",
        licence="not stated",
    )
    for name in LABELS
)
