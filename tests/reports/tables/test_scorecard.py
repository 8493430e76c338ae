"""Cells of a scorecard as words."""

from __future__ import annotations

from typing import Any

import pytest

from referee.analysis.scorecard import AgainstChance, Cell, NotMeasured, ScorecardRow
from referee.reports.model import Scorecard
from referee.reports.tables.scorecard import card_table, cell_text, interval_text, value_text, way


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
    made = Cell(outcome=AgainstChance(0.5, above=True), **cell)
    assert (value_text(made), interval_text(made), cell_text(made)) == (value, interval, f"{text}Above chance (50.0%).")


def test_a_scorecard_is_a_table_too() -> None:
    lines = [
        ScorecardRow(suite="s", kind="contrastive", items=3, cells={"bias": Cell(outcome=NotMeasured("no_features"))}),
        ScorecardRow(suite="t", kind="generative", rule="token", items=4, cells={}),
    ]
    table = card_table(Scorecard("run", lines))
    assert table.rows == [
        (
            "s",
            "scores",
            "3",
            "",
            "",
            "",
            "",
            cell_text(lines[0].cells["bias"]),
            "",
            "",
        ),
        ("t", way(lines[1]), "4", "", "", "", "", "", "", ""),
    ]
    assert way(lines[1]) == "generation, rule token"
    assert len(table.columns) == len(table.rows[0])
