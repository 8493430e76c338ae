"""Challenge sets: items in files (JSON Lines, gzip, Parquet), read as a stream, named by the hash of their content."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO, get_args

import msgspec

from referee.errors import InputError
from referee.io.decoding import explained
from referee.io.files import atomic_write, byte_lines, existing
from referee.items import SCHEMA_VERSION, ChangeKind, Field, Item, SetOrigin, Task

FORMATS = (".jsonl", ".jsonl.gz", ".parquet")

_decoder = msgspec.json.Decoder(Item)
_encoder = msgspec.json.Encoder(order="deterministic")
_CHOICES = {"task": get_args(Task), "field": get_args(Field), "kind": get_args(ChangeKind)}


@dataclass(frozen=True)
class Fingerprint:
    """What identifies a set: how many items, and the hash of their content, whatever the file format."""

    items: int
    sha256: str


@dataclass(frozen=True)
class ItemSet:
    """A named, re-readable stream of items. Iterating starts anew each time and keeps nothing in memory.

    `origin` names the set that this one was made of, where that is known before its items are read.
    """

    name: str
    read: Callable[[], Iterator[Item]]
    origin: SetOrigin | None = None

    def __iter__(self) -> Iterator[Item]:
        return self.read()

    def head(self, count: int | None) -> ItemSet:
        """The first `count` items; all where it is None."""
        return self if count is None else replace(self, read=lambda: islice(self.read(), count))

    def fingerprint(self) -> Fingerprint:
        """Reads, and so validates, the whole set once."""
        hasher = Hasher()
        for item in self:
            hasher.add(item)
        return hasher.fingerprint()


Items = ItemSet | Iterable[Item]
"""A set, or items in memory."""


class Hasher:
    """Takes a set's fingerprint while its items pass by."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._items = 0

    def line(self, item: Item) -> bytes:
        """Count the item in; what is hashed is its line in a file, which is handed back."""
        line = canonical(item) + b"\n"
        self._digest.update(line)
        self._items += 1
        return line

    def add(self, item: Item) -> Item:
        """Count the item in and hand it on."""
        self.line(item)
        return item

    def fingerprint(self) -> Fingerprint:
        """The fingerprint of what has passed so far."""
        return Fingerprint(self._items, self._digest.hexdigest())


def of_items(name: str, items: Iterable[Item]) -> ItemSet:
    """A set held in memory; ids must differ."""
    kept = tuple(items)
    seen: set[str] = set()
    for item in kept:
        if item.id in seen:
            raise InputError(f"the id {item.id!r} occurs twice in {name}", "give every item an id of its own")
        seen.add(item.id)
    return ItemSet(name, lambda: iter(kept))


def as_set(items: Items, name: str = "items") -> ItemSet:
    """A set as it is, items in memory as a set of that name."""
    return items if isinstance(items, ItemSet) else of_items(name, items)


def canonical(item: Item) -> bytes:
    """The one byte string of an item: fields in order, defaults left out, inner keys sorted."""
    return _encoder.encode(item)


def decode(line: bytes, file: Path | str, number: int | None) -> Item:
    """One line of JSON as an item, or an error that names file, line, field and remedy."""
    try:
        return _decoder.decode(line)
    except ValueError as error:
        if not line.strip():
            raise InputError("is blank", "write one JSON object a line", file, number) from None
        found = explained(_deepest(error, line), "correct it (docs/items.md)")
        if found.problem.startswith("invalid enum value") and found.field:
            choices = _CHOICES.get(found.field.rpartition(".")[2], ())
            found = InputError(found.problem, f"choose {' or '.join(choices)}", field=found.field)
        if found.field == "schema":
            found = other_version()
        raise found.at(file, number) from None


def other_version() -> InputError:
    """The error for items of an older or newer schema."""
    problem = f"the schema version is not {SCHEMA_VERSION}, the one that this referee reads"
    remedy = (
        f'make the file again, or write "schema": {SCHEMA_VERSION} if it is older and none of its items was perturbed'
    )
    return InputError(problem, remedy, field="schema")


def load(path: Path) -> ItemSet:
    """The set in a file; the format follows from the name."""
    path = existing(path)
    format_of(path)
    return ItemSet(str(path), lambda: stream(path))


def stream(path: Path) -> Iterator[Item]:
    """The items of a file one by one; a repeated id is an error."""
    seen: set[int] = set()
    for number, item in enumerate(unchecked(path), 1):
        # Hashes instead of ids keep a set of millions small; a hit is looked up before it is believed.
        key = hash(item.id)
        if key in seen and (first := _line_of(item.id, path, before=number)):
            raise InputError(f"the id {item.id!r} is also in line {first}", "give it another id", path, number, "id")
        seen.add(key)
        yield item


def save(items: Iterable[Item], path: Path) -> Fingerprint:
    """Writes a set, whole or not at all, in the format its name says."""
    kind = format_of(path)
    hasher = Hasher()
    passing = map(hasher.add, items)
    with atomic_write(path) as file:
        if kind == ".parquet":
            from referee.sets import parquet

            parquet.write_items(passing, file)
        elif kind == ".jsonl.gz":
            # No name and no time in the header: the same set gives the same bytes.
            with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0, compresslevel=6) as packed:
                _write_lines(passing, packed)
        else:
            _write_lines(passing, file)
    return hasher.fingerprint()


def format_of(path: Path) -> str:
    """Which of `FORMATS` a name stands for."""
    for ending in reversed(FORMATS):
        if path.name.endswith(ending):
            return ending
    known = ", ".join(f"*{ending}" for ending in FORMATS)
    raise InputError("has no known ending", f"name it {known}", file=path)


def _deepest(error: Exception, line: bytes) -> Exception:
    """Where the line is no JSON at all, that is what is wrong with it, not the field the decoder had come to."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as broken:
        return broken
    return error


def _write_lines(items: Iterable[Item], file: IO[bytes] | gzip.GzipFile) -> None:
    for item in items:
        file.write(canonical(item) + b"\n")


def unchecked(path: Path) -> Iterator[Item]:
    """The items of a file one by one, whatever their ids: a file of several sets may have some twice."""
    path = existing(path)
    if format_of(path) == ".parquet":
        from referee.sets import parquet

        return parquet.read_items(path)
    return (decode(line, path, number) for number, line in enumerate(byte_lines(path), 1))


def _line_of(id: str, path: Path, before: int) -> int | None:
    return next((n for n, item in enumerate(islice(unchecked(path), before - 1), 1) if item.id == id), None)
