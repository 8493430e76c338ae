"""Columns follow the fields of `Item`: whatever is added there is written and read without a second list."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Literal

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec import inspect

from referee.errors import InputError
from referee.items import Candidate, Item, Origin, Span
from referee.sets import parquet
from tests.support.items import item

FULL = item(
    id="full",
    source="It was tired.",
    source_context=("A dog slept.", ""),
    target_context=("Ein Hund schlief.", ""),
    question="Who?",
    candidates=(Candidate("Er war müde.", {"gender": "m"}), Candidate("Sie war müde.")),
    gold=0,
    reference="Er war müde.",
    expected=("er", "Er"),
    group="g",
    label="l",
    distance=1,
    features={"b": "2", "a": "1"},
    spans=(Span("pronoun", "source", 0, 2), Span("noun", "candidate", 0, 2, 1)),
    origin=Origin(item="other", change="x", kind="attack"),
    meta={"nested": {"list": [1, None, 2.5]}, "text": "ü"},
)


class Inner(msgspec.Struct):
    name: str
    kind: Literal["a", "b"]
    note: str | None = None


class Outer(msgspec.Struct):
    inner: Inner | None = None
    several: tuple[Inner, ...] = ()
    free: dict[str, Any] = {}


def write(items: list[Item], path: Path) -> None:
    with path.open("wb") as file:
        parquet.write_items(items, file)


def test_every_field_of_an_item_is_a_column_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    write([FULL, item(id="bare")], path)
    assert pq.ParquetFile(path).schema_arrow.names == [field.name for field in msgspec.structs.fields(Item)]
    assert list(parquet.read_items(path)) == [FULL, item(id="bare")]


def test_fields_of_any_shape_become_columns() -> None:
    column, write = parquet._column(inspect.type_info(Outer))
    inner = pa.struct([("name", pa.string()), ("kind", pa.string()), ("note", pa.string())])
    assert column == pa.struct([("inner", inner), ("several", pa.list_(inner)), ("free", pa.string())])
    record = {"name": "x", "kind": "a", "note": None}
    assert write(Outer(Inner("x", "a"), (Inner("x", "a"),), {"b": 1, "a": 2})) == {
        "inner": record,
        "several": [record],
        "free": '{"a":2,"b":1}',
    }
    assert write(Outer())["inner"] is None


def test_a_field_without_a_column_type_is_an_error() -> None:
    with pytest.raises(TypeError, match="has no column type"):
        parquet._column(inspect.type_info(bytes))


def test_wrong_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    write([FULL], path)
    table = pq.read_table(path)
    changed = table.drop(["gold"]).append_column("silver", pa.array([1]))
    pq.write_table(changed, path)
    with pytest.raises(InputError) as error:
        list(parquet.read_items(path))
    assert "missing: ['gold'], unknown: ['silver']" in str(error.value)


def test_the_same_items_make_the_same_bytes() -> None:
    files = io.BytesIO(), io.BytesIO()
    for file in files:
        parquet.write_items([FULL] * 3, file)
    assert files[0].getvalue() == files[1].getvalue()
