"""Cells of the scorecard, and the one sentence that says each."""

from __future__ import annotations

import msgspec
import pytest

from referee.analysis.generation_agreement import Agreement
from referee.analysis.scorecard import COLUMNS, AgainstChance, Cell, NotMeasured, ScorecardRow
from referee.reports import wording
from tests.reports.wording.test_diagnosis import (
    ARTIFACT,
    ARTIFACTS,
    BIAS,
    BIASES,
    HALF,
    PRIOR,
    PRIORS,
    ROBUSTNESS,
    ROBUSTNESSES,
    SALIENCE,
)

change = msgspec.structs.replace


AGREEMENT = Agreement(items=200, same=HALF, kappa=0.254, both_right=1, only_scores=1, only_translations=1, both_wrong=1)
CELLS = [
    (Cell(outcome=AgainstChance(1 / 3, above=True)), "Above chance (33.3%)."),
    (Cell(outcome=AgainstChance(1 / 3, above=False)), "Not significantly above chance (33.3%)."),
    (Cell(outcome=AgainstChance(None, None)), "No chance level for this set."),
    (Cell(outcome=AGREEMENT, grade="good"), "Generation agrees with scoring (kappa 0.25)."),
    (Cell(outcome=AGREEMENT, grade="fair"), "Generation often differs from scoring (kappa 0.25)."),
    (Cell(outcome=change(AGREEMENT, kappa=None), grade="good"), "Generation agrees with scoring."),
    (Cell(outcome=NotMeasured("no_gold")), "No correct answer (prior probe)."),
    (Cell(outcome=NotMeasured("no_groups")), "Not measured: items are not grouped."),
    (Cell(outcome=NotMeasured("no_baseline")), "Not measured: no artifact baseline for translation."),
    (Cell(outcome=NotMeasured("not_perturbed", "phrase")), "Not measured: run `eval --perturb phrase`."),
    (
        Cell(outcome=NotMeasured("no_features")),
        "Not measured: candidates differ neither in gender nor in position.",
    ),
    (Cell(outcome=NotMeasured("no_salience")), "Not measured: run `diagnose RUN --salience`."),
    (Cell(outcome=NotMeasured("not_generated")), "Not measured: run `eval --how both`."),
    (Cell(outcome=NotMeasured("only_generated")), "Not measured: items were not scored."),
    (Cell(outcome=BIAS), f"Gender. {BIASES[0][1]}"),
    (Cell(outcome=PRIOR), f"Position. {PRIORS[0][1]}"),
    (Cell(outcome=ARTIFACT), ARTIFACTS[0][1]),
    (Cell(outcome=ROBUSTNESS), ROBUSTNESSES[0][1]),
    (Cell(outcome=SALIENCE[0][0]), SALIENCE[0][1]),
]


@pytest.mark.parametrize(("cell", "sentence"), CELLS)
def test_cell(cell: Cell, sentence: str) -> None:
    assert wording.cell_verdict(cell) == sentence


def test_every_column_has_a_head() -> None:
    assert tuple(wording.HEADS) == COLUMNS


def row(**cells: Cell) -> ScorecardRow:
    missing = {name: Cell(outcome=NotMeasured("no_gold")) for name in COLUMNS}
    return ScorecardRow(suite="s", kind="contrastive", items=1, cells=missing | cells)


def test_headline() -> None:
    known = {name: Cell(outcome=AgainstChance(0.5, above=True), grade="fair") for name in COLUMNS}
    assert wording.headline([row(**known)]) == (
        "Above chance on 1 of 1 suites. Group score above chance on 1 of 1. "
        "Not above chance without the evidence on 1 of 1. Robust to perturbation on 1 of 1. "
        "No more than a small bias on 1 of 1. Trigger words more salient on 1 of 1. "
        "Generation agrees with scoring on 1 of 1."
    )
    poor = Cell(outcome=ROBUSTNESS, grade="bad")
    accurate = known["accuracy"]
    assert wording.headline([row(accuracy=accurate, attacks=poor), row(accuracy=accurate), row()]) == (
        "Above chance on 2 of 2 suites. Robust to perturbation on 0 of 1."
    )
    assert wording.headline([]) == ""


def test_the_headline_leaves_out_what_has_no_chance_level() -> None:
    """A grade without a chance level says nothing of chance."""
    unknown = Cell(outcome=AgainstChance(None, None), grade="good")
    assert wording.headline([row(accuracy=unknown, groups=unknown)]) == ""


# --- comparison
