"""TOML files as typed tables; what is wrong with one is said with its file, line and field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from referee.errors import InputError
from referee.io.decoding import explained
from referee.io.files import existing, read_bytes

Table = TypeVar("Table")

_HEADER = re.compile(r"\s*\[{1,2}(?P<name>[^\[\]]+)\]{1,2}\s*(?:#.*)?")
_KEY = re.compile(r"\s*(?P<name>(?:[\w-]+|\"[^\"]*\")(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"))*)\s*=")
_INDEX = re.compile(r"\[[^\]]*\]")
_AT_LINE = re.compile(r"at line (\d+)")


def read_toml(path: Path, remedy: str) -> dict[str, Any]:
    """Read a file as plain tables."""
    try:
        return msgspec.toml.decode(read_bytes(path), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        at = _AT_LINE.search(str(error))
        raise InputError(f"is not valid TOML ({error})", remedy, existing(path), int(at[1]) if at else None) from None


def decode_toml(
    path: Path, table: type[Table], remedy: str = "correct the entry", extra: Mapping[str, object] | None = None
) -> Table:
    """Read a file as a table of that type; `extra` are fields that the caller adds and the file must not have."""
    content = read_toml(path, remedy)
    added = extra or {}
    fields = [name for name in getattr(table, "__struct_encode_fields__", ()) if name not in added]
    try:
        if taken := next((name for name in content if name in added), None):
            raise msgspec.ValidationError(f"Object contains unknown field `{taken}`")
        return msgspec.convert({**content, **added}, table)
    except msgspec.ValidationError as error:
        problem = explained(error, remedy)
        if problem.field in content.keys() - set(fields):
            problem = replace(problem, remedy=f"use one of {', '.join(fields)}")
        line = line_of(read_bytes(path).decode(), problem.field or "")
        raise replace(problem, file=path, line=line) from None


def line_of(text: str, field: str) -> int | None:
    """Find the line that sets a field such as `owners.man.text`, or else the nearest around it, or the first in it."""
    wanted = _parts(_INDEX.sub("", field))
    first_inside = None
    header: tuple[str, ...] = ()
    nearest, depth = None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if match := _HEADER.fullmatch(line):
            path = header = _parts(match["name"])
        elif match := _KEY.match(line):
            path = (*header, *_parts(match["name"]))
        else:
            continue
        if len(path) > depth and path == wanted[: len(path)]:
            nearest, depth = number, len(path)
        elif path[: len(wanted)] == wanted:
            first_inside = first_inside or number
    return nearest or first_inside


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip().strip('"') for part in name.split("."))
