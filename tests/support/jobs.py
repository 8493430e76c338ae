"""Jobs for tests, without the options that the public functions resolve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.protocols import Model
from referee.runs import salience
from referee.runs.collect import Planned
from referee.runs.job import Job
from referee.runs.run import read_run
from referee.sets import ItemSet


def job(name: str, model: Model, sets: Sequence[ItemSet | Planned], **changes: Any) -> Job:
    planned = [items if isinstance(items, Planned) else Planned(items) for items in sets]
    return Job(name, model, planned, **changes)


def explain(folder: Path, **options: Any) -> Path:
    """The salience file of a stored run."""
    run = read_run(folder)
    return salience.explain(run.folder, run.info, run.sets, **options)
