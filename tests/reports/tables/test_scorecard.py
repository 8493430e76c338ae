"""Cells of a scorecard as words."""

from __future__ import annotations

from typing import Any

import pytest

from referee.analysis.chance_level import ChanceLevel
from referee.analysis.scorecard import AgainstChance, Cell, NotMeasured, ScorecardRow
from referee.reports.model import Scorecard
from referee.reports.tables.scorecard import (
    card_table,
    cell_text,
    interval_text,
    measured_columns,
    scorecard_tables,
    value_text,
    way,
)
from referee.stats.levels import Against

ABOVE = AgainstChance(chance=ChanceLevel(0.5, "guess"), against=Against("above"))


@pytest.mark.parametrize(
    ("cell", "value", "interval", "text"),
    [
        (
            {"value": 0.8123, "interval": (0.79, 0.834), "unit": "%"},
            "81.2",
            "79.0–83.4",
            "81.2% (95% CI 79.0–83.4). ",
        ),
        (
            {"value": -0.213, "interval": (-0.25, 0.01), "unit": "pp"},
            "-21.3",
            "-25.0 to +1.0",
            "-21.3 pp (95% CI -25.0 to +1.0). ",
        ),
        (
            {"value": 0.267, "interval": (0.2, 0.3), "unit": "r"},
            "0.27",
            "0.20 to 0.30",
            "r = 0.27 (95% CI 0.20 to 0.30). ",
        ),
        ({"value": 0.5}, "0.50", "", "0.50. "),
        ({"interval": (0.2, 0.3), "unit": "%"}, "", "", ""),
    ],
)
def test_cells(cell: dict[str, Any], value: str, interval: str, text: str) -> None:
    made = Cell(outcome=ABOVE, **cell)
    assert (value_text(made), interval_text(made), cell_text(made)) == (value, interval, f"{text}Above chance (50.0%).")


MEASURED = Cell(outcome=ABOVE, value=0.8, interval=(0.7, 0.9), unit="%", grade="fair")
ROWS = [
    ScorecardRow(
        suite="s",
        kind="contrastive",
        items=3,
        cells={
            "accuracy": MEASURED,
            "attacks": MEASURED,
            "bias": Cell(outcome=NotMeasured("no_features")),
            "trigger": Cell(outcome=NotMeasured("no_salience")),
        },
    ),
    ScorecardRow(
        suite="t",
        kind="generative",
        rule="token",
        items=4,
        cells={
            "accuracy": Cell(outcome=NotMeasured("no_gold")),
            "attacks": Cell(outcome=NotMeasured("not_perturbed", "phrase")),
            "trigger": Cell(outcome=NotMeasured("no_salience")),
        },
    ),
]
NOTE = (
    "Not measured: accuracy on 1 of 2 suites (no correct answer); robustness on 1 of 2 suites "
    "(run `eval --perturb phrase`); bias on 1 of 2 suites (candidates differ neither in gender nor in position); "
    "salience (run `diagnose RUN --salience`)."
)


def test_a_scorecard_is_a_table_too() -> None:
    table = card_table(Scorecard("run", ROWS))
    assert table.columns == ("suite", "evaluated by", "items", "Accuracy", "Robustness")
    assert table.rows == [
        ("s", "scores", "3", "80.0% (95% CI 70.0–90.0). Above chance (50.0%).", cell_text(MEASURED)),
        ("t", way(ROWS[1]), "4", "No correct answer (prior probe).", "Not measured: run `eval --perturb phrase`."),
    ]
    assert way(ROWS[1]) == "generation, rule token"
    assert table.note == NOTE


def test_a_column_with_nothing_in_it_is_not_shown() -> None:
    assert measured_columns(ROWS) == ("accuracy", "attacks")
    assert measured_columns([]) == ()
    first, one, two = scorecard_tables(ROWS)
    assert first.columns == ("suite", "items", "accuracy", "robustness")
    assert first.rows == [("s", "3", "80.0% ~", "80.0% ~"), ("t", "4", "–", "–")]
    assert first.note.endswith(f"no verdict. {NOTE}")
    assert [row[0] for row in one.rows] == [row[0] for row in two.rows] == ["Accuracy", "Robustness"]


def test_what_cannot_be_assessed_was_measured() -> None:
    row = ScorecardRow(suite="s", kind="contrastive", items=3, cells={"accuracy": Cell(outcome=ABOVE)})
    assert measured_columns([row]) == ("accuracy",)
    assert card_table(Scorecard("run", [row])).note == ""
