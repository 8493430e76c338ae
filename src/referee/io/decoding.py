"""What a decoder complains of, in words that name the field and the remedy."""

from __future__ import annotations

import json
import re

import msgspec

from referee.errors import InputError

_PLACE = re.compile(r"(?P<problem>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<field>[^`]+)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]+)`")
_NAMED = re.compile(r"(?P<field>\w[\w ]*): (?P<problem>.*)", re.DOTALL)


def explained(error: Exception, remedy: str) -> InputError:
    """An error of a decoder, or a `ValueError("field: problem")` of our own, as an error that the user can fix."""
    message = str(error)
    if isinstance(error, UnicodeDecodeError):
        return InputError("is not valid UTF-8", "convert it with `iconv -t UTF-8`")
    if isinstance(error, RecursionError):
        return InputError("has values nested too deeply", remedy)
    if isinstance(error, msgspec.DecodeError) and not isinstance(error, msgspec.ValidationError):
        return InputError(f"is not valid JSON ({message})", remedy)
    match = _PLACE.fullmatch(message)
    problem, path = (match["problem"], match["path"] or None) if match else (message, None)
    if missing := _MISSING.fullmatch(problem):
        return InputError("is missing", remedy, field=_joined(path, missing["field"]))
    if unknown := _UNKNOWN.fullmatch(problem):
        return InputError("is not a known field", remedy, field=_joined(path, unknown["field"]))
    if named := _NAMED.fullmatch(problem):
        return InputError(named["problem"], remedy, field=_joined(path, named["field"]))
    if isinstance(error, msgspec.ValidationError):
        problem = problem[:1].lower() + problem[1:].replace("`", "")
    return InputError(problem, remedy, field=path)


def refuse_repeated_keys(content: bytes) -> None:
    """Raise a ValueError if an object has a key twice: decoders take the last one and say nothing.

    >>> refuse_repeated_keys(b'{"gold": 0, "gold": 1}')
    Traceback (most recent call last):
    ValueError: gold: is given twice in one object
    """
    json.loads(content, object_pairs_hook=_unrepeated, parse_int=_unread, parse_float=_unread)


def _unrepeated(pairs: list[tuple[str, object]]) -> None:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        second = next(key for index, key in enumerate(keys) if key in keys[:index])
        raise ValueError(f"{second}: is given twice in one object")


def _unread(_: str) -> None:
    """A number that only takes time to read."""


def _joined(path: str | None, name: str) -> str:
    return f"{path}.{name}" if path else name
