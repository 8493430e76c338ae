"""One table of a model's results on sets and their baselines, as in "Back to Square One", Tables 1 and 3.

A row is a dataset in one setup: as it is, without its candidates, in part, without its premise or question, or with the
special word masked. A model that is right without what it needs to know was right for another reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.analysis.accuracy import Findings
from referee.analysis.setups import HIDDEN, ORIGINAL, ZERO_SHOT, place
from referee.reports.format import MARK, in_line, interval, marked, percent
from referee.reports.model import Table


def square_one_table(found: Sequence[Findings]) -> Table | None:
    """None where no result is about a baseline or a masked special word."""
    placed = [(*place(each.suite), each) for each in found if each.overall is not None and each.rule is None]
    datasets = list(dict.fromkeys(dataset for dataset, setup, _ in placed if setup != ORIGINAL))
    rows = [
        row
        for dataset in datasets
        for row in _rows(dataset, ((setup, each) for owner, setup, each in placed if owner == dataset))
    ]
    if not rows:
        return None
    heads = ("dataset", "setup", "items", "single %", "95 % interval", "chance", "groups", "group %", "95 % interval")
    note = f"{MARK} beats chance (exact binomial test, one-sided, p < 0.05)"
    return Table("datasets, baselines and zero-shot", (*heads, "chance"), in_line(rows), left=(0, 1), note=note)


def _rows(dataset: str, results: Iterable[tuple[str, Findings]]) -> list[tuple[str, ...]]:
    order = [ORIGINAL, *HIDDEN, ZERO_SHOT]
    ordered = sorted(results, key=lambda result: order.index(result[0].partition("/")[0]))
    return [(dataset, setup, *_cells(each)) for setup, each in ordered]


def _cells(found: Findings) -> tuple[str, ...]:
    row, group = found.overall, found.group
    if row is None:
        return ()
    bounds = row.wilson if group is None else row.bootstrap
    single = (str(row.items), marked(row.accuracy, found.p), interval(bounds), _chance(found.chance))
    if group is None:
        return (*single, "", "", "", "")
    return (
        *single, str(group.groups), marked(group.score, group.p), interval(group.bootstrap), _chance(group.chance)
    )  # fmt: skip


def _chance(chance: float | None) -> str:
    return "" if chance is None else percent(chance)
