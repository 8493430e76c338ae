"""Accuracy tables: overall, by group and by breakdown, with all other findings of a suite below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from referee.analysis.accuracy import Findings, Row
from referee.analysis.corpus.dataset import DatasetStatistics, Length
from referee.analysis.quality import Score
from referee.reports.format import MARK, in_line, interval, marked, percentage
from referee.reports.model import Table
from referee.reports.tables.cross_suite import (
    agreement_table,
    attack_tables,
    english_table,
    preference_tables,
    tendency_table,
)
from referee.reports.tables.group_scores import group_score_table
from referee.reports.tables.square_one import square_one_table
from referee.reports.wording import incomplete_sentence, suite_name
from referee.reports.wording.vocabulary import ABOVE_CHANCE, NO_ANTECEDENT, chance_words
from referee.runs.store import RunInfo
from referee.stats.levels import Against


def tables(results: Sequence[Findings]) -> list[Table]:
    """By suite: accuracy, choices, perturbations, agreement of scores and generation, English; then all baselines."""
    shown: list[Table] = []
    for (suite, kind), same in groupby(results, key=lambda findings: (findings.suite, findings.kind)):
        columns = list(same)
        both = {findings.kind for findings in results if findings.suite == suite} > {kind}
        title = suite_name(suite, kind if both else None)
        if columns[0].overall is not None:
            shown.append(_accuracy(title, columns))
        elif columns[0].not_applicable:
            heads, counts = ("", "items", "not applicable"), ("all items", "0", str(columns[0].not_applicable))
            shown.append(Table(title, heads, [counts], note=NO_ANTECEDENT))
        if (group_scores := group_score_table(title, columns[0])) is not None:
            shown.append(group_scores)
        if columns[0].tendencies:
            shown.append(tendency_table(title, columns[0].tendencies))
        shown += preference_tables(title, columns[0].preferences)
        for findings in columns:
            if findings.attacks is not None:
                shown += attack_tables(suite_name(suite, kind if both else None, findings.rule), findings.attacks)
        if columns[0].agreement is not None:
            shown.append(agreement_table(suite, columns[0].agreement))
        if columns[0].english is not None:
            shown.append(english_table(suite, columns[0].english))
    if (baselines := square_one_table(results)) is not None:
        shown.append(baselines)
    return shown


def summary(info: RunInfo) -> str:
    """How many items were evaluated, and why others were not, in one line."""
    counts = info.counts
    if counts is None:
        return "not finished"
    dropped = ", ".join(f"{count} {reason}" for reason, count in counts.dropped.items()) or "0"
    return (
        f"{counts.judged} of {counts.items} items evaluated; tied {counts.tied}, "
        f"truncated {counts.truncated}, dropped {dropped}"
    )


def truncated(info: RunInfo) -> str | None:
    """Which translations reached their limit of tokens, and what the limit is; None where none did."""
    counts = info.counts
    if counts is None or not counts.truncated:
        return None
    more = counts.truncated - len(counts.truncated_items)
    names = ", ".join(counts.truncated_items) + (f" and {more:,} more" if more else "")
    limit = info.inputs.settings.get("max_tokens", "not known")
    what = "translation" if counts.truncated == 1 else "translations"
    remedy = "Raise it with the model's option max_tokens=N."
    return f"{counts.truncated:,} {what} reached the limit of tokens ({limit}): {names}. {remedy}"


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


def _accuracy(title: str, columns: Sequence[Findings]) -> Table:
    first = columns[0]
    heads: tuple[str, ...] = ("", "items")
    for findings in columns:
        heads += (f"accuracy % ({findings.rule})" if findings.rule else "accuracy %", "95% CI")
    # A decision by candidates may be for none or for several; expected forms are there or not.
    extra: tuple[str, ...] = ()
    if first.rule is None:
        extra = ("tied",) if first.kind == "contrastive" else ("tied", "other")
        if _has_no_antecedents(first):
            extra += ("by_other_means", "not_applicable")
    ties = "ties" if first.kind == "contrastive" else "ambiguous"
    heads += tuple(({"tied": ties} | _COUNTS)[name] for name in extra)
    overall = [findings.overall for findings in columns]
    rows = [_cells("all items", overall, extra, [findings.against for findings in columns])]
    if first.group is not None:
        rows.append(_group_cells(columns) + ("",) * len(extra))
    for dimension in first.by:
        rows += [
            _cells(f"{dimension}: {same[0].key}", same, extra)
            for same in zip(*(findings.by[dimension] for findings in columns), strict=True)
        ]
    return Table(title, heads, in_line(rows), note=_note(first))


_COUNTS = {"other": "no match", "by_other_means": "other means", "not_applicable": "not applicable"}
"""What columns of counts are called."""


def _has_no_antecedents(findings: Findings) -> bool:
    """Whether pronouns without an antecedent were rendered by other means, or not at all."""
    return findings.not_applicable > 0 or (findings.overall is not None and findings.overall.by_other_means > 0)


def _note(findings: Findings) -> str:
    notes = [f"{_chance(findings)}."] if findings.chance is not None else []
    if findings.kind == "contrastive":
        notes.append("Ties count as errors.")
    elif findings.rule is None:
        notes.append("Decided by the candidate whose words are in the output; ambiguous and no match are errors.")
        if _has_no_antecedents(findings):
            notes.append(NO_ANTECEDENT)
    if findings.group is not None and findings.group.singles:
        notes.append(f"{findings.group.singles:,} items without a group do not count in the group score.")
    if findings.incomplete:
        notes.append(incomplete_sentence(findings.incomplete, findings.incomplete_groups))
    notes.append(_quality(findings.quality))
    return " ".join(note for note in notes if note)


def _chance(findings: Findings) -> str:
    """The chance levels, and what a mark means where there is one."""
    levels = [] if findings.chance is None else [f"Chance level {chance_words(findings.chance)}"]
    group = findings.group
    if group is not None and group.chance is not None:
        levels.append(f"of the group score {percentage(group.chance)}")
        if group.independent_chance is not None:
            levels[-1] += f" ({percentage(group.independent_chance)} guessing each item by itself)"
    marks = any(MARK in marked(0, result) for result in (findings.against, None if group is None else group.against))
    return ", ".join(levels) + (f"; {MARK} significantly {ABOVE_CHANCE} (the whole CI is above)" if marks else "")


def _quality(scores: Sequence[Score]) -> str:
    shown = (
        f"{score.name} {score.value:.1f} (95% CI {score.interval[0]:.1f}–{score.interval[1]:.1f})" for score in scores
    )
    return f"Against the references: {', '.join(shown)}." if scores else ""


def _cells(
    name: str, rows: Sequence[Row | None], extra: tuple[str, ...], results: Sequence[Against | None] = ()
) -> tuple[str, ...]:
    present = [row for row in rows if row is not None]
    cells: tuple[str, ...] = (name, str(present[0].items))
    for index, row in enumerate(present):
        cells += (marked(row.accuracy, results[index] if results else None), interval(row.interval))
    return cells + tuple(str(getattr(present[0], count)) for count in extra)


def _group_cells(columns: Sequence[Findings]) -> tuple[str, ...]:
    scores = [findings.group for findings in columns if findings.group is not None]
    groups = scores[0].groups
    cells: tuple[str, ...] = (f"group score ({groups} {'group' if groups == 1 else 'groups'})", "")
    for score in scores:
        cells += (marked(score.score, score.against), interval(score.interval))
    return cells
