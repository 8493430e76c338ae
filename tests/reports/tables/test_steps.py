"""The steps of pronoun translation as a table."""

from __future__ import annotations

from referee.reports.records import step_records
from referee.reports.tables.steps import step_tables
from tests.analysis.test_steps import GOOD, outcome

FOUND = outcome({"markable": GOOD, "verb-overlap": (60, 100), "object-overlap": (0, 100), "gender": GOOD})


def test_a_table_has_a_row_per_phenomenon_and_the_sentence() -> None:
    (table,) = step_tables([FOUND])
    assert table.title == "steps of pronoun translation into de (scores)"
    assert [row[:3] for row in table.rows] == [
        ("markable detection", "markable", "200"),
        ("coreference", "overlap", "200"),
        ("language translation", "gender", "200"),
    ]
    assert table.rows[1][3:] == ("30.0 ", "23.7–36.9", "Below chance (50.0%).")
    assert table.note == "First step that fails: coreference (overlap 30.0%, below chance)."


def test_a_record_has_the_sentence_and_all_parts() -> None:
    (record,) = step_records([FOUND])
    assert (record["outcome"], record["verdict"]) == ("fails", step_tables([FOUND])[0].note)
    assert (record["part"]["phenomenon"], record["part"]["fails"]) == ("overlap", True)
    assert [part["step"] for part in record["parts"]] == ["markable", "coreference", "language"]
