"""Challenge sets: items in files, read as a stream, identified by the hash of their content."""

from referee.sets.item_set import (
    FORMATS,
    Fingerprint,
    Hasher,
    Items,
    ItemSet,
    as_set,
    format_of,
    load,
    of_items,
    save,
    stream,
    unchecked,
    wrote,
)
from referee.sets.jsonl import canonical, decode

__all__ = [
    "FORMATS",
    "Fingerprint",
    "Hasher",
    "ItemSet",
    "Items",
    "as_set",
    "canonical",
    "decode",
    "format_of",
    "load",
    "of_items",
    "save",
    "stream",
    "unchecked",
    "wrote",
]
