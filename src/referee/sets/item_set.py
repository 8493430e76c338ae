"""Challenge sets: items in files (JSON Lines, gzip, Parquet), read as a stream, named by the hash of their content."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from os import PathLike
from pathlib import Path

from referee.errors import InputError
from referee.io.files import atomic_write, byte_lines, existing, packed, starts_with
from referee.io.pipes import is_pipe
from referee.io.text import recordable
from referee.items import Item, SetOrigin
from referee.sets import jsonl
from referee.sets.jsonl import canonical
from referee.sets.sampling import drawn

_PARQUET = b"PAR1"
FORMATS = (".jsonl", ".jsonl.gz", ".parquet")


@dataclass(frozen=True)
class Fingerprint:
    """What identifies a set: how many items, and the hash of their content, whatever the file format."""

    items: int
    sha256: str


@dataclass(frozen=True)
class ItemSet:
    """A named, re-readable stream of items. Each iteration starts from the beginning and keeps nothing in memory.

    `origin` names the set that this one was made from, if that is known before its items are read.
    """

    name: str
    read: Callable[[], Iterator[Item]]
    origin: SetOrigin | None = None

    def __iter__(self) -> Iterator[Item]:
        return self.read()

    def head(self, count: int | None) -> ItemSet:
        """The first `count` items; all if it is None."""
        # No set is longer than what can be counted.
        return self if count is None else replace(self, read=lambda: islice(self.read(), min(count, sys.maxsize)))

    def sample(self, groups: int, seed: str = "") -> ItemSet:
        """A set of `groups` whole groups, balanced over genders; the same seed draws the same ones.

        >>> import referee
        >>> sum(1 for _ in referee.templates("de", "gender").sample(30))
        30
        """
        return of_items(self.name, drawn(self, groups, seed))

    def save(self, path: str | PathLike[str]) -> Fingerprint:
        """Write the set to a file, whole or not at all: .jsonl, .jsonl.gz or .parquet."""
        return save(self, Path(path))

    def fingerprint(self) -> Fingerprint:
        """Read, and so validate, the whole set once."""
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
            raise InputError(f"the id {item.id!r} occurs twice in {name}", "give every item a different id")
        seen.add(item.id)
    return ItemSet(name, lambda: iter(kept))


def as_set(items: Items, name: str = "items") -> ItemSet:
    """A set as it is, items in memory as a set of that name."""
    return items if isinstance(items, ItemSet) else of_items(name, items)


def load(path: Path) -> ItemSet:
    """The set in a file; the format follows from the name."""
    path = existing(path)
    _format(path)
    return ItemSet(recordable(str(path)), lambda: stream(path))


def stream(path: Path) -> Iterator[Item]:
    """The items of a file one by one; a repeated id is an error."""
    seen: set[int] = set()
    for number, item in enumerate(unchecked(path), 1):
        # Hashes instead of ids keep a set of millions small; a hit is looked up before it is believed.
        key = hash(item.id)
        if key in seen and (first := _line_of(item.id, path, before=number)):
            raise _repeated(item.id, path, number, first)
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
            with packed(file) as lines:
                jsonl.write_items(passing, lines)
        else:
            jsonl.write_items(passing, file)
    return hasher.fingerprint()


def wrote(path: Path) -> bool:
    """Whether `save` wrote a file: every line is in canonical form, or the Parquet file has our mark."""
    try:
        if format_of(path) == ".parquet":
            from referee.sets import parquet

            return parquet.has_mark(path)
        return jsonl.is_canonical(byte_lines(path))
    except InputError:
        return False


def format_of(path: Path) -> str:
    """Which of `FORMATS` a name stands for."""
    for ending in reversed(FORMATS):
        if path.name.endswith(ending):
            return ending
    endings = ", ".join(f"*{ending}" for ending in FORMATS)
    raise InputError(f"'{path.suffix}' is not a format of item files", f"choose a name such as {endings}", file=path)


def unchecked(path: Path) -> Iterator[Item]:
    """The items of a file one by one, whatever their ids: a file of several sets may have some twice."""
    path = existing(path)
    if _format(path) == ".parquet":
        from referee.sets import parquet

        return parquet.read_items(path)
    return jsonl.read_items(path)


def _format(path: Path) -> str:
    """The format of a file by its name; that of a pipe, which has none, by its first bytes."""
    if not is_pipe(path):
        return format_of(path)
    return ".parquet" if starts_with(path, _PARQUET) else ".jsonl"


def _repeated(id: str, path: Path, number: int, first: int) -> InputError:
    remedy = "give every item a different id"
    if _format(path) == ".parquet":
        return InputError(f"{id!r} is already the id of row {first}", remedy, f"{path}, row {number}", field="id")
    return InputError(f"{id!r} is already the id of line {first}", remedy, path, number, "id")


def _line_of(id: str, path: Path, before: int) -> int | None:
    return next((n for n, item in enumerate(islice(unchecked(path), before - 1), 1) if item.id == id), None)
