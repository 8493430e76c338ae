"""Runs as data frames: one row per verdict, with the fields of its item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from referee.errors import MissingError
from referee.sets.parquet import item_row, item_schema
from referee.verdicts import Judged, Verdict

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


def to_arrow(sets: Iterable[Judged]) -> pa.Table:
    """A table whose columns are the suite, the fields of the item and the fields of the verdict."""
    import pyarrow as pa

    tables = [pa.Table.from_pylist(list(_rows(judged)), _schema()) for judged in sets]
    return pa.concat_tables(tables) if tables else _schema().empty_table()


def to_pandas(sets: Iterable[Judged]) -> pd.DataFrame:
    """The same as a data frame of pandas."""
    _package("pandas")
    return to_arrow(sets).to_pandas()


def to_polars(sets: Iterable[Judged]) -> pl.DataFrame:
    """The same as a data frame of polars, whose maps are lists of keys and values."""
    frame: pl.DataFrame = _package("polars").from_arrow(to_arrow(sets))
    return frame


def _package(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError:
        raise MissingError(f"{name} is not installed", f"install it with `pip install {name}`") from None


def _schema() -> pa.Schema:
    import pyarrow as pa

    verdict: Sequence[tuple[str, pa.DataType]] = [
        ("kind", pa.string()),
        ("correct", pa.bool_()),
        ("dropped", pa.string()),
        ("tied", pa.bool_()),
        ("choice", pa.int32()),
        ("scores", pa.list_(pa.float64())),
        ("ranks", pa.list_(pa.int32())),
        ("output", pa.string()),
        ("found_paper", pa.bool_()),
        ("found_token", pa.bool_()),
        ("antecedent", pa.bool_()),
        ("means", pa.string()),
    ]
    return pa.schema([("suite", pa.string()), *item_schema(), *verdict])


def _rows(judged: Judged) -> Iterator[dict[str, Any]]:
    for item, verdict in judged:
        yield {"suite": judged.suite, **item_row(item), **_verdict_row(verdict)}


def _verdict_row(verdict: Verdict) -> dict[str, Any]:
    return {
        "kind": verdict.kind,
        "correct": verdict.correct,
        "dropped": verdict.dropped,
        "tied": verdict.tied,
        "choice": verdict.choice,
        "scores": verdict.scores,
        "ranks": verdict.ranks,
        "output": verdict.output,
        "found_paper": verdict.found.get("paper"),
        "found_token": verdict.found.get("token"),
        "antecedent": verdict.antecedent,
        "means": verdict.means,
    }
