"""Items in Parquet: one column per field of `Item`, nested where the item is, free metadata as JSON text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import inspect

from referee.errors import InputError
from referee.io.files import open_binary
from referee.items import SCHEMA_VERSION, Item
from referee.sets.jsonl import decode, other_version

_ROWS = 2_000
"""Items in one row group: what is in memory at a time."""


# Whatever Arrow makes of bytes that are not what they were: text that is not UTF-8, keys twice, sizes beyond memory.
_DAMAGE = (pa.ArrowException, OSError, ValueError, LookupError, MemoryError)

_Write = Callable[[Any], Any]


def _column(kind: inspect.Type) -> tuple[pa.DataType, _Write]:
    """The column type for a field of this type, and what turns a value of the field into one of the column."""
    match kind:
        case inspect.StrType() | inspect.LiteralType():
            return pa.string(), lambda text: text
        case inspect.IntType():
            return pa.int32(), lambda number: number
        case inspect.UnionType(types):
            (present,) = (one for one in types if not isinstance(one, inspect.NoneType))
            column, write = _column(present)
            return column, lambda value: None if value is None else write(value)
        case inspect.VarTupleType(element):
            column, write = _column(element)
            return pa.list_(column), lambda values: [write(value) for value in values]
        case inspect.DictType(value_type=inspect.StrType()):
            return pa.map_(pa.string(), pa.string()), lambda mapping: list(mapping.items())
        case inspect.DictType(value_type=inspect.AnyType()):
            return pa.string(), lambda mapping: msgspec.json.encode(mapping, order="deterministic").decode()
        case inspect.StructType(fields=fields):
            columns = {field.name: _column(field.type) for field in fields}
            row = {name: write for name, (_, write) in columns.items()}
            return (
                pa.struct([(name, column) for name, (column, _) in columns.items()]),
                lambda record: {name: write(getattr(record, name)) for name, write in row.items()},
            )
    raise TypeError(f"{kind} has no column type")


_ITEM, _row = _column(inspect.type_info(Item))
_SCHEMA = pa.schema(list(_ITEM), metadata={"referee.schema": str(SCHEMA_VERSION)})
_JSON = {field.name for field in msgspec.structs.fields(Item) if field.type == dict[str, Any]}
"""Columns of JSON text."""


def item_schema() -> pa.Schema:
    """One column per field of an item."""
    return _SCHEMA


def item_row(item: Item) -> dict[str, Any]:
    """An item as a row of that schema."""
    row: dict[str, Any] = _row(item)
    return row


def write_items(items: Iterable[Item], file: IO[bytes]) -> None:
    """Streams items into an open file, a row group at a time."""
    rows = iter(items)
    with pq.ParquetWriter(file, _SCHEMA, compression="zstd") as writer:
        while chunk := [_row(item) for item in islice(rows, _ROWS)]:
            writer.write_table(pa.Table.from_pylist(chunk, _SCHEMA))


def has_mark(path: Path) -> bool:
    """Whether `write_items` wrote a file."""
    try:
        with path.open("rb") as file:
            return b"referee.schema" in (pq.read_schema(file).metadata or {})
    except (pa.ArrowException, OSError, ValueError):
        return False


def read_items(path: Path) -> Iterator[Item]:
    """Streams the items of a file; errors name the row."""
    number = 0
    # Opened here: Arrow takes no name that is not UTF-8.
    with open_binary(path) as opened:
        try:
            file = pq.ParquetFile(opened)
            _check_columns(file.schema_arrow, path)
        except _DAMAGE as error:
            problem = f"is not a Parquet file ({_first_line(error)})"
            raise InputError(problem, "save the items again with referee", file=path) from None
        for row in _rows(file, path):
            number += 1
            yield _item(row, path, number)
    if number == 0:
        raise InputError("has no items", "use a file with at least one item", file=path)


def _item(row: dict[str, Any], path: Path, number: int) -> Item:
    # Through the JSON decoder, so that a row is held to the same rules, with the same messages, as a line.
    filled = {
        name: msgspec.Raw(value.encode()) if name in _JSON else value
        for name, value in row.items()
        if value is not None
    }
    return decode(msgspec.json.encode({"schema": SCHEMA_VERSION, **filled}), f"{path}, row {number}", None)


def _rows(file: pq.ParquetFile, path: Path) -> Iterator[dict[str, Any]]:
    try:
        for batch in file.iter_batches(_ROWS):
            yield from (
                pa.Table.from_batches([batch]).select(_SCHEMA.names).cast(_SCHEMA).to_pylist(maps_as_pydicts="strict")
            )
    except _DAMAGE as error:
        problem = f"contains data that cannot be read as items ({_first_line(error)})"
        raise InputError(problem, "save the items again with referee", file=path) from None


def _check_columns(schema: pa.Schema, path: Path) -> None:
    version = (schema.metadata or {}).get(b"referee.schema", str(SCHEMA_VERSION).encode()).decode()
    if version != str(SCHEMA_VERSION):
        raise other_version().at(path)
    missing = [name for name in _SCHEMA.names if name not in schema.names]
    unknown = [name for name in schema.names if name not in _SCHEMA.names]
    if missing or unknown:
        problem = f"has the wrong columns (missing: {missing or 'none'}, unknown: {unknown or 'none'})"
        raise InputError(problem, "save the items again with referee", file=path)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
