"""Items as JSON Lines: one object per line, validated as it is read, and one byte string per item as it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, get_args

import msgspec

from referee.errors import InputError, either
from referee.io.decoding import explained, refuse_repeated_keys
from referee.io.files import byte_lines
from referee.items import SCHEMA_VERSION, ChangeKind, Field, Item, Task

_decoder = msgspec.json.Decoder(Item)
_encoder = msgspec.json.Encoder(order="deterministic")
_CHOICES = {"task": get_args(Task), "field": get_args(Field), "kind": get_args(ChangeKind)}


def read_items(path: Path) -> Iterator[Item]:
    """The items of a file one by one; errors name the line."""
    return (decode(line, path, number) for number, line in enumerate(byte_lines(path), 1))


def write_items(items: Iterable[Item], file: IO[bytes]) -> None:
    """Write items into an open file."""
    file.writelines(canonical(item) + b"\n" for item in items)


def canonical(item: Item) -> bytes:
    """The one byte string of an item: fields in order, defaults left out, inner keys sorted."""
    return _encoder.encode(item)


def is_canonical(lines: Iterable[bytes]) -> bool:
    """Whether every line is the one byte string of an item, as `write_items` leaves it."""
    try:
        return all(canonical(_decoder.decode(line)) == line for line in lines)
    except (ValueError, RecursionError):
        return False


def decode(line: bytes, file: Path | str, number: int | None) -> Item:
    """One line of JSON as an item, or an error that names file, line, field and remedy."""
    try:
        item = _decoder.decode(line)
        # What we wrote ourselves has one form only, and no key twice.
        if canonical(item) != line:
            refuse_repeated_keys(line)
        return item
    except (ValueError, RecursionError) as error:
        if not line.strip():
            raise InputError("is blank, expected a JSON object", "write one item per line", file, number) from None
        fault = explained(_deepest(error, line), "correct the item")
        if fault.problem.startswith("invalid enum value") and fault.field:
            choices = _CHOICES.get(fault.field.rpartition(".")[2], ())
            fault = InputError(fault.problem, f"choose {either(choices)}", field=fault.field)
        if fault.field == "schema":
            fault = other_version()
        raise fault.at(file, number) from None


def other_version() -> InputError:
    """The error for items of an older or newer schema."""
    problem = f"is not {SCHEMA_VERSION}, the schema version that this referee reads"
    remedy = f'create the file again, or write "schema": {SCHEMA_VERSION} if it is older and has no perturbed items'
    return InputError(problem, remedy, field="schema")


def _deepest(error: Exception, line: bytes) -> Exception:
    """If the line is not JSON at all, that is what is wrong with it, not the field the decoder had come to."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as broken:
        return broken
    return error
