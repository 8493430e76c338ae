"""ContraPro's texts with its annotations: which words the pronoun means, on both sides.

ContraCAT's `en.txt` and `de.txt` bring the context and no annotations, ContraPro's JSON the other way round. Here they
come together. The JSON of all 12,000 examples is put into the data folder by hand; the records of 4,272 of them are
published with ContraCAT's attacks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from referee.errors import InputError
from referee.io.files import existing
from referee.items import Field, Item, Span
from referee.languages.text import find_once
from referee.suites.contracat import LICENCE, read_groups
from referee.suites.contracat import PAPER as CONTRACAT
from referee.suites.contrapro import Record
from referee.suites.records import RecordNumber, json_list, place_of
from referee.suites.suite import Suite

_BASE = "contracat/adversarial_ContraPro"
_TEXTS = (f"{_BASE}/en.txt", f"{_BASE}/de.txt", f"{_BASE}/sentence_groups.txt")
_FULL = "contrapro/contrapro.json"
SUBSETS = {
    "possessive/maria": f"{_BASE}/possessive_extension/maria/modified_contrapro_subset.json",
    "possessive/woman": f"{_BASE}/possessive_extension/woman/modified_contrapro_subset.json",
    "synonyms": f"{_BASE}/synonyms/contrapro_subset.json",
}
"""Which examples an attack was applied to, and their records."""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_LETTERS = re.compile(r"[\W_]+")


@dataclass
class _Annotation:
    record: Record
    subsets: list[str] = field(default_factory=list)


def read_subsets(data: Path) -> Iterator[Item]:
    """The examples that ContraCAT published records of; `meta["subsets"]` says with which attacks."""
    items = list(read_groups(data / _BASE, data / f"{_BASE}/sentence_groups.txt"))
    examples = _ExampleIndex(items)
    annotations: dict[int, _Annotation] = {}
    for name, file in SUBSETS.items():
        last = -1
        for row, record in json_list(data / file, Record):
            index = examples.find(record, after=last)
            if index is None:
                problem = f"this example is not in the base texts, or out of order ({name})"
                raise InputError(problem, "download both again with `referee data get`", *place_of(data / file, row))
            last = index
            # The records of the synonym attack have lost their contrastive variants: those of the others go first.
            annotations.setdefault(index, _Annotation(record)).subsets.append(name)
    for index in sorted(annotations):
        yield _annotated(items[index], annotations[index].record, {"subsets": annotations[index].subsets})


def read_full(data: Path) -> Iterator[Item]:
    """All examples, with the JSON that ContraPro's authors make from OpenSubtitles: one record a group, in order."""
    records = [record for _, record in json_list(data / _FULL, Record)]
    items = list(read_groups(data / _BASE, data / f"{_BASE}/sentence_groups.txt"))
    if len(records) != len(items):
        problem = f"expected {len(items)} records, one per group of the base texts, but found {len(records)}"
        raise InputError(problem, "use the JSON file that the texts were made from", existing(data / _FULL))
    for row, (item, record) in enumerate(zip(items, records, strict=True), 1):
        if _letters(record.src_segment) != _letters(item.source):
            problem = f"the source sentence differs from that of item {item.id}"
            raise InputError(
                problem, "use the JSON file that the texts were made from", *place_of(data / _FULL, RecordNumber(row))
            )
        yield _annotated(item, record, {})


class _ExampleIndex:
    """Where an example stands among the base texts; some sentences occur in several."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._exact: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._loose: dict[tuple[str, str], list[int]] = defaultdict(list)
        for index, item in enumerate(items):
            source, target = item.source, item.candidates[0].text
            self._exact[_spaceless(source), _spaceless(target)].append(index)
            self._loose[_letters(source), _letters(target)].append(index)

    def find(self, record: Record, after: int) -> int | None:
        """The first fitting place behind `after`; the texts are in the order of the records."""
        source, target = record.src_segment, record.ref_segment
        same = self._exact.get((_spaceless(source), _spaceless(target))) or self._loose.get(
            (_letters(source), _letters(target)), []
        )
        behind = [index for index in same if index > after]
        phrase = (record.src_ante_phrase or "").lower()
        if record.ante_distance == 1:
            with_phrase = [index for index in behind if phrase in " ".join(self._items[index].source_context).lower()]
            behind = with_phrase or behind
        return behind[0] if behind else None


def _annotated(item: Item, record: Record, meta: dict[str, object]) -> Item:
    spans = (*_source_spans(item, record), *_antecedent(item, record), *item.spans)
    kept = {**item.meta, **meta, "record": msgspec.to_builtins(record)}
    return msgspec.structs.replace(item, distance=record.ante_distance, spans=spans, meta=kept)


def _source_spans(item: Item, record: Record) -> Iterator[Span]:
    span = find_once(record.src_pronoun, item.source) or find_once(record.src_pronoun.lower(), item.source)
    if span:
        yield Span("pronoun", "source", *span)


def _antecedent(item: Item, record: Record) -> Iterator[Span]:
    """The antecedent on both sides, or on neither: half of it is of no use."""
    if record.ante_distance == 0:
        source: tuple[Field, Sequence[str], int] = ("source", (item.source,), 0)
        target: tuple[Field, Sequence[str], int] = ("candidate", [candidate.text for candidate in item.candidates], 0)
    elif record.ante_distance <= len(item.source_context) and record.ante_distance <= len(item.target_context):
        first = len(item.source_context) - record.ante_distance
        source = ("source_context", item.source_context[first : first + 1], first)
        first = len(item.target_context) - record.ante_distance
        target = ("target_context", item.target_context[first : first + 1], first)
    else:
        return
    spans = [
        *_spans(*source, record.src_ante_phrase, record.src_ante_head_id),
        *_spans(*target, record.ref_ante_phrase, record.ref_ante_head_id),
    ]
    if len(spans) == len(source[1]) + len(target[1]):
        yield from spans


def _spans(field: Field, texts: Sequence[str], first: int, phrase: str | None, head: int | None) -> Iterator[Span]:
    for index, text in enumerate(texts, first):
        if span := _find(phrase or "", head, text):
            yield Span("antecedent", field, *span, index)


def _find(phrase: str, head: int | None, text: str) -> tuple[int, int] | None:
    """Where the phrase stands, in any casing; of several places that whose words are nearest to the annotated head."""
    tokens = _TOKEN.findall(phrase)
    if not tokens:
        return None
    pattern = r"\s*".join(map(re.escape, tokens))
    hits = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)]
    if len(hits) < 2 or head is None:
        return hits[0] if len(hits) == 1 else None
    return min(hits, key=lambda hit: abs(len(_TOKEN.findall(text[: hit[1]])) - head))


def _spaceless(text: str) -> str:
    return "".join(text.split()).lower()


def _letters(text: str) -> str:
    return _LETTERS.sub("", text).lower()


SUITES = (
    Suite(
        "contracat/contrapro/annotated",
        "ContraPro with context and antecedents, items with published records",
        (*_TEXTS, *SUBSETS.values()),
        read_subsets,
        CONTRACAT,
        LICENCE,
    ),
    Suite(
        "contracat/contrapro/full",
        "ContraPro with context and antecedents, all items",
        (*_TEXTS, _FULL),
        read_full,
        CONTRACAT,
        LICENCE,
    ),
)
