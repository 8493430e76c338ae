"""The spec that names a model: `kind:name[,option=value...]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.errors import UsageError, either

_OPTION = re.compile(r",(?=[a-z_]+=)")
_NAMELESS = frozenset({"pocket"})
"""Kinds of which there is one model only."""


@dataclass(frozen=True)
class ModelSpec:
    """The parts of a model's name; `text` is what the user wrote."""

    text: str
    kind: str
    name: str
    options: Mapping[str, str]

    def with_options(self, options: Mapping[str, object]) -> ModelSpec:
        """The same spec with more options; True and False are written `yes` and `no`."""
        written = {key: _written(value) for key, value in options.items()}
        for key in written:
            if key in self.options:
                raise UsageError(f"the option '{key}' of '{self.text}' is given twice", "give each option once")
        text = self.text + "".join(f",{key}={value}" for key, value in written.items())
        return replace(self, text=text, options={**self.options, **written})

    def option(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        """One option with a fixed choice of values."""
        value = self.options.get(key, default)
        if value not in allowed:
            raise UsageError(f"'{key}={value}' in '{self.text}' is not valid", f"choose {either(allowed)}")
        return value

    def number(self, key: str, default: int) -> int:
        """One option that is a positive whole number."""
        text = self.options.get(key, str(default))
        if not text.isdecimal() or int(text) < 1:
            raise UsageError(f"'{key}={text}' in '{self.text}' is not valid", "use a positive whole number")
        return int(text)

    def only(self, *keys: str) -> None:
        """Refuses options that this kind does not have."""
        for key in self.options:
            if key not in keys:
                choices = f"choose one of {', '.join(keys)}" if keys else "remove it"
                raise UsageError(f"'{self.kind}:' has no option '{key}'", choices)


def parse(text: str) -> ModelSpec:
    """Takes a model's name apart; commas inside a file name are fine unless they look like an option."""
    kind, colon, rest = text.partition(":")
    name, *pairs = _OPTION.split(rest)
    if not colon and (alone := _OPTION.split(text))[0] in _NAMELESS:
        kind, *pairs = alone
    elif not colon or not kind or not name:
        raise UsageError(f"'{text}' is not a model", "write KIND:NAME, such as scores:FILE (see `referee list models`)")
    options = dict(pair.split("=", 1) for pair in pairs)
    if len(options) < len(pairs):
        raise UsageError(f"'{text}' has an option twice", "give each option once")
    return ModelSpec(text, kind, name, options)


def _written(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
