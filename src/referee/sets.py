"""Challenge sets: items in files (JSON Lines, gzip, Parquet), read as a stream, named by the hash of their content."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

import msgspec

from referee.errors import InputError, UsageError
from referee.files import atomic_write, byte_lines, existing
from referee.items import SCHEMA_VERSION, Item

FORMATS = (".jsonl", ".jsonl.gz", ".parquet")

_decoder = msgspec.json.Decoder(Item)
_encoder = msgspec.json.Encoder(order="deterministic")
_PATH = re.compile(r"(?P<problem>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)?", re.DOTALL)
_NAMED = re.compile(r"(?P<field>[a-z_]+): (?P<problem>.*)", re.DOTALL)


@dataclass(frozen=True)
class Fingerprint:
    """What identifies a set: how many items, and the hash of their content, whatever the file format."""

    items: int
    sha256: str


@dataclass(frozen=True)
class ChallengeSet:
    """A named, re-readable stream of items. Iterating starts anew each time and keeps nothing in memory."""

    name: str
    read: Callable[[], Iterator[Item]]

    def __iter__(self) -> Iterator[Item]:
        return self.read()

    def head(self, count: int | None) -> ChallengeSet:
        """The first `count` items; all where it is None."""
        return self if count is None else ChallengeSet(self.name, lambda: islice(self.read(), count))

    def fingerprint(self) -> Fingerprint:
        """Reads, and so validates, the whole set once."""
        digest, count = hashlib.sha256(), 0
        for item in self:
            digest.update(canonical(item))
            digest.update(b"\n")
            count += 1
        return Fingerprint(count, digest.hexdigest())


def of_items(name: str, items: Iterable[Item]) -> ChallengeSet:
    """A set held in memory; ids must differ."""
    kept = tuple(items)
    seen: set[str] = set()
    for item in kept:
        if item.id in seen:
            raise InputError(f"the id {item.id!r} occurs twice in {name}", "give every item an id of its own")
        seen.add(item.id)
    return ChallengeSet(name, lambda: iter(kept))


def canonical(item: Item) -> bytes:
    """The one byte string of an item: fields in order, defaults left out, inner keys sorted."""
    return _encoder.encode(item)


def decode(line: bytes, file: Path | str, number: int | None) -> Item:
    """One line of JSON as an item, or an error that names file, line, field and remedy."""
    try:
        return _decoder.decode(line)
    except msgspec.ValidationError as error:
        raise _explain(str(error)).at(file, number) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        problem = "is blank" if not line.strip() else f"is not JSON ({error})"
        raise InputError(problem, "write one JSON object a line, in UTF-8", file, number) from None


def load(path: Path) -> ChallengeSet:
    """The set in a file; the format follows from the name."""
    path = existing(path)
    format_of(path)
    return ChallengeSet(str(path), lambda: stream(path))


def stream(path: Path) -> Iterator[Item]:
    """The items of a file one by one; a repeated id is an error."""
    seen: set[int] = set()
    for number, item in enumerate(_read(path), 1):
        # Hashes instead of ids keep a set of millions small; a hit is looked up before it is believed.
        key = hash(item.id)
        if key in seen and (first := _line_of(item.id, path, before=number)):
            raise InputError(f"the id {item.id!r} is also in line {first}", "give it another id", path, number, "id")
        seen.add(key)
        yield item


def save(items: Iterable[Item], path: Path) -> Fingerprint:
    """Writes a set, whole or not at all, in the format its name says."""
    kind = format_of(path)
    digest, count = hashlib.sha256(), 0

    def counted() -> Iterator[Item]:
        nonlocal count
        for item in items:
            digest.update(canonical(item))
            digest.update(b"\n")
            count += 1
            yield item

    with atomic_write(path) as file:
        if kind == ".parquet":
            from referee import parquet

            parquet.write_items(counted(), file)
        elif kind == ".jsonl.gz":
            # No name and no time in the header: the same set gives the same bytes.
            with gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0, compresslevel=6) as packed:
                _write_lines(counted(), packed)
        else:
            _write_lines(counted(), file)
    return Fingerprint(count, digest.hexdigest())


def format_of(path: Path) -> str:
    """Which of `FORMATS` a name stands for."""
    for ending in reversed(FORMATS):
        if path.name.endswith(ending):
            return ending
    raise UsageError(f"'{path.name}' has no known ending", f"name it {', '.join('*' + ending for ending in FORMATS)}")


def _write_lines(items: Iterable[Item], file: IO[bytes] | gzip.GzipFile) -> None:
    for item in items:
        file.write(canonical(item) + b"\n")


def _read(path: Path) -> Iterator[Item]:
    path = existing(path)
    if format_of(path) == ".parquet":
        from referee import parquet

        return parquet.read_items(path)
    return (decode(line, path, number) for number, line in enumerate(byte_lines(path), 1))


def _line_of(id: str, path: Path, before: int) -> int | None:
    return next((n for n, item in enumerate(islice(_read(path), before - 1), 1) if item.id == id), None)


def _explain(message: str) -> InputError:
    """A validation message of the decoder in our own words."""
    match = _PATH.fullmatch(message)
    problem, path = (match["problem"], match["path"]) if match else (message, None)
    if path == "schema":
        remedy = f"this referee reads version {SCHEMA_VERSION}: convert the file, or use the referee that wrote it"
        return InputError("the schema version is unknown", remedy, field="schema")
    if named := _NAMED.fullmatch(problem):
        return InputError(named["problem"], "correct it (docs/items.md)", field=named["field"])
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", problem):
        field = f"{path}.{missing[1]}" if path else missing[1]
        return InputError("is missing", "add it (docs/items.md)", field=field)
    if unknown := re.fullmatch(r"Object contains unknown field `(.+)`", problem):
        remedy = "remove it or move it into `meta`"
        return InputError(f"'{unknown[1]}' is not a field of an item", remedy, field=path)
    problem = problem[:1].lower() + problem[1:]
    return InputError(problem.replace("`", ""), "correct it (docs/items.md)", field=path)
