"""The items of a run, written once: sets are read, perturbed and surveyed on the way into the run's own file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from referee.errors import UsageError
from referee.io.files import packed
from referee.perturbations import Perturbation, Tally, nothing_changed, perturbed_set
from referee.runs.store import ChangeCount
from referee.scoring.survey import Survey, Surveyor
from referee.sets import ItemSet

_LEVEL = 1
"""The fastest compression: the file is read more often than it is sent."""


@dataclass(frozen=True)
class Planned:
    """A set of a run, and the perturbations under which it is evaluated too."""

    items: ItemSet
    perturbations: Sequence[Perturbation] = ()


@dataclass(frozen=True)
class Collected:
    """The file with all items, a survey per set in it, and what each perturbation made of its set."""

    items: Path
    surveys: Sequence[Survey]
    changes: Sequence[ChangeCount]


def collect(sets: Sequence[Planned], path: Path) -> Collected:
    """Read every set once, and so validate it; a perturbed set that has no item is left out."""
    surveys: list[Survey] = []
    changes: list[ChangeCount] = []
    with path.open("wb") as file, packed(file, _LEVEL) as lines:
        _refuse_same_names(sets)
        for planned in sets:
            surveys.append(_write(planned.items, lines))
            tallies = []
            for perturbation in planned.perturbations:
                perturbed, counts = perturbed_set(planned.items, [perturbation])
                survey = _write(perturbed, lines)
                tallies += counts()
                if survey.fingerprint.items:
                    surveys.append(survey)
            if tallies and not any(tally.changed for tally in tallies):
                raise nothing_changed(planned.items.name, tallies)
            changes += [_count(planned.items.name, tally) for tally in tallies]
    return Collected(path, surveys, changes)


def _refuse_same_names(sets: Sequence[Planned]) -> None:
    seen: dict[str, str] = {}
    for planned in sets:
        name = planned.items.name
        # A file may be named in several ways.
        if earlier := seen.get(str(Path(name).resolve())):
            same = "is given twice" if earlier == name else f"is the same file as {earlier}"
            raise UsageError(f"the set {name} {same}", "give each set once")
        seen[str(Path(name).resolve())] = name


def _write(items: ItemSet, file: IO[bytes]) -> Survey:
    surveyor = Surveyor(items.name, items.origin)
    file.writelines(surveyor.lines(items))
    return surveyor.survey()


def _count(suite: str, tally: Tally) -> ChangeCount:
    return ChangeCount(suite, tally.perturbation, tally.items, tally.changed, dict(tally.dropped.most_common()))
