"""How the figures of the scorecard are computed, shown when a column is clicked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from referee.reports.model import Method


@cache
def methods() -> Mapping[str, Method]:
    """By column of the scorecard."""
    text = files("referee.reports.page").joinpath("methods.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Method])
