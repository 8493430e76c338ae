"""What was written instead, as confusion tables: of one run, and of two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.analysis.comparison.written import WrittenChange
from referee.analysis.written_forms import ConfusionRow, WrittenForms
from referee.reports import wording
from referee.reports.format import percent, points
from referee.reports.model import Table


def confusion_table(title: str, forms: WrittenForms) -> Table:
    """A row per value that was expected, a column per value that was written, in percent of the row."""
    names = [wording.name_of(forms.feature, value) for value in forms.values]
    heads = ("expected", "items", *(f"{name} %" for name in (*names, *wording.UNDECIDED.values())))
    rows = [
        (
            wording.name_of(forms.feature, row.expected),
            str(row.items),
            *(percent(count / row.items) for count in _counts(row).values()),
        )
        for row in forms.rows
    ]
    note = "Percent of the outputs in which the value was expected."
    return Table(
        f"{title}: {forms.feature}, expected and written",
        heads,
        rows,
        note=" ".join(filter(None, (note, wording.contradicted_sentence(forms), wording.lemma_sentence(forms)))),
    )


def change_table(title: str, change: WrittenChange, base: str, other: str) -> Table:
    """A row per confusion, with its share in both runs."""
    feature = change.base.feature
    heads = ("expected", "written", "items", f"{base} %", f"{other} %", "change (pp)")
    rows = [
        (wording.name_of(feature, expected), wording.name_of(feature, written), str(items), *cells)
        for expected, written, items, cells in _changes(change)
    ]
    note = wording.change_verdict(change, base, other)
    return Table(f"{title}: {feature}, expected and written", heads, rows, left=(0, 1), note=note)


def _changes(change: WrittenChange) -> Iterator[tuple[str, str, int, tuple[str, ...]]]:
    other = {row.expected: _counts(row) for row in change.other.rows}
    for row in change.base.rows:
        counts, later = _counts(row), other.get(row.expected, {})
        for written in dict.fromkeys((*counts, *later)):
            shares = [of_run.get(written, 0) / row.items for of_run in (counts, later)]
            if any(shares):
                cells = (*map(percent, shares), points(shares[1] - shares[0]))
                yield row.expected, written, row.items, cells


def _counts(row: ConfusionRow) -> Mapping[str, int]:
    """How many outputs wrote each value, or show none."""
    return row.written | {head: getattr(row, name) for name, head in wording.UNDECIDED.items()}
