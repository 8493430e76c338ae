"""What commands answer with `--json`."""

from __future__ import annotations

import json
from typing import Any

from tests.conftest import Outcome


def answer(outcome: Outcome) -> dict[str, Any]:
    """The one JSON object on stdout."""
    assert outcome.code == 0, outcome.err
    value = json.loads(outcome.out)
    assert isinstance(value, dict)
    return value


def overall(outcome: Outcome) -> list[tuple[str | None, int, int]]:
    """Rule, items, correct."""
    return [
        (entry["rule"], entry["overall"]["items"], entry["overall"]["correct"]) for entry in answer(outcome)["findings"]
    ]
