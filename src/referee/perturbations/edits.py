"""Edits of an item's texts that keep its spans on the words they mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from referee.items import Candidate, Field, Item, Span

TextKey = tuple[Field, int]
"""A text of an item: its field, and which sentence of a context or which candidate."""


@dataclass(frozen=True)
class Edit:
    """Replacement of the characters `start` to `end` by `new`; an insertion if both are the same.

    An insertion at the border of a span stays outside of it, unless `inside` says otherwise.
    """

    start: int
    end: int
    new: str
    inside: bool = False


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text after all edits, which must not overlap."""
    parts, last = [], 0
    for edit in _ordered(edits):
        parts += [text[last : edit.start], edit.new]
        last = edit.end
    return "".join((*parts, text[last:]))


def shifted(span: Span, edits: Sequence[Edit]) -> Span | None:
    """The span of the same words after the edits; None if nothing is left of it.

    The new words of a replacement that crosses the border of a span belong to the span.
    """
    start, end = span.start, span.end
    for edit in _ordered(edits):
        growth = len(edit.new) - (edit.end - edit.start)
        is_insertion = edit.start == edit.end
        if edit.end <= span.start and not (is_insertion and edit.inside and edit.start == span.start):
            start += growth
        elif edit.start < span.start < edit.end:
            start += edit.start - span.start
        if edit.end <= span.end and not (is_insertion and not edit.inside and edit.start == span.end):
            end += growth
        elif edit.start < span.end < edit.end:
            end += edit.start + len(edit.new) - span.end
    return msgspec.structs.replace(span, start=start, end=end) if start < end else None


def text_at(item: Item, key: TextKey) -> str:
    """The text of the item with that key."""
    field, index = key
    if field == "source":
        return item.source
    if field == "candidate":
        return item.candidates[index].text
    return (item.source_context if field == "source_context" else item.target_context)[index]


def rewritten(item: Item, edits: Mapping[TextKey, Sequence[Edit]]) -> dict[str, Any]:
    """The fields of the item that the edits change, with the spans."""

    def new(field: Field, index: int, text: str) -> str:
        return edited(text, edits[field, index]) if (field, index) in edits else text

    touched = {field for field, _ in edits}
    fields: dict[str, Any] = {}
    if "source" in touched:
        fields["source"] = new("source", 0, item.source)
    if "source_context" in touched:
        fields["source_context"] = tuple(new("source_context", *pair) for pair in enumerate(item.source_context))
    if "target_context" in touched:
        fields["target_context"] = tuple(new("target_context", *pair) for pair in enumerate(item.target_context))
    if "candidate" in touched:
        candidates = tuple(
            Candidate(new("candidate", index, candidate.text), candidate.features)
            for index, candidate in enumerate(item.candidates)
        )
        fields["candidates"] = candidates
        if item.gold is not None and item.reference == item.candidates[item.gold].text:
            fields["reference"] = candidates[item.gold].text
    if any(span.field in touched for span in item.spans):
        moved = (
            shifted(span, edits[span.field, span.index]) if (span.field, span.index) in edits else span
            for span in item.spans
        )
        fields["spans"] = tuple(span for span in moved if span is not None)
    return fields


def _ordered(edits: Sequence[Edit]) -> list[Edit]:
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for before, after in pairwise(ordered):
        if after.start < before.end:
            raise ValueError(f"the edits {before} and {after} overlap")
    return ordered
