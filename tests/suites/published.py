"""What the tests of suites share: reading published files with other means, writing small ones, checking items."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.errors import InputError, MissingError
from referee.items import Item
from referee.sets import canonical, decode
from referee.suites.suite import Suite


def named(suites: Sequence[Suite], name: str) -> Suite:
    return next(suite for suite in suites if suite.name == name)


def read_items(suite: Suite, data: Path) -> list[Item]:
    """The items, of which ids differ and each survives being written."""
    items = list(suite.open(data))
    assert len({item.id for item in items}) == len(items)
    assert all(decode(canonical(item), suite.name, None) == item for item in items)
    return items


def refusal(suite: Suite, data: Path) -> str:
    """The message with which bad data is refused."""
    with pytest.raises(InputError) as raised:
        list(suite.open(data))
    return str(raised.value)


def assert_names_its_command(suites: Iterable[Suite], empty: Path) -> None:
    for suite in suites:
        with pytest.raises(MissingError, match=f"referee data get {suite.name}`"):
            suite.open(empty)


def published_text(path: Path) -> str:
    if path.exists():
        return path.read_text(encoding="utf-8")
    with gzip.open(path.with_name(path.name + ".gz"), "rt", encoding="utf-8") as file:
        return file.read()


def published_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in published_text(path).split("\n") if line]


def write(data: Path, name: str, text: str) -> None:
    path = data / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_lines(data: Path, name: str, records: Iterable[object]) -> None:
    write(data, name, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def write_list(data: Path, name: str, records: Iterable[object]) -> None:
    write(data, name, json.dumps(list(records), ensure_ascii=False))
