"""Accuracy and group score of a model on sets and their baselines, as in "Back to Square One", Tables 1 to 3.

A row is a dataset in one setup: original, without its candidates, cut to the part with the gap, without its premise or
question, or with the special word masked. A model that solves a baseline relies on an artifact. Table 2 shows by item
which baselines are solved, and whether the item is marked as associative.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.accuracy import Findings
from referee.analysis.shortcuts import BASELINES, ItemShortcuts, Shortcuts
from referee.items import SetOrigin
from referee.reports.format import MARK, in_line, interval, marked, percent
from referee.reports.model import Table
from referee.reports.wording.vocabulary import ABOVE_CHANCE

_KINDS = ("baseline", "probe")
"""The kinds of change that are setups of a dataset, in the order of their rows."""
_CONDITIONS = ("associative", *BASELINES)
_WORDS = {None: "", True: "yes", False: "no"}


def square_one_table(findings: Sequence[Findings]) -> Table | None:
    """One row per dataset and setup; None where no set is a baseline or a probe."""
    results = [of_set for of_set in findings if of_set.overall is not None and of_set.rule is None]
    forms: dict[str, list[tuple[SetOrigin, Findings]]] = {}
    for of_set in results:
        if of_set.origin is not None and of_set.origin.kind in _KINDS:
            forms.setdefault(of_set.origin.of, []).append((of_set.origin, of_set))
    rows = []
    for dataset, of_dataset in forms.items():
        rows += [(dataset, "original", *_cells(of_set)) for of_set in results if of_set.suite == dataset]
        of_dataset.sort(key=lambda form: _KINDS.index(form[0].kind))
        rows += [(dataset, origin.change, *_cells(of_set)) for origin, of_set in of_dataset]
    if not rows:
        return None
    heads: tuple[str, ...] = (
        "dataset", "setup", "items", "accuracy %", "95% CI", "chance %", "groups", "group score %", "95% CI"
    )  # fmt: skip
    note = (
        f"{MARK} significantly {ABOVE_CHANCE} (the whole CI is above). Chance level of the group score: one guess per "
        "group. Independent: one guess per item."
    )
    heads = (*heads, "chance %", "independent %")
    return Table("datasets, baselines and zero-shot", heads, in_line(rows), left=(0, 1), note=note)


def shortcut_counts(shortcuts: Shortcuts) -> Table:
    """How many items have each combination of the three conditions."""
    complete = shortcuts.complete
    rows = [
        (*map(_WORDS.__getitem__, conditions), str(count), percent(count / complete) if complete else "")
        for conditions, count in shortcuts.counts().items()
    ]
    note = (
        f"{complete} of {len(shortcuts.items)} items. In the others, a baseline cannot change the pair, or the item "
        "has no twin. A baseline is solved if both twins are correct: by chance in 25% of pairs, both in 6.25%."
    )
    title = f"{shortcuts.suite}: associative items and solved baselines"
    return Table(title, (*_CONDITIONS, "items", "%"), in_line(rows), left=(0, 1, 2), note=note)


def shortcut_items(shortcuts: Shortcuts) -> Table:
    """The three conditions of every item."""
    rows = [(item.item, item.source, *_conditions(item)) for item in shortcuts.items]
    title = f"{shortcuts.suite}: shortcuts by item"
    note = "Back to Square One, Table 2. Empty: the baseline cannot change the pair, or the item has no twin."
    return Table(title, ("item", "sentence", *_CONDITIONS), in_line(rows), left=(0, 1, 2, 3, 4), note=note)


def _conditions(item: ItemShortcuts) -> tuple[str, ...]:
    return tuple(map(_WORDS.__getitem__, (item.associative, item.no_cands, item.part_sent)))


def _cells(findings: Findings) -> tuple[str, ...]:
    row, group = findings.overall, findings.group
    if row is None:
        return ()
    level = None if findings.chance is None else findings.chance.level
    single = (str(row.items), marked(row.accuracy, findings.against), interval(row.interval), _chance(level))
    if group is None:
        return (*single, "", "", "", "", "")
    return (
        *single,
        str(group.groups),
        marked(group.score, group.against),
        interval(group.interval),
        _chance(group.chance),
        _chance(group.independent_chance),
    )


def _chance(chance: float | None) -> str:
    return "" if chance is None else percent(chance)
