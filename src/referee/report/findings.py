"""Findings as tables that a reader understands without the manual."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.analysis.accuracy import Findings, Row
from referee.analysis.intervals import Interval
from referee.analysis.lengths import DatasetStatistics, Length
from referee.analysis.quality import Score
from referee.report.tables import Table
from referee.runs.folder import RunInfo


def percent(share: float) -> str:
    """A share as the papers print it."""
    return f"{100 * share:.1f}"


def interval(bounds: Interval) -> str:
    """An interval in per cent."""
    return f"{percent(bounds[0])}-{percent(bounds[1])}"


def tables(found: Sequence[Findings]) -> list[Table]:
    """One table of accuracies a suite, and one of preferences where there is no gold."""
    shown: list[Table] = []
    for suite, same in groupby(found, key=lambda findings: findings.suite):
        columns = list(same)
        if columns[0].overall is not None:
            shown.append(_accuracy(suite, columns))
        if columns[0].preferences:
            shown.append(_preferences(suite, columns[0]))
    return shown


def summary(info: RunInfo) -> str:
    """What became of the items, in one line."""
    counts = info.counts
    if counts is None:
        return "not finished"
    dropped = ", ".join(f"{count} {reason}" for reason, count in counts.dropped.items()) or "0"
    return (
        f"{counts.judged} of {counts.items} items judged; tied {counts.tied}, "
        f"truncated {counts.truncated}, dropped {dropped}"
    )


def dataset_tables(name: str, statistics: DatasetStatistics) -> list[Table]:
    """Lengths and counts of one set."""
    title = (
        f"{name}: {statistics.items} items in {statistics.groups} groups, {statistics.candidates} candidates; "
        f"{statistics.with_gold} items with gold, {statistics.with_expected} with expected forms"
    )
    lengths = Table(
        title,
        ("length in tokens", "texts", "Moses", "sd", "spaces", "sd"),
        [
            (field, str(units["moses"].texts), *_length(units["moses"]), *_length(units["spaces"]))
            for field, units in statistics.lengths.items()
        ],
    )
    return [lengths] + [
        Table(f"items by {dimension}", (dimension, "items"), [(key, str(count)) for key, count in counts.items()])
        for dimension, counts in statistics.counts.items()
    ]


def _length(length: Length) -> tuple[str, str]:
    return f"{length.mean:.2f}", f"{length.deviation:.2f}"


def _accuracy(suite: str, columns: Sequence[Findings]) -> Table:
    heads: tuple[str, ...] = ("", "items")
    for findings in columns:
        heads += (f"% by {findings.rule}" if findings.rule else "accuracy %", "95 % interval")
    contrastive = columns[0].kind == "contrastive"
    grouped = columns[0].group is not None
    heads += ("ties",) if contrastive else ()
    rows = [_cells("all items", [findings.overall for findings in columns], ties=contrastive, grouped=grouped)]
    if grouped:
        rows.append(_group_cells(columns, ties=contrastive))
    for dimension in columns[0].by:
        rows += [
            _cells(f"{dimension}: {same[0].key}", same, ties=contrastive, grouped=grouped)
            for same in zip(*(findings.by[dimension] for findings in columns), strict=True)
        ]
    chance = columns[0].chance
    note = f"chance {percent(chance)} %; a tie is wrong" if chance is not None else _quality(columns[0].quality)
    return Table(suite, heads, rows, note=note)


def _quality(scores: Sequence[Score]) -> str:
    shown = (f"{score.name} {score.value:.1f} ({score.interval[0]:.1f}-{score.interval[1]:.1f})" for score in scores)
    return "against the references: " + ", ".join(shown) if scores else ""


def _cells(name: str, rows: Sequence[Row | None], *, ties: bool, grouped: bool) -> tuple[str, ...]:
    # Where every item stands alone Wilson's interval is exact enough and, unlike the bootstrap, never has width zero.
    present = [row for row in rows if row is not None]
    cells: tuple[str, ...] = (name, str(present[0].items))
    for row in present:
        cells += (percent(row.accuracy), interval(row.bootstrap if grouped else row.wilson))
    return cells + ((str(present[0].tied),) if ties else ())


def _group_cells(columns: Sequence[Findings], *, ties: bool) -> tuple[str, ...]:
    scores = [findings.group for findings in columns if findings.group is not None]
    cells: tuple[str, ...] = (f"whole groups ({scores[0].groups})", "")
    for score in scores:
        cells += (percent(score.score), interval(score.bootstrap))
    return cells + (("",) if ties else ())


def _preferences(suite: str, findings: Findings) -> Table:
    rows = [
        (feature, value, str(count), percent(count / findings.without_gold))
        for feature, values in findings.preferences.items()
        for value, count in sorted(values.items(), key=lambda pair: -pair[1])
    ]
    title = f"{suite}: what was chosen where there is no right answer ({findings.without_gold} items)"
    return Table(title, ("feature", "value", "chosen", "%"), rows, left=(0, 1))
