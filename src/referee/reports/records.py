"""Outcomes as plain records for `--json`, each with the sentence that says what it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from referee.analysis.diagnosis import SuiteDiagnosis
from referee.analysis.salience.importance import Importance
from referee.analysis.scorecard import Cell, ScorecardRow
from referee.analysis.shortcuts import Shortcuts
from referee.analysis.steps import StepOutcome, StepPart
from referee.reports import wording
from referee.reports.wording.steps import part_verdict, step_sentence

Record = dict[str, Any]


def scorecard_records(rows: Sequence[ScorecardRow]) -> list[Record]:
    """One record per row; a cell has its figure, its grade and its verdict, the outcome itself is with its suite."""
    return [_fields(row) | {"cells": {name: _cell(cell) for name, cell in row.cells.items()}} for row in rows]


def suite_record(suite: SuiteDiagnosis) -> Record:
    """Everything found on a suite."""
    robustness, groups = suite.robustness, suite.groups
    return _fields(suite) | {
        "biases": [_with_verdict(bias, wording.bias_verdict(bias)) for bias in suite.biases],
        "written": [_with_verdict(forms, wording.written_verdict(forms)) for forms in suite.written],
        "priors": [_with_verdict(prior, wording.prior_verdict(prior)) for prior in suite.priors],
        "artifacts": [_with_verdict(artifact, wording.artifact_verdict(artifact)) for artifact in suite.artifacts],
        "robustness": robustness and _with_verdict(robustness, wording.robustness_verdict(robustness)),
        "groups": groups and _with_verdict(groups, wording.group_verdict(groups)),
    }


def importance_records(importance: Mapping[str, Importance]) -> dict[str, Record]:
    """By suite, how salient trigger words are."""
    return {suite: _with_verdict(outcome, wording.salience_verdict(outcome)) for suite, outcome in importance.items()}


def shortcut_records(found: Sequence[Shortcuts]) -> list[Record]:
    """By suite, the three conditions of every item, and how many items have each combination."""
    names = ("associative", "no_cands", "part_sent")
    return [
        _fields(shortcuts)
        | {
            "complete": shortcuts.complete,
            "counts": [
                dict(zip(names, conditions, strict=True)) | {"items": count}
                for conditions, count in shortcuts.counts().items()
            ],
        }
        for shortcuts in found
    ]


def step_records(outcomes: Sequence[StepOutcome]) -> list[Record]:
    """By target language, which step of pronoun translation fails first, and all steps."""
    return [
        _with_verdict(outcome, step_sentence(outcome))
        | {"part": outcome.part and _part(outcome.part), "parts": [_part(part) for part in outcome.parts]}
        for outcome in outcomes
    ]


def _part(part: StepPart) -> Record:
    """A part without its suite's other findings."""
    row, result = part.findings.overall, part.findings
    return {
        "step": part.step,
        "phenomenon": part.phenomenon,
        "suites": part.suites,
        "items": row and row.items,
        "groups": row and row.groups,
        "accuracy": row and row.accuracy,
        "interval": row and row.interval,
        "chance": result.chance,
        "against": result.against,
        "fails": part.fails,
        "decides": part.decides,
        "verdict": part_verdict(part),
    }


def _cell(cell: Cell) -> Record:
    return {name: value for name, value in _fields(cell).items() if name != "outcome"} | {
        "verdict": wording.cell_verdict(cell)
    }


def _with_verdict(outcome: msgspec.Struct, verdict: str) -> Record:
    return _fields(outcome) | {"verdict": verdict}


def _fields(outcome: msgspec.Struct) -> Record:
    return msgspec.structs.asdict(outcome)
