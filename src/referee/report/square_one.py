"""One table of a model's results on Winograd sets, as in "Back to Square One", Tables 1 and 3.

A row is a dataset in one setup: as it is, without its candidates, in part, or with the special word masked. A model
that is right without what it needs to know was right for another reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.analysis.accuracy import Findings
from referee.report.numbers import MARK, in_line, interval, marked, percent
from referee.report.tables import Table

ORIGINAL = "original"
SETUPS = {"no-cands": "no-cands", "part-sent": "part-sent", "mask-special-word": "zero-shot", "zero-shot": "zero-shot"}
"""Perturbations, and parts of the names of published sets, that belong into the table, and what they are called."""

_PUBLISHED = "square-one"


def square_one_table(found: Sequence[Findings]) -> Table | None:
    """None where no result is about a baseline or a masked special word."""
    placed = [(*_place(each.suite), each) for each in found if each.overall is not None and each.rule is None]
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
    order = [ORIGINAL, *dict.fromkeys(SETUPS.values())]
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


def _place(suite: str) -> tuple[str, str]:
    """Dataset and setup: of `wsc+no-cands` by the perturbation, of `square-one/no-cands/wsc` by the folder."""
    base, _, change = suite.rpartition("+")
    if base and (setup := _setup(change)):
        return _place(base)[0], setup
    family, _, rest = suite.partition("/")
    part, _, name = rest.partition("/")
    if family == _PUBLISHED and name and (part == "pairs" or part in SETUPS):
        return f"{family} {name}", SETUPS.get(part, ORIGINAL)
    return suite, ORIGINAL


def _setup(change: str) -> str:
    """What a perturbation is called here, with what tells variants of one apart (`part-sent/words`); else nothing."""
    kind, slash, variant = change.partition("/")
    return SETUPS[kind] + slash + variant if kind in SETUPS else ""
