"""Runs with known choices, evaluated and diagnosed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee import sets
from referee.items import Item
from referee.models.files import ScoreFile
from referee.runs.diagnosis import Diagnosis, diagnose
from referee.runs.job import carry_out
from referee.runs.run import read_run
from tests.support.items import item
from tests.support.jobs import job

ITEMS = [item(id=f"i{n}", group=f"g{n // 2}", gold=n % 3, label="ab"[n % 2], distance=n % 3) for n in range(40)]


def diagnosed(
    folder: Path, name: str, items: list[Item], choices: list[int], *, suite: str = "set", **options: Any
) -> Diagnosis:
    """A run in which the model chooses `choices[n]` for item n."""
    scores = folder / f"{name}.scores"
    candidates = range(len(items[0].candidates))
    scores.write_text("".join(f"{float(index == choice)}\n" for choice in choices for index in candidates))
    request = job(
        f"scores:{name}.scores",
        ScoreFile(scores),
        [sets.of_items(suite, items)],
        command=["referee", "eval", name],
        **options,
    )
    carry_out(request, folder / name)
    return diagnose(read_run(folder / name))


def gold(items: list[Item]) -> list[int]:
    return [one.gold or 0 for one in items]
