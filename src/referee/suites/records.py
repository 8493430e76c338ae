"""Published files as typed records, and records as items; what does not fit is an error with its file and line.

A suite describes a record as a frozen `msgspec.Struct` (with `forbid_unknown_fields`), reads it with `json_lines`,
`json_list`, `json_object` or `tsv`, and turns it into an item with a function of its own, which `to_items` calls. Such
a function raises a plain `ValueError("field: what is wrong")`, as `Item` itself does; its place in the file is added
here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from referee.io.decoding import explained, refuse_repeated_keys
from referee.io.files import byte_lines, existing, read_bytes, text_lines
from referee.items import Item

T = TypeVar("T")

REMEDY = "fix it, or download the file again with `referee data get`"


class RecordNumber(int):
    """The number of a record, where it is not the number of a line."""


def json_lines(path: Path, type: type[T], *, crlf: bool = False) -> Iterator[tuple[int, T]]:
    """The records of a JSON Lines file with their line numbers."""
    decoder = msgspec.json.Decoder(type)
    for line, text in enumerate(byte_lines(path, crlf=crlf), 1):
        with placed(path, line):
            record = decoder.decode(text)
            refuse_repeated_keys(text)
        yield line, record


def json_list(path: Path, type: type[T]) -> Iterator[tuple[int, T]]:
    """The records of a file that is one JSON list, with their numbers, from 1."""
    decoder = msgspec.json.Decoder(type)
    with placed(path):
        rows = msgspec.json.decode(read_bytes(path), type=list[msgspec.Raw])
    for row, raw in enumerate(rows, 1):
        with placed(path, number := RecordNumber(row)):
            record = decoder.decode(raw)
            refuse_repeated_keys(bytes(raw))
        yield number, record


def json_object(path: Path, type: type[T]) -> Iterator[tuple[int, tuple[str, T]]]:
    """The records of a file that is one JSON object, with their keys; what counts as their line is the row, from 1."""
    decoder = msgspec.json.Decoder(type)
    content = read_bytes(path)
    with placed(path):
        rows = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        # Of a repeated key only the last record would be left.
        keys = Counter(key for key, _ in json.loads(content, object_pairs_hook=list))
        if repeated := next((key for key, times in keys.items() if times > 1), None):
            raise ValueError(f"the key {repeated!r} occurs twice")
    for row, (key, raw) in enumerate(rows.items(), 1):
        with placed(path, row):
            record = decoder.decode(raw)
        yield row, (key, record)


def tsv(path: Path, columns: int) -> Iterator[tuple[int, list[str]]]:
    """The rows of a tab-separated file without quoting, a header included; each must have as many columns."""
    for line, text in enumerate(text_lines(path), 1):
        cells = text.split("\t")
        with placed(path, line):
            if len(cells) != columns:
                raise ValueError(f"expected {columns} columns, but found {len(cells)}")
        yield line, cells


def spaced(name: str) -> str:
    """The key of a field in sets that write `src segment` for `src_segment`."""
    return name.replace("_", " ")


def to_items(path: Path, rows: Iterable[tuple[int, T]], convert: Callable[[int, T], Item]) -> Iterator[Item]:
    """One item per record: `convert` gets the line and the record. A repeated id is an error."""
    seen: set[str] = set()
    for line, record in rows:
        with placed(path, line):
            item = convert(line, record)
            if item.id in seen:
                raise ValueError(f"id: {item.id!r} occurs twice")
        seen.add(item.id)
        yield item


@contextmanager
def placed(path: Path, line: int | None = None) -> Iterator[None]:
    """Turns a `ValueError` of the block (all that decoders and `Item` raise are) into an `InputError` at its place."""
    try:
        yield
    except (ValueError, RecursionError) as error:
        raise explained(error, REMEDY).at(*place_of(path, line)) from None


def place_of(path: Path, line: int | None) -> tuple[Path | str, int | None]:
    """The file and the line of an error; a record of a list is named by its number, since it has no line of its own."""
    if isinstance(line, RecordNumber):
        return f"{existing(path)}, record {line}", None
    return existing(path), line
