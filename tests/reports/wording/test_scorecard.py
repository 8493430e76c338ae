"""Cells of the scorecard, and the one sentence that says each."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from referee.analysis.chance_level import ChanceLevel
from referee.analysis.generation_agreement import Agreement
from referee.analysis.scorecard import (
    COLUMNS,
    AgainstChance,
    Cell,
    Generation,
    GroupsAgainstChance,
    NotMeasured,
    Reason,
    ScorecardRow,
)
from referee.reports import wording
from referee.stats.levels import Against
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
THIRD = ChanceLevel(1 / 3, "guess")
ALWAYS = ChanceLevel(1.0, "heuristic", "gender", "n")


def of_items(chance: ChanceLevel | None, *against: Any) -> Cell:
    return Cell(outcome=AgainstChance(chance=chance, against=Against(*against) if against else None))


def of_groups(*against: Any, singles: int = 0, independent: float | None = 0.25) -> Cell:
    result = Against(*against) if against else None
    chance = 0.5 if against else None
    return Cell(
        outcome=GroupsAgainstChance(chance=chance, independent_chance=independent, singles=singles, against=result)
    )


CELLS = [
    (of_items(THIRD, "above"), "Above chance (33.3%)."),
    (of_items(THIRD, "at"), "At chance (33.3%)."),
    (of_items(THIRD, "not_above"), "Not above chance (33.3%)."),
    (of_items(THIRD, "below"), "Below chance (33.3%)."),
    (of_items(THIRD, "inconclusive", 12), "Inconclusive against chance (33.3%; needs about 12 more groups)."),
    (of_items(THIRD, "inconclusive", 1), "Inconclusive against chance (33.3%; needs about 1 more group)."),
    (
        of_items(THIRD, "inconclusive"),
        "Inconclusive against chance (33.3%; more groups at these rates would not decide).",
    ),
    (of_items(ChanceLevel(0.5, "referents"), "above"), "Above chance (50.0%, any antecedent)."),
    (
        of_items(ChanceLevel(0.4, "heuristic", "position", "first"), "below"),
        "Below chance (40.0%, always the first noun).",
    ),
    (of_items(ALWAYS, "at"), "No better than 'always neuter', which is always correct here."),
    (of_items(ALWAYS, "below"), "Worse than 'always neuter', which is always correct here."),
    (of_items(None), "No chance level for this set."),
    (of_groups("above"), "Above chance (50.0%); guessing each item by itself 25.0%."),
    (
        of_groups("at", singles=1200),
        "At chance (50.0%); guessing each item by itself 25.0%; 1,200 items without a group not counted.",
    ),
    (
        of_groups("inconclusive", 30, independent=None),
        "Inconclusive against chance (50.0%; needs about 30 more groups).",
    ),
    (of_groups(independent=None, singles=2), "No chance level for this set; 2 items without a group not counted."),
    (Cell(outcome=Generation(AGREEMENT, "agrees", None)), "Generation agrees with scoring (kappa 0.25)."),
    (Cell(outcome=Generation(AGREEMENT, "differs", None)), "Generation often differs from scoring (kappa 0.25)."),
    (
        Cell(outcome=Generation(AGREEMENT, "inconclusive", 15)),
        "Inconclusive (needs about 15 more groups) whether generation agrees with scoring in 90.0% or more "
        "(kappa 0.25).",
    ),
    (Cell(outcome=Generation(change(AGREEMENT, kappa=None), "agrees", None)), "Generation agrees with scoring."),
    (Cell(outcome=NotMeasured("all_dropped")), "Not measured: every item was dropped."),
    (Cell(outcome=NotMeasured("all_tied")), "No decision: every item is a tie."),
    (Cell(outcome=NotMeasured("no_gold")), "No correct answer (prior probe)."),
    (Cell(outcome=NotMeasured("not_applicable")), "Not measured: no translation renders the pronoun."),
    (Cell(outcome=NotMeasured("pooled")), "Not measured: see the rows of the suites."),
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


def test_every_reason_has_a_sentence() -> None:
    """And a test: a new one is not forgotten."""
    told = {cell.outcome.reason for cell, _ in CELLS if isinstance(cell.outcome, NotMeasured)}
    assert told == set(get_args(Reason))


def test_every_column_has_a_head() -> None:
    assert tuple(wording.HEADS) == COLUMNS


def row(**cells: Cell) -> ScorecardRow:
    missing = {name: Cell(outcome=NotMeasured("no_gold")) for name in COLUMNS}
    return ScorecardRow(suite="s", kind="contrastive", items=1, cells=missing | cells)


def test_headline() -> None:
    known = {name: change(of_items(THIRD, "above"), grade="fair") for name in COLUMNS}
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


def test_the_headline_counts_what_is_open_apart() -> None:
    """Neither among those that hold nor hidden."""
    good, open_ = (change(of_items(THIRD, "inconclusive", 3), grade=grade) for grade in ("good", "open"))
    assert wording.headline([row(accuracy=good), row(accuracy=open_), row(accuracy=open_)]) == (
        "Above chance on 1 of 3 suites (2 inconclusive)."
    )


def test_the_headline_leaves_out_what_has_no_chance_level() -> None:
    """Without a chance level nothing is said of chance."""
    assert wording.headline([row(accuracy=of_items(None), groups=of_groups(independent=None))]) == ""


def test_every_grade_has_a_sign_of_its_own() -> None:
    signs = {grade: sign for grade, (sign, _) in wording.GRADES.items()}
    assert signs == {"good": "✓", "fair": "~", "bad": "✗", "open": "?", "unknown": "–"}
    assert wording.GRADES["open"][1] == "inconclusive"
