"""Items in Parquet: one column a field, nested where the item is, free metadata as JSON text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from referee.errors import InputError
from referee.items import SCHEMA_VERSION, Item
from referee.sets import decode, other_version

_ROWS = 2_000
"""Items in one row group: what is in memory at a time."""

_TEXTS = pa.list_(pa.string())
_FEATURES = pa.map_(pa.string(), pa.string())
_CANDIDATE = pa.struct([("text", pa.string()), ("features", _FEATURES)])
_SPAN = pa.struct(
    [("role", pa.string()), ("field", pa.string()), ("start", pa.int32()), ("end", pa.int32()), ("index", pa.int32())]
)
_ORIGIN = pa.struct([("item", pa.string()), ("change", pa.string()), ("kind", pa.string())])
_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("task", pa.string()),
        ("source_lang", pa.string()),
        ("target_lang", pa.string()),
        ("source", pa.string()),
        ("source_context", _TEXTS),
        ("target_context", _TEXTS),
        ("question", pa.string()),
        ("candidates", pa.list_(_CANDIDATE)),
        ("gold", pa.int32()),
        ("reference", pa.string()),
        ("expected", _TEXTS),
        ("group", pa.string()),
        ("label", pa.string()),
        ("distance", pa.int32()),
        ("features", _FEATURES),
        ("spans", pa.list_(_SPAN)),
        ("origin", _ORIGIN),
        ("meta", pa.string()),
    ],
    metadata={"referee.schema": str(SCHEMA_VERSION)},
)


def write_items(items: Iterable[Item], file: IO[bytes]) -> None:
    """Streams items into an open file, a row group at a time."""
    rows = iter(items)
    with pq.ParquetWriter(file, _SCHEMA, compression="zstd") as writer:
        while chunk := [_row(item) for item in islice(rows, _ROWS)]:
            writer.write_table(pa.Table.from_pylist(chunk, _SCHEMA))


def read_items(path: Path) -> Iterator[Item]:
    """Streams the items of a file; errors name the row."""
    try:
        file = pq.ParquetFile(path)
    except PermissionError:
        raise InputError("may not be read", "give yourself permission (chmod u+r)", file=path) from None
    except (pa.ArrowInvalid, OSError) as error:
        problem = f"is not a Parquet file ({_first_line(error)})"
        raise InputError(problem, "write it again with referee", file=path) from None
    with file:
        _check_columns(file.schema_arrow, path)
        number = 0
        for batch in _batches(file, path):
            for row in batch.to_pylist(maps_as_pydicts="strict"):
                number += 1
                yield _item(row, path, number)
    if number == 0:
        raise InputError("is empty", "give a file with at least one item", file=path)


def _row(item: Item) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(item, name) for name in _SCHEMA.names}
    row["candidates"] = [{"text": c.text, "features": list(c.features.items())} for c in item.candidates]
    row["spans"] = [msgspec.structs.asdict(span) for span in item.spans]
    row["origin"] = None if item.origin is None else msgspec.structs.asdict(item.origin)
    row["features"] = list(item.features.items())
    row["meta"] = msgspec.json.encode(item.meta, order="deterministic").decode()
    return row


def _item(row: dict[str, Any], path: Path, number: int) -> Item:
    # Through the JSON decoder, so that a row is held to the same rules, with the same messages, as a line.
    filled = {name: value for name, value in row.items() if value is not None and name != "meta"}
    body = msgspec.json.encode(
        {"schema": SCHEMA_VERSION, **filled, "meta": msgspec.Raw((row["meta"] or "{}").encode())}
    )
    return decode(body, path, number)


def _batches(file: pq.ParquetFile, path: Path) -> Iterator[pa.RecordBatch]:
    try:
        for batch in file.iter_batches(_ROWS):
            yield from pa.Table.from_batches([batch]).select(_SCHEMA.names).cast(_SCHEMA).to_batches()
    except (pa.ArrowException, OSError) as error:
        problem = f"holds data that cannot be read as items ({_first_line(error)})"
        raise InputError(problem, "write it again with referee", file=path) from None


def _check_columns(schema: pa.Schema, path: Path) -> None:
    version = (schema.metadata or {}).get(b"referee.schema", str(SCHEMA_VERSION).encode()).decode()
    if version != str(SCHEMA_VERSION):
        raise other_version().at(path)
    missing = [name for name in _SCHEMA.names if name not in schema.names]
    unknown = [name for name in schema.names if name not in _SCHEMA.names]
    if missing or unknown:
        problem = f"has the wrong columns (missing: {missing or 'none'}, unknown: {unknown or 'none'})"
        raise InputError(problem, "write it again with referee", file=path)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
