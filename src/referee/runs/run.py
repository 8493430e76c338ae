"""A finished run as it lies in its folder: what was judged, what was said about it, what was found."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec
from pyarrow import ArrowException

from referee import sets, verdicts
from referee.analysis.accuracy import Findings
from referee.analysis.judged import Judged
from referee.errors import RunError
from referee.items import Item
from referee.runs import store as runs
from referee.runs.store import RunInfo
from referee.verdicts import Verdict


@dataclass(frozen=True)
class Run:
    """What a run folder holds; a set that was judged in both ways is there twice, first by scores."""

    folder: Path
    info: RunInfo
    findings: Sequence[Findings]
    judged: Sequence[Judged]


def read_run(folder: Path) -> Run:
    """A finished run with all its items; scores of single tokens are left out."""
    info = runs.read_info(folder)
    again = f"run its command again, which goes on where it stopped: {shlex.join(info.command)}"
    if info.status != "done":
        raise RunError("is a run that was not finished", again, file=folder)
    for name in (runs.ITEMS, "verdicts.parquet", "findings.json"):
        if not (folder / name).exists():
            why = " (an earlier referee made it)" if name == runs.ITEMS else ""
            raise RunError(f"has no {name}{why}", again, file=folder)
    items = list(sets.unchecked(folder / runs.ITEMS))
    try:
        said = [verdict for _, verdict in verdicts.read(folder / "verdicts.parquet", tokens=False)]
        findings = runs.read_findings(folder)
    except (ArrowException, msgspec.MsgspecError) as error:
        first = (str(error).splitlines() or [""])[0]
        raise RunError(f"cannot be read ({first})", _anew(info), file=folder) from None
    total = sum(suite.items for suite in info.inputs.suites)
    ways = len(said) // max(1, total)
    if len(items) != total or len(said) != ways * total:
        problem = f"holds {len(items)} items and {len(said)} verdicts where run.json says {total}"
        raise RunError(problem, _anew(info), file=folder)
    return Run(folder, info, findings, list(_judged(folder, info, items, said)))


def _anew(info: RunInfo) -> str:
    return f"delete the folder and run again: {shlex.join(info.command)}"


def _judged(folder: Path, info: RunInfo, items: list[Item], said: list[Verdict]) -> Iterator[Judged]:
    of_items, of_verdicts = iter(items), iter(said)
    ways = len(said) // max(1, len(items))
    for suite in info.inputs.suites:
        own = list(islice(of_items, suite.items))
        for _ in range(ways):
            chunk = list(islice(of_verdicts, suite.items))
            if any(item.id != verdict.item for item, verdict in zip(own, chunk, strict=True)):
                problem = "holds verdicts on other items than it keeps"
                raise RunError(problem, _anew(info), file=folder)
            yield Judged(suite.name, chunk[0].kind if chunk else "contrastive", own, chunk, suite.origin)
