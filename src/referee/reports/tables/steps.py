"""The steps of translating a pronoun as a table: one row per phenomenon, overlap pooled."""

from __future__ import annotations

from collections.abc import Sequence

from referee.analysis.steps import StepOutcome, StepPart
from referee.reports.format import in_line, interval, marked
from referee.reports.model import Table
from referee.reports.wording import KINDS
from referee.reports.wording.steps import STEP_NAMES, part_verdict, phenomenon_name, step_sentence

_HEADS = ("step", "phenomenon", "items", "accuracy %", "95% CI", "interpretation")


def step_tables(outcomes: Sequence[StepOutcome]) -> list[Table]:
    """One table per target language, with the sentence on the first step that fails below."""
    return [
        Table(
            f"steps of pronoun translation into {outcome.language} ({KINDS[outcome.kind]})",
            _HEADS,
            in_line([_cells(part) for part in outcome.parts]),
            left=(0, 1, 5),
            note=step_sentence(outcome),
        )
        for outcome in outcomes
    ]


def _cells(part: StepPart) -> tuple[str, ...]:
    names = (STEP_NAMES[part.step], phenomenon_name(part))
    row = part.findings.overall
    if row is None:
        return (*names, "0", "", "", part_verdict(part))
    figure = marked(row.accuracy, part.findings.against)
    return (*names, str(row.items), figure, interval(row.interval), part_verdict(part))
