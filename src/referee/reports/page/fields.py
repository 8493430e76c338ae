"""How the page shows the fields of an item; the script gets this layout along with the items.

Texts and candidates are laid out here. Every other field of `Item` is a fact under its own name, so a field that is
added there reaches the page without a change here or in the script.
"""

from __future__ import annotations

from typing import Literal, get_origin

import msgspec

from referee.items import Item

HIDDEN = frozenset({"meta", "spans", "source_lang", "target_lang"})
"""Not shown as such: `meta` is free and may be large, spans are marks in the texts, and labels name the languages."""


_TYPES = {field.name: field.type for field in msgspec.structs.fields(Item)}


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of an opened item: fields with their labels, in reading order.

    `text` joins the fields to a paragraph, `candidates` is a table with scores, `facts` are names with values.
    `language` is the field that says which language they are in.
    """

    label: str
    view: Literal["text", "candidates", "facts"]
    fields: dict[str, str]
    language: str = ""


def layout() -> list[Row]:
    """The rows of an opened item; the last one has the fields that no other row shows."""
    rows = [
        Row("Source", "text", _labels("source_context", "source"), "source_lang"),
        Row("Question", "text", _labels("question"), "source_lang"),
        Row("Target context", "text", _labels("target_context"), "target_lang"),
        Row("Candidates", "candidates", _labels("candidates", "gold"), "target_lang"),
        Row("Expected forms", "facts", _labels("expected"), "target_lang"),
        Row("Reference", "text", _labels("reference"), "target_lang"),
    ]
    shown = HIDDEN.union(*(row.fields for row in rows))
    return [*rows, Row("Metadata", "facts", _labels(*(name for name in _TYPES if name not in shown)))]


def _labels(*names: str) -> dict[str, str]:
    """Names of fields with their labels; the keys of a mapping name themselves."""
    return {name: "" if get_origin(_TYPES[name]) is dict else name.replace("_", " ") for name in names}
